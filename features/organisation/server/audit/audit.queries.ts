import { type RawBuilder, sql } from 'kysely'
import { actions } from '#features/live-updates/actions.ts'
import type { AuditKind } from '#kernel/console-kinds.ts'
import type { ClientUid, PersonUid } from '#kernel/ids.ts'
import { countedTo, type Span } from '#server/administrators/list-page.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { JournalEntry } from '#server/platform/db/journal.ts'
import type { JsonObject } from '#server/platform/db/tables.ts'

export interface AuditFilters {
  who?: PersonUid | undefined
  operator?: 'yes' | undefined
  kind?: AuditKind | undefined
  person?: PersonUid | undefined
  from?: string | undefined
  to?: string | undefined
}

export interface AuditRow {
  position: number
  recordedAt: Date
  actorPersonUid: PersonUid | null
  action: string
  subjectType: string
  subjectUid: string
  before: JsonObject | null
  after: JsonObject | null
}

const actionsOf = (kind: AuditKind) => [...actions].flatMap(([action, { audit }]) => (audit === kind ? [action] : []))

/** Entries outside events, and starts and ends of events. The indexes `journal_audit…` have the same condition. */
const isAudited = sql`(j.event_uid is null or j.action in ('event_started', 'event_ended'))`

/** What is about a person: the person, their assignments and grants, their account. */
async function listSubjects(tx: Tx, clientUid: ClientUid, uid: PersonUid): Promise<string[]> {
  const { rows } = await sql<{ uid: string }>`
    select ${uid}::uuid as uid
    union all select uid from warden_assignment where client_uid = ${clientUid} and person_uid = ${uid}
    union all select uid from administrator where client_uid = ${clientUid} and person_uid = ${uid}
    union all select account_uid from person
      where client_uid = ${clientUid} and uid = ${uid} and account_uid is not null`.execute(tx)
  return rows.map((row) => row.uid)
}

/**
 * Each filter compares a column of an index with given values: then the statistics tell the planner whether to read that
 * index, or, where most entries match, the log from its end.
 */
async function matching(tx: Tx, clientUid: ClientUid, { who, operator, kind, person, from, to }: AuditFilters) {
  const dayIn = (day: string) =>
    sql`(${day}::date::timestamp at time zone (select timezone from client where uid = ${clientUid}))`
  const conditions: RawBuilder<unknown>[] = [sql`j.client_uid = ${clientUid}`, isAudited]
  if (who) conditions.push(sql`j.actor_person_uid = ${who}`)
  if (operator) conditions.push(sql`j.actor_person_uid is null`)
  if (kind) conditions.push(sql`j.action = any (${actionsOf(kind)}::text[])`)
  if (person) conditions.push(sql`j.subject_uid = any (${await listSubjects(tx, clientUid, person)}::uuid[])`)
  if (from) conditions.push(sql`j.recorded_at >= ${dayIn(from)}`)
  if (to) conditions.push(sql`j.recorded_at < ${dayIn(to)} + interval '1 day'`)
  return sql.join(conditions, sql` and `)
}

/** Newest first behind the position of the span; backwards, the nearest newer ones, oldest first. */
export async function listEntries(
  tx: Tx,
  clientUid: ClientUid,
  filters: AuditFilters,
  { key, isBackwards, limit }: Span,
): Promise<AuditRow[]> {
  const place = key ? sql`and j.position ${isBackwards ? sql`>` : sql`<`} ${key[0]}::bigint` : sql``
  const { rows } = await sql<AuditRow>`
    select j.position, j.recorded_at, j.actor_person_uid, j.action, j.subject_type, j.subject_uid, j.before, j.after
    from journal j where ${await matching(tx, clientUid, filters)} ${place}
    order by j.position ${isBackwards ? sql`asc` : sql`desc`} limit ${limit}`.execute(tx)
  return rows
}

/** Exact to 10,000, else one more. */
export async function countEntries(tx: Tx, clientUid: ClientUid, filters: AuditFilters): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from (select from journal j where ${await matching(tx, clientUid, filters)} limit ${countedTo + 1}) found`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

export async function isPerson(tx: Tx, clientUid: ClientUid, uid: PersonUid): Promise<boolean> {
  const found = await tx
    .selectFrom('person')
    .select('uid')
    .where('clientUid', '=', clientUid)
    .where('uid', '=', uid)
    .executeTakeFirst()
  return found !== undefined
}

/** The names of whatever the entries name by id. Names are joined on reading, so an erased one is gone here, too. */
export async function listNames(
  tx: Tx,
  clientUid: ClientUid,
  uids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ uid: string; name: string }>`
    with asked as materialized (select distinct unnest(${uids}::uuid[]) as uid), named (uid, name) as (
      ${sql.join(
        Object.values(namesOf).flatMap((select) => select?.(clientUid) ?? []),
        sql` union all `,
      )})
    select uid, min(name) as name from named group by uid`.execute(tx)
  return new Map(rows.map(({ uid, name }) => [uid, name]))
}

const named = (table: string, name: RawBuilder<unknown>) => (clientUid: ClientUid) =>
  sql`select t.uid, ${name} from ${sql.table(table)} t where t.client_uid = ${clientUid} and t.uid in (select uid from asked)`

/** What names the subjects of each type. Null: the entry says enough without. */
const namesOf: Record<JournalEntry['subjectType'], ((clientUid: ClientUid) => RawBuilder<unknown>) | null> = {
  person: named('person', sql`t.name`),
  account: (clientUid) => sql`select p.account_uid, p.name from person p
    where p.client_uid = ${clientUid} and p.account_uid in (select uid from asked)`,
  warden_assignment: (clientUid) => sql`select a.uid, concat_ws(', ', p.name, r.name) from warden_assignment a
    join person p on p.client_uid = a.client_uid and p.uid = a.person_uid
    join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
    where a.client_uid = ${clientUid} and a.uid in (select uid from asked)`,
  administrator: (clientUid) => sql`select g.uid, p.name from administrator g
    join person p on p.client_uid = g.client_uid and p.uid = g.person_uid
    where g.client_uid = ${clientUid} and g.uid in (select uid from asked)`,
  floor: (clientUid) => sql`select f.uid, b.name || ' - ' || f.name from floor f
    join building b on b.client_uid = f.client_uid and b.uid = f.building_uid
    where f.client_uid = ${clientUid} and f.uid in (select uid from asked)`,
  event: (clientUid) => sql`select e.uid, st.name from event e
    join site st on st.client_uid = e.client_uid and st.uid = e.site_uid
    where e.client_uid = ${clientUid} and e.uid in (select uid from asked)`,
  organisation: (clientUid) =>
    sql`select c.uid, c.name from client c where c.uid = ${clientUid} and c.uid in (select uid from asked)`,
  site: named('site', sql`t.name`),
  building: named('building', sql`t.name`),
  role: named('warden_role', sql`t.name`),
  group: named('people_group', sql`t.name`),
  floor_status: named('floor_status', sql`t.name`),
  event_type: named('event_type', sql`t.type`),
  checklist_item: named('checklist_item', sql`t.text`),
  message_template: named('message_template', sql`t.text`),
  document: named('document', sql`t.name`),
  session: null,
  sign_in: null,
  evacuee: null,
}
