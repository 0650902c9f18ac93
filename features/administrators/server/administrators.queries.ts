import { sql } from 'kysely'
import type { ReachKind } from '#kernel/console-kinds.ts'
import type { AdministratorUid, ClientUid, GroupUid, PersonUid, SiteUid } from '#kernel/ids.ts'
import type { Administrator } from '#server/administrators/administrator.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import type { AdministratorRow } from '../calls/administrators.ts'

interface GrantRow {
  uid: AdministratorUid
  personUid: PersonUid
  firstName: string
  lastName: string
  email: string | null
  reach: ReachKind
  reachName: string | null
  seesPlans: boolean
  state: AdministratorRow['state']
  lastSignIn: Date | null
}

/** Live grants of the organisation by name. Accounts and second factors are seen by the system's role alone. */
export async function listGrants(system: Db, clientUid: ClientUid): Promise<GrantRow[]> {
  const { rows } = await sql<GrantRow>`
    select g.uid, p.uid as person_uid, p.first_name, p.last_name, coalesce(ac.email, p.email) as email, g.reach,
      coalesce(st.name, gr.name) as reach_name, g.sees_plans,
      case when ac.password_hash is null then 'invited'
        when not exists (select from second_factor f where f.account_uid = ac.uid) then 'no_second_factor'
        else 'ready' end as state,
      (select max(s.created_at) from console_session s where s.account_uid = ac.uid) as last_sign_in
    from administrator g
    join person p on p.client_uid = g.client_uid and p.uid = g.person_uid and p.active
    left join account ac on ac.uid = p.account_uid and ac.active
    left join site st on st.client_uid = g.client_uid and st.uid = g.site_uid
    left join people_group gr on gr.client_uid = g.client_uid and gr.uid = g.group_uid
    where g.client_uid = ${clientUid} and g.revoked_at is null
    order by p.last_name collate "und-x-icu", p.first_name collate "und-x-icu", g.uid`.execute(system)
  return rows
}

export function listSites(tx: Tx, clientUid: ClientUid) {
  return tx
    .selectFrom('site')
    .select(['uid', 'name'])
    .where('clientUid', '=', clientUid)
    .where('retiredAt', 'is', null)
    .orderBy('name')
    .execute()
}

export function listGroups(tx: Tx, clientUid: ClientUid) {
  return tx
    .selectFrom('peopleGroup')
    .select(['uid', 'name'])
    .where('clientUid', '=', clientUid)
    .where('active', '=', true)
    .orderBy('name')
    .execute()
}

/**
 * Holds the organisation: changes of its administrators take turns. Call it under `holdDirectory`, before a change of people
 * of whom one has a grant: anyone who revokes or resets holds the administrators before anything else, too.
 */
export async function holdAdministrators(tx: Tx, clientUid: ClientUid): Promise<void> {
  await tx.selectFrom('client').select('uid').where('uid', '=', clientUid).forNoKeyUpdate().execute()
}

/** False if the session or the grant of who asks has ended since the guard looked. */
export async function isStillAdministrator(tx: Tx, { administratorUid, clientUid, sessionUid }: Administrator) {
  const { rows } = await sql`
    select from administrator g cross join console_session s
    where g.client_uid = ${clientUid} and g.uid = ${administratorUid} and g.revoked_at is null
      and s.uid = ${sessionUid} and s.revoked_at is null`.execute(tx)
  return rows.length === 1
}

export interface Staff {
  personUid: PersonUid
  firstName: string
  lastName: string
  email: string | null
  mobile: string | null
  accountUid: string | null
  accountEmail: string | null
  hasPassword: boolean
  /** The password was set by a link that an administrator had seen, or came by a merge: someone else may know it. */
  hasKnownPassword: boolean
  hasSecondFactor: boolean
}

const staff = (clientUid: ClientUid) => sql`
    select p.uid as person_uid, p.first_name, p.last_name, p.email, p.mobile, p.account_uid, ac.email as account_email,
      ac.password_hash is not null as has_password,
      coalesce(ac.password_hash in (ac.shown_password_hash, ac.merged_password_hash), false) as has_known_password,
      exists (select from second_factor sf where sf.account_uid = ac.uid) as has_second_factor
    from person p left join account ac on ac.uid = p.account_uid
    where p.client_uid = ${clientUid} and p.active and p.kind = 'staff'`

export async function findStaff(tx: Tx, clientUid: ClientUid, personUid: PersonUid): Promise<Staff | undefined> {
  const { rows } = await sql<Staff>`${staff(clientUid)} and p.uid = ${personUid} for no key update of p`.execute(tx)
  return rows[0]
}

/** Active staff with the address, as their own or as that of their account. */
export async function listStaffByEmail(tx: Tx, clientUid: ClientUid, email: string): Promise<Staff[]> {
  const { rows } = await sql<Staff>`
    ${staff(clientUid)} and lower(${email}) in (lower(p.email), lower(ac.email)) order by p.uid limit 2`.execute(tx)
  return rows
}

export interface Grant {
  uid: AdministratorUid
  personUid: PersonUid
  accountUid: string | null
  email: string | null
  firstName: string
  lastName: string
  seesPlans: boolean
  reach: string
  siteUid: SiteUid | null
  groupUid: GroupUid | null
}

