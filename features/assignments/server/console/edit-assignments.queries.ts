import { type RawBuilder, sql } from 'kysely'
import type { AssignmentUid, BuildingUid, ClientUid, FloorUid, PersonUid, SiteUid, WardenRoleUid } from '#kernel/ids.ts'
import type { Administrator } from '#server/administrators/administrator.ts'
import { countedTo, type Span, spanned } from '#server/administrators/list-page.ts'
import { within } from '#server/administrators/reach.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { isNamed } from '#server/platform/db/name-search.ts'
import { areaRow } from '#server/wardens/warden-area.ts'
import type { AssignmentState, assignmentColumns } from '../../calls/wardens.ts'

export interface StoredAssignment {
  uid: AssignmentUid
  personUid: PersonUid
  personCode: string
  firstName: string
  lastName: string
  roleUid: WardenRoleUid
  roleCode: string
  roleName: string
  domain: 'Site' | 'Building' | 'Floor' | 'Area'
  siteUid: SiteUid
  siteCode: string
  siteName: string
  places: { id: BuildingUid | FloorUid; name: string }[]
  dateFrom: string
  dateTo: string
  state: AssignmentState
  reason: string | null
  isOnDuty: boolean
  isWaiting: boolean
  version: string
  /** HH:MM of the last change at the site. */
  changedAt: string
}

type ListedAssignment = StoredAssignment & { sortValue: string }

export interface AssignmentFilters {
  q?: string | undefined
  site?: SiteUid | undefined
  role?: WardenRoleUid | undefined
  person?: PersonUid | undefined
  state?: AssignmentState | undefined
  day?: string | undefined
}

const today = sql`(now() at time zone st.timezone)::date`

const state = sql<AssignmentState>`
  case when a.status = 'Declined' then 'declined' when a.status = 'Withdrawn' then 'withdrawn'
    when a.date_to < ${today} then 'past' when a.status = 'Offered' then 'offered'
    when a.date_from > ${today} then 'upcoming' else 'accepted' end`

/** Assignments `a` of active people `p`, with role `r` and site `st`. */
const assignments = sql`
    warden_assignment a
    join person p on p.client_uid = a.client_uid and p.uid = a.person_uid and p.active
    join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
    join site st on st.client_uid = a.client_uid and st.uid = a.site_uid`

/** Each word stands in the name of the person or begins their code, as in the search of people. */
function matches({ q, site, role, person, state: wanted, day }: AssignmentFilters): RawBuilder<boolean> {
  const conditions = [
    ...(q?.trim()
      ? [sql`(${isNamed(sql`p.search_name`, q)} or starts_with(lower(p.code), ${q.trim().toLowerCase()}))`]
      : []),
    ...(site ? [sql`a.site_uid = ${site}`] : []),
    ...(role ? [sql`a.role_uid = ${role}`] : []),
    ...(person ? [sql`a.person_uid = ${person}`] : []),
    ...(wanted ? [sql`${state} = ${wanted}`] : []),
    ...(day ? [sql`${day}::date between a.date_from and a.date_to`] : []),
  ]
  return conditions.length > 0 ? sql`(${sql.join(conditions, sql` and `)})` : sql`true`
}

const columns = sql`
    a.uid, p.uid as person_uid, p.code as person_code, p.first_name, p.last_name, r.uid as role_uid, r.code as role_code,
    r.name as role_name, r.area_domain as domain, st.uid as site_uid, st.code as site_code, st.name as site_name,
    coalesce(area.places, '[]') as places, to_char(a.date_from, 'YYYY-MM-DD') as date_from,
    to_char(a.date_to, 'YYYY-MM-DD') as date_to, ${state} as state, a.declined_note as reason,
    exists (select from event e
      join warden_sign_in si on si.client_uid = e.client_uid and si.event_uid = e.uid and si.assignment_uid = a.uid
        and si.on_duty and si.closed_at is null
      where e.client_uid = a.client_uid and e.site_uid = a.site_uid and e.ended_at is null) as is_on_duty,
    exists (select from waiting_change w
      where w.client_uid = a.client_uid and w.assignment_uid = a.uid and w.done_at is null) as is_waiting,
    (extract(epoch from a.updated_at) * 1000000)::bigint || coalesce((
      select '.' || md5(string_agg(coalesce(l.floor_uid, l.building_uid)::text, ' ' order by coalesce(l.floor_uid, l.building_uid)))
      from assignment_location l where l.client_uid = a.client_uid and l.assignment_uid = a.uid), '') as version,
    to_char(a.updated_at at time zone st.timezone, 'HH24:MI') as changed_at`

