import { type RawBuilder, sql } from 'kysely'
import type { ClientUid, PersonUid } from '#kernel/ids.ts'
import { countedTo, type Span, spanned } from '#server/administrators/list-page.ts'
import type { Within } from '#server/administrators/reach.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { isNamed } from '#server/platform/db/name-search.ts'
import type { PlanReason, PlanWay } from '../kinds.ts'

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
  isUntold: boolean
}

const byName = [sql`p.last_name collate "und-x-icu"`, sql`p.first_name collate "und-x-icu"`, sql`p.uid`] as const

/** The plan of person `p` was opened in an event, and no one could tell them. */
const isUntold = sql<boolean>`exists (select from plan_notice n where n.client_uid = p.client_uid and n.person_uid = p.uid
  and n.how = 'none' and n.in_person_at is null)`

export interface PlanFilters {
  /** Words of the name, in any order. Empty: everyone. */
  name: string
  state?: 'overdue' | 'no_consent' | 'not_told' | undefined
}

function matching(clientUid: ClientUid, isWithin: Within, { name, state }: PlanFilters): RawBuilder<unknown> {
  const conditions = [
    sql`q.client_uid = ${clientUid} and q.active and p.active and ${isWithin.person}`,
    isNamed(sql`p.search_name`, name),
    ...(state === 'no_consent' ? [sql`q.consent is null`] : []),
    ...(state === 'not_told' ? [isUntold] : []),
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
      coalesce(q.review_on < ${today}, true) as is_overdue, q.consent is not null as has_consent, ${isUntold} as is_untold
    from ${matching(clientUid, isWithin, filters)} and ${condition} ${order}`.execute(tx)
  return rows
}

/** How the plan of a person stands, without a word of it. */
export async function findPlanMarks(tx: Tx, clientUid: ClientUid, isWithin: Within, uid: PersonUid) {
  const { rows } = await sql<Pick<PlanListRow, 'reviewOn' | 'isOverdue' | 'hasConsent'>>`
    select q.review_on, coalesce(q.review_on < ${today}, true) as is_overdue, q.consent is not null as has_consent
    from ${matching(clientUid, isWithin, { name: '' })} and p.uid = ${uid}`.execute(tx)
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
  way: PlanWay | null
  reason: PlanReason | null
}

/** Each change is told once outside events, and again in a running event. Openings by lists and by arrival packs of events are added. */
export async function listViews(tx: Tx, clientUid: ClientUid, personUid: PersonUid, most: number): Promise<ViewRow[]> {
  const { rows } = await sql<ViewRow>`
    with views as (
      (select j.recorded_at, j.position, j.action, j.actor_person_uid as reader_uid, j.after ->> 'way' as way,
        j.after ->> 'reason' as reason, null::uuid as pack_uid
      from journal j
      where j.client_uid = ${clientUid} and j.subject_uid = ${personUid} and (j.event_uid is null or j.action = 'plan_viewed')
        and j.action in ('plan_viewed', 'plan_changed')
      order by j.position desc limit ${most})
      union all
      (select s.seen_at, 0, 'plan_viewed', s.reader_uid, s.way, null, s.pack_uid from plan_seen s
      where s.client_uid = ${clientUid} and s.person_uid = ${personUid}
      order by s.seen_at desc limit ${most})
      order by 1 desc, 2 desc limit ${most}
    )
    select v.recorded_at, v.action, v.way, v.reason,
      case when v.pack_uid is null then p.name
        else 'Fire service' || coalesce(': ' || nullif(r.name, ''), '') end as who
    from views v left join person p on p.client_uid = ${clientUid} and p.uid = v.reader_uid
    left join arrival_pack_reader r on r.client_uid = ${clientUid} and r.pack_uid = v.pack_uid
      and encode(substring(r.reader_hash from 1 for 16), 'hex')::uuid = v.reader_uid
    order by v.recorded_at desc, v.position desc`.execute(tx)
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
