import { type RawBuilder, sql } from 'kysely'
import type { ClientUid } from '#kernel/ids.ts'
import type { Db } from '#server/platform/db/db.ts'
import type { OrganisationRow } from '../../columns.ts'
import { columns } from '../../columns.ts'
import { typesOf } from '../files/kinds.ts'

export const findClient = (db: Db, code: string) => selectClient(db).where('code', '=', code).executeTakeFirst()

export const getClient = (db: Db, uid: ClientUid) => selectClient(db).where('uid', '=', uid).executeTakeFirstOrThrow()

const selectClient = (db: Db) =>
  db
    .selectFrom('client')
    .select(['uid', 'active', ...(Object.keys(typesOf(columns.organisation)) as (keyof OrganisationRow)[])])
    .$castTo<OrganisationRow & { uid: ClientUid; active: boolean }>()

/** Codes of all organisations. */
export async function listClientCodes(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('client').select('code').execute()
  return rows.map(({ code }) => code)
}

/** User names by person. */
export async function listUsernames(db: Db, clientUid: ClientUid): Promise<Map<string, string>> {
  const { rows } = await sql<{ uid: string; username: string }>`
    select p.uid, a.username from account a join person p on p.account_uid = a.uid and p.client_uid = a.owner_client_uid
    where a.owner_client_uid = ${clientUid} and a.username is not null`.execute(db)
  return new Map(rows.map(({ uid, username }) => [uid, username]))
}

/** People who are no longer known. */
export async function listErased(db: Db, clientUid: ClientUid): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('person')
    .select('uid')
    .where('clientUid', '=', clientUid)
    .where('erasedAt', 'is not', null)
    .execute()
  return new Set(rows.map(({ uid }) => uid))
}

/** Codes of the templates in the order in which they were made, which is that of the lists. */
export async function listTemplatesInOrder(db: Db, clientUid: ClientUid): Promise<string[]> {
  const rows = await db
    .selectFrom('messageTemplate')
    .select('code')
    .where('clientUid', '=', clientUid)
    .orderBy('id')
    .execute()
  return rows.map(({ code }) => code)
}

export async function listReachedGroups(db: Db, clientUid: ClientUid): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ uid: string }>`
    select distinct group_uid as uid from administrator
    where client_uid = ${clientUid} and group_uid is not null and revoked_at is null`.execute(db)
  return new Set(rows.map(({ uid }) => uid))
}

/** The uids of the people of each group. */
export async function listMembers(db: Db, clientUid: ClientUid): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const { rows } = await sql<{ groupUid: string; personUid: string }>`
    select group_uid, person_uid from people_group_member where client_uid = ${clientUid}`.execute(db)
  const members = new Map<string, Set<string>>()
  for (const { groupUid, personUid } of rows) members.set(groupUid, (members.get(groupUid) ?? new Set()).add(personUid))
  return members
}

export interface ExistingAssignment {
  uid: string
  personUid: string
  roleUid: string
  siteUid: string
  dateFrom: string
  dateTo: string
  status: string
  importedStatus: string | null
  /** True if the assignment is in date today at the site. */
  isInDate: boolean
  /** `b` and the uid of a building, or `f` and the uid of a floor. */
  locations: string[]
}

/** All, or those of the condition on `a`. Looks up places one by one. A join is quadratic while the statistics do not know the organisation. */
export async function listAssignments(
  db: Db,
  clientUid: string,
  condition: RawBuilder<unknown> = sql`true`,
): Promise<ExistingAssignment[]> {
  const { rows } = await sql<ExistingAssignment>`
    select a.uid, a.person_uid, a.role_uid, a.site_uid, a.date_from, a.date_to, a.status, a.imported_status,
      (select (now() at time zone st.timezone)::date between a.date_from and a.date_to
        from site st where st.client_uid = a.client_uid and st.uid = a.site_uid) as is_in_date,
      array(select coalesce('b' || l.building_uid, 'f' || l.floor_uid) from assignment_location l
        where l.client_uid = a.client_uid and l.assignment_uid = a.uid) as locations
    from warden_assignment a
    where a.client_uid = ${clientUid} and ${condition}`.execute(db)
  return rows
}
