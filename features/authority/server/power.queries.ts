import { sql } from 'kysely'
import type { ReachKind } from '#kernel/console-kinds.ts'
import type { AdministratorUid, ClientUid, GroupUid, PersonUid, SiteUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'

export interface HeldRole {
  siteUid: SiteUid
  /** Has Event_Management. */
  starts: boolean
  /** Of a floor or an area. */
  isOfFloor: boolean
}

export interface HeldGrant {
  uid: AdministratorUid
  reach: ReachKind
  siteUid: SiteUid | null
  groupUid: GroupUid | null
  seesPlans: boolean
  /** Can administer today: active, with password, name to sign in with, and second factor. */
  isUsable: boolean
}

/** What a session of the person can do, also while they are inactive, and what they sign in with. */
export interface Power {
  personUid: PersonUid
  name: string
  active: boolean
  kind: 'staff' | 'visitor'
  accountUid: string | null
  email: string | null
  mobile: string | null
  accountEmail: string | null
  accountMobile: string | null
  username: string | null
  /** Digests: they only tell whether something has changed. */
  password: string | null
  factor: string | null
  grant: HeldGrant | null
  /** Of assignments that are offered or accepted, and not past in any time zone. */
  roles: HeldRole[]
}

/** The administrators of an organisation are changed one act after the other. Taken before people are locked. */
export async function holdGrants(tx: Tx, clientUid: ClientUid): Promise<void> {
  await tx.selectFrom('client').select('uid').where('uid', '=', clientUid).forNoKeyUpdate().execute()
}

/** The power of these people, in one statement. The transaction sees accounts. */
export async function readPower(db: Db | Tx, clientUid: ClientUid, people: readonly PersonUid[]): Promise<Power[]> {
  if (people.length === 0) return []
  const { rows } = await sql<Power>`
    select p.uid as person_uid, p.name, p.active, p.kind, p.account_uid,
      p.email, p.mobile, ac.email as account_email, ac.mobile as account_mobile, ac.username,
      encode(sha256(convert_to(ac.password_hash, 'UTF8')), 'hex') as password, encode(sha256(sf.secret), 'hex') as factor,
      (select json_build_object('uid', g.uid, 'reach', g.reach, 'siteUid', g.site_uid, 'groupUid', g.group_uid,
          'seesPlans', g.sees_plans, 'isUsable', p.active and ac.active and ac.password_hash is not null
            and coalesce(ac.email, ac.username) is not null and sf.account_uid is not null)
        from administrator g where g.client_uid = p.client_uid and g.person_uid = p.uid and g.revoked_at is null) as grant,
      coalesce((select json_agg(json_build_object('siteUid', a.site_uid, 'starts', 'Event_Management' = any (r.modules),
          'isOfFloor', r.area_domain in ('Floor', 'Area')))
        from warden_assignment a
        join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
        where a.client_uid = p.client_uid and a.person_uid = p.uid and a.status in ('Offered', 'Accepted')
          and (a.date_to >= current_date - 1
            -- a duty may go on after the last day
            or exists (select from warden_sign_in si where si.client_uid = a.client_uid and si.assignment_uid = a.uid
              and si.on_duty and si.closed_at is null))), '[]') as roles
    from person p
    left join account ac on ac.uid = p.account_uid
    left join second_factor sf on sf.account_uid = ac.uid
    where p.client_uid = ${clientUid} and p.uid = any (${people as PersonUid[]}::uuid[])`.execute(db)
  return rows
}

/** Locks these people in one order. */
export async function lockPeople(tx: Tx, clientUid: ClientUid, people: readonly PersonUid[]): Promise<void> {
  await sql`
    select from person p where p.client_uid = ${clientUid} and p.uid = any (${people as PersonUid[]}::uuid[])
    order by p.uid for no key update of p`.execute(tx)
}

/** People of the organisation who have one of these accounts. */
export async function listOfAccounts(tx: Tx, clientUid: ClientUid, accounts: readonly string[]): Promise<PersonUid[]> {
  if (accounts.length === 0) return []
  const { rows } = await sql<{ uid: PersonUid }>`
    select p.uid from person p where p.client_uid = ${clientUid} and p.account_uid = any (${accounts}::uuid[])
    order by p.uid`.execute(tx)
  return rows.map(({ uid }) => uid)
}

/** True if someone administers the whole organisation and can sign in today. */
export async function hasUsable(tx: Tx, clientUid: ClientUid): Promise<boolean> {
  const { rows } = await sql`
    select from administrator g
    join person p on p.client_uid = g.client_uid and p.uid = g.person_uid and p.active
    join account ac on ac.uid = p.account_uid and ac.active and ac.password_hash is not null
    join second_factor f on f.account_uid = ac.uid
    where g.client_uid = ${clientUid} and g.revoked_at is null and g.reach = 'organisation'
      and coalesce(ac.email, ac.username) is not null limit 1`.execute(tx)
  return rows.length === 1
}

/** Others with the Plans permission who are in use. */
export async function listHolders(tx: Tx, clientUid: ClientUid): Promise<PersonUid[]> {
  const { rows } = await sql<{ uid: PersonUid }>`
    select p.uid from administrator g
    join person p on p.client_uid = g.client_uid and p.uid = g.person_uid and p.active
    where g.client_uid = ${clientUid} and g.revoked_at is null and g.sees_plans order by g.uid`.execute(tx)
  return rows.map(({ uid }) => uid)
}

/** The live grant of a person, for a change that happens later than it was asked for. */
export async function findGrantOf(db: Db | Tx, clientUid: ClientUid, personUid: PersonUid) {
  const { rows } = await sql<Omit<HeldGrant, 'isUsable'>>`
    select g.uid, g.reach, g.site_uid, g.group_uid, g.sees_plans from administrator g
    join person p on p.client_uid = g.client_uid and p.uid = g.person_uid and p.active
    where g.client_uid = ${clientUid} and g.person_uid = ${personUid} and g.revoked_at is null`.execute(db)
  return rows[0]
}