/** By last, then first name, then first day. */
const order = [
  sql`p.last_name collate "und-x-icu"`,
  sql`p.first_name collate "und-x-icu"`,
  sql`a.date_from::text`,
  sql`a.uid::text`,
]

/** What a column is sorted by. */
const sorts: Record<(typeof assignmentColumns)[number], RawBuilder<string>> = {
  role: sql`r.name`,
  where: sql`st.name || coalesce(' ' || (area.places -> 0 ->> 'name'), '')`,
  days: sql`a.date_from || ' ' || a.date_to`,
  state: sql`${state}`,
}

export interface Sort {
  column: 'name' | keyof typeof sorts
  isDescending: boolean
}

export const keyOf = ({ sortValue, lastName, firstName, dateFrom, uid }: ListedAssignment, { column }: Sort) => [
  ...(column === 'name' ? [] : [sortValue]),
  ...[lastName, firstName, dateFrom, uid],
]

export async function listAssignments(
  tx: Tx,
  clientUid: ClientUid,
  isWithin: RawBuilder<boolean>,
  filters: AssignmentFilters,
  span: Span,
  { column, isDescending }: Sort,
): Promise<ListedAssignment[]> {
  const by = column === 'name' ? null : sorts[column]
  const sorted = by ? [sql`(${by}) collate places`, ...order] : order
  const page = spanned(sorted, { ...span, isBackwards: span.isBackwards !== isDescending })
  const { rows } = await sql<ListedAssignment>`
    select ${columns}, ${by ?? sql`''`} as sort_value
    from ${assignments}
    cross join ${areaRow()}
    where a.client_uid = ${clientUid} and ${isWithin} and ${matches(filters)} and ${page.condition}
    ${page.order}`.execute(tx)
  return rows
}

/** True if the filters name what is within reach. */
export async function areKnown(
  tx: Tx,
  administrator: Administrator,
  { site = null, role = null, person = null }: { [N in 'site' | 'role' | 'person']?: string | null | undefined },
): Promise<boolean> {
  const { clientUid } = administrator
  const is = within(administrator)
  const { rows } = await sql<{ known: boolean }>`
    select (${site}::uuid is null or exists (
        select from site st where st.client_uid = ${clientUid} and st.uid = ${site} and ${is.site}))
      and (${role}::uuid is null or exists (
        select from warden_role where client_uid = ${clientUid} and uid = ${role}))
      and (${person}::uuid is null or exists (
        select from person p where p.client_uid = ${clientUid} and p.uid = ${person} and p.active and ${is.person})) as known`.execute(
    tx,
  )
  return rows[0]?.known ?? false
}

/** All that match, up to one more than is counted exactly. */
export async function countAssignments(
  tx: Tx,
  clientUid: ClientUid,
  isWithin: RawBuilder<boolean>,
  filters: AssignmentFilters,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from ${assignments}
      where a.client_uid = ${clientUid} and ${isWithin} and ${matches(filters)} limit ${countedTo + 1}) counted`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

/** One assignment within reach, of an active person. */
export async function findAssignment(
  tx: Tx,
  clientUid: ClientUid,
  isWithin: RawBuilder<boolean>,
  uid: AssignmentUid,
): Promise<StoredAssignment | undefined> {
  const { rows } = await sql<StoredAssignment>`
    select ${columns} from ${assignments} cross join ${areaRow()}
    where a.client_uid = ${clientUid} and a.uid = ${uid} and ${isWithin}`.execute(tx)
  return rows[0]
}
