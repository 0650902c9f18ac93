import type { ClientUid, PersonUid } from '@evac/contract/ids.ts'
import { type RawBuilder, sql } from 'kysely'
import { countedTo, type Span, spanned } from '../../administrators/list-page.ts'
import type { Within } from '../../administrators/reach.ts'
import type { Tx } from '../../platform/db/db.ts'

/** The day at the site of person `p`, whose floor `f`, building `b` and site `st` are joined; else the organisation's. */
const today = sql`(now() at time zone coalesce(st.timezone, (select timezone from client where uid = p.client_uid)))::date`
const place = sql`case when f.uid is null then b.name else b.name || ' - ' || f.name end`
const ofHome = sql`
  left join floor f on f.client_uid = p.client_uid and f.uid = p.primary_floor_uid
  left join building b on b.client_uid = p.client_uid and b.uid = coalesce(f.building_uid, p.visiting_building_uid)
  left join site st on st.client_uid = p.client_uid and st.uid = b.site_uid`

export interface PlanListRow {
  uid: PersonUid
  firstName: string
  lastName: string
  place: string | null
  reviewOn: string | null
  isOverdue: boolean
  hasConsent: boolean
}

const byName = [sql`p.last_name collate "und-x-icu"`, sql`p.first_name collate "und-x-icu"`, sql`p.uid`] as const

export interface PlanFilters {
  /** Each begins a first or a last name. */
  words: readonly string[]
  state?: 'overdue' | 'no_consent' | undefined
}

function matching(clientUid: ClientUid, isWithin: Within, { words, state }: PlanFilters): RawBuilder<unknown> {
  const begins = (column: 'first_name' | 'last_name', word: string) =>
    sql`lower(p.${sql.ref(column)}) like ${`${word.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`}`
  const conditions = [
    sql`q.client_uid = ${clientUid} and q.active and p.active and ${isWithin.person}`,
    ...words.map((word) => sql`(${begins('last_name', word)} or ${begins('first_name', word)})`),
    ...(state === 'no_consent' ? [sql`q.consent is null`] : []),
    ...(state === 'overdue' ? [sql`coalesce(q.review_on < ${today}, true)`] : []),
  ]
  return sql`peep q join person p on p.client_uid = q.client_uid and p.uid = q.person_uid ${ofHome}
    where ${sql.join(conditions, sql` and `)}`
}

/** People with a plan. No column of its text is read. */
export async function listPlanRows(
  tx: Tx,
  clientUid: ClientUid,
  isWithin: Within,
  filters: PlanFilters,
  span: Span,
): Promise<PlanListRow[]> {
  const { condition, order } = spanned(byName, span)
  const { rows } = await sql<PlanListRow>`
    select p.uid, p.first_name, p.last_name, ${place} as place, q.review_on,
      coalesce(q.review_on < ${today}, true) as is_overdue, q.consent is not null as has_consent
    from ${matching(clientUid, isWithin, filters)} and ${condition} ${order}`.execute(tx)
  return rows
}

/** How the plan of a person stands, without a word of it. */
export async function findPlanMarks(tx: Tx, clientUid: ClientUid, isWithin: Within, uid: PersonUid) {
  const { rows } = await sql<Pick<PlanListRow, 'reviewOn' | 'isOverdue' | 'hasConsent'>>`
    select q.review_on, coalesce(q.review_on < ${today}, true) as is_overdue, q.consent is not null as has_consent
    from ${matching(clientUid, isWithin, { words: [] })} and p.uid = ${uid}`.execute(tx)
  return rows[0]
}

export async function countPlans(
  tx: Tx,
  clientUid: ClientUid,
  isWithin: Within,
  filters: PlanFilters,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from (select from ${matching(clientUid, isWithin, filters)} limit ${countedTo + 1}) counted`.execute(tx)
  return rows[0]?.count ?? 0
}

export interface PlannedPerson {
  uid: PersonUid
  code: string
  firstName: string
  lastName: string
  place: string | null
  today: string
}

/** An active person within reach. */
export async function findPlannedPerson(
  tx: Tx,
  clientUid: ClientUid,
  isWithin: Within,
  uid: PersonUid,
): Promise<PlannedPerson | undefined> {
  const { rows } = await sql<PlannedPerson>`
    select p.uid, p.code, p.first_name, p.last_name, ${place} as place, ${today} as today
    from person p ${ofHome}
    where p.client_uid = ${clientUid} and p.uid = ${uid} and p.active and ${isWithin.person}`.execute(tx)
  return rows[0]
}

export interface StoredPlan {
  uid: string
  assistance: string
  disability: string
  other: string
  summary: string
  consent: 'person' | 'guardian' | null
  consentOn: string | null
  reviewOn: string | null
  fireService: boolean | null
  createdAt: Date
}

export async function findPlan(tx: Tx, clientUid: ClientUid, personUid: PersonUid): Promise<StoredPlan | undefined> {
  const { rows } = await sql<StoredPlan>`
    select uid, assistance, disability, other, summary, consent, consent_on, review_on, fire_service, created_at from peep
    where client_uid = ${clientUid} and person_uid = ${personUid} and active`.execute(tx)
  return rows[0]
}

/** Version and time of the plan alone. */
export async function findVersion(tx: Tx, clientUid: ClientUid, personUid: PersonUid) {
  return tx
    .selectFrom('peep')
    .select(['uid', 'createdAt'])
    .where('clientUid', '=', clientUid)
    .where('personUid', '=', personUid)
    .where('active', '=', true)
    .executeTakeFirst()
}

interface ViewRow {
  recordedAt: Date
  who: string | null
  action: 'plan_viewed' | 'plan_changed'
}

/** Entries outside events: each change is told once there, and again in a running event. */
export async function listViews(tx: Tx, clientUid: ClientUid, personUid: PersonUid, most: number): Promise<ViewRow[]> {
  const { rows } = await sql<ViewRow>`
    select j.recorded_at, j.action, p.first_name || ' ' || p.last_name as who
    from journal j left join person p on p.client_uid = j.client_uid and p.uid = j.actor_person_uid
    where j.client_uid = ${clientUid} and j.subject_uid = ${personUid} and j.event_uid is null
      and j.action in ('plan_viewed', 'plan_changed')
    order by j.position desc limit ${most}`.execute(tx)
  return rows
}

export async function findZone(tx: Tx, clientUid: ClientUid): Promise<string> {
  const { timezone } = await tx
    .selectFrom('client')
    .select('timezone')
    .where('uid', '=', clientUid)
    .executeTakeFirstOrThrow()
  return timezone
}