const liveGrant = (clientUid: ClientUid) => sql`
    select g.uid, g.person_uid, p.account_uid, coalesce(ac.email, p.email) as email, p.first_name, p.last_name, g.sees_plans,
      g.reach, g.site_uid, g.group_uid
    from administrator g
    join person p on p.client_uid = g.client_uid and p.uid = g.person_uid
    left join account ac on ac.uid = p.account_uid
    where g.client_uid = ${clientUid} and g.revoked_at is null`

export async function findGrant(tx: Tx, clientUid: ClientUid, uid: AdministratorUid): Promise<Grant | undefined> {
  return (await sql<Grant>`${liveGrant(clientUid)} and g.uid = ${uid}`.execute(tx)).rows[0]
}

export async function findGrantOf(tx: Tx, clientUid: ClientUid, personUid: PersonUid): Promise<Grant | undefined> {
  return (await sql<Grant>`${liveGrant(clientUid)} and g.person_uid = ${personUid}`.execute(tx)).rows[0]
}

/** Active people with the Plans permission. */
export async function listWithMark(tx: Tx, clientUid: ClientUid): Promise<Grant[]> {
  return (await sql<Grant>`${liveGrant(clientUid)} and g.sees_plans and p.active order by g.uid`.execute(tx)).rows
}

/** The place of a reach. True if it is one of the organisation. */
export async function hasPlace(
  tx: Tx,
  clientUid: ClientUid,
  { siteUid, groupUid }: { siteUid: SiteUid | null; groupUid: GroupUid | null },
) {
  if (siteUid) return (await listSites(tx, clientUid)).some(({ uid }) => uid === siteUid)
  return !groupUid || (await listGroups(tx, clientUid)).some(({ uid }) => uid === groupUid)
}

/** Administrators of the whole organisation who can sign in today, without this person, if one is named. */
export async function countOthers(tx: Tx, clientUid: ClientUid, personUid: PersonUid | null): Promise<number> {
  return (await listUsable(tx, clientUid)).filter((uid) => uid !== personUid).length
}

/** People who administer the whole organisation and can sign in today. */
export async function listUsable(db: Db, clientUid: ClientUid): Promise<PersonUid[]> {
  const { rows } = await sql<{ personUid: PersonUid }>`
    select g.person_uid from administrator g
    join person p on p.client_uid = g.client_uid and p.uid = g.person_uid and p.active
    join account ac on ac.uid = p.account_uid and ac.active and ac.password_hash is not null
    join second_factor f on f.account_uid = ac.uid
    where g.client_uid = ${clientUid} and g.revoked_at is null and g.reach = 'organisation'
      and coalesce(ac.email, ac.username) is not null`.execute(db)
  return rows.map(({ personUid }) => personUid)
}

/** People with a grant of any reach, with their user names. */
export async function listGranted(db: Db, clientUid: ClientUid): Promise<Map<string, string | null>> {
  const rows = await db
    .selectFrom('administrator as g')
    .innerJoin('person as p', (j) => j.onRef('p.clientUid', '=', 'g.clientUid').onRef('p.uid', '=', 'g.personUid'))
    .leftJoin('account as ac', 'ac.uid', 'p.accountUid')
    .select(['g.personUid', 'ac.username'])
    .where('g.clientUid', '=', clientUid)
    .where('g.revokedAt', 'is', null)
    .execute()
  return new Map(rows.map(({ personUid, username }) => [personUid, username]))
}

/** Codes of active organisations that no one can administer. */
export async function listUnadministered(system: Db): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`
    select c.code from client c where c.active and not exists (
      select from administrator g
      join person p on p.client_uid = g.client_uid and p.uid = g.person_uid and p.active
      join account ac on ac.uid = p.account_uid and ac.active and ac.password_hash is not null
      where g.client_uid = c.uid and g.revoked_at is null and g.reach = 'organisation')
    order by c.code`.execute(system)
  return rows.map(({ code }) => code)
}

export interface Owed {
  clientUid: ClientUid
  code: string
  personUid: PersonUid
  accountUid: string
  email: string | null
}

/** Administrators whom an upgrade left without a way to their second factor, and who have got no link since. */
export async function listOwed(db: Db, personUid: PersonUid | null = null): Promise<Owed[]> {
  const { rows } = await sql<Owed>`
    select g.client_uid, c.code, g.person_uid, ac.uid as account_uid, coalesce(ac.email, p.email) as email
    from administrator g
    join client c on c.uid = g.client_uid and c.active
    join person p on p.client_uid = g.client_uid and p.uid = g.person_uid and p.active
    join account ac on ac.uid = p.account_uid and ac.active and ac.password_hash is not null
    where g.owed_link and g.revoked_at is null and not exists (select from second_factor f where f.account_uid = ac.uid)
      and (${personUid}::uuid is null or g.person_uid = ${personUid})
    order by c.code, g.uid`.execute(db)
  return rows
}

/** Name and time zone of the organisation, for mails. */
export function getOrganisation(tx: Tx, clientUid: ClientUid) {
  return tx
    .selectFrom('client')
    .select(['name', 'timezone', 'country'])
    .where('uid', '=', clientUid)
    .executeTakeFirstOrThrow()
}

export async function findNameOf(tx: Tx, clientUid: ClientUid, personUid: PersonUid): Promise<string> {
  const { name } = await tx
    .selectFrom('person')
    .select('name')
    .where('clientUid', '=', clientUid)
    .where('uid', '=', personUid)
    .executeTakeFirstOrThrow()
  return name
}
