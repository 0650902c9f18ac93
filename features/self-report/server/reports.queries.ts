import { type RawBuilder, sql } from 'kysely'
import type { BuildingUid, FloorUid, PersonUid, SelfReportUid, SignInUid } from '#kernel/ids.ts'
import type { SafetyStatus } from '#kernel/vocabulary.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { noFloor, type ReportSays, type ReportState, type ReportWay } from '../kinds.ts'
import { type Choice, type EventOf, isChosen, isOfDrill, joinProposed, reportsIn } from './match-person.queries.ts'

export interface ReportRow {
  uid: SelfReportUid
  way: ReportWay
  status: ReportSays
  at: Date
  saidName: string | null
  saidMobile: string | null
  words: string | null
  unsure: boolean
  elsewhere: boolean
  inDrill: boolean
  buildingUid: BuildingUid | null
  buildingName: string | null
  floorUid: FloorUid | null
  floorName: string | null
  state: ReportState
  handledAt: Date | null
  byName: string | null
  who: string | null
  personUid: PersonUid | null
  personName: string | null
  personStatus: SafetyStatus | null
  personPlace: string | null
}

interface Chosen {
  chosen: RawBuilder<unknown>
  order?: string
  limit?: number
}

/** These reports `r` with their places, who handled them, and the person whom they name or were recorded of. */
const reportsOf = (of: EventOf, { chosen, order = 'r.uid', limit = 1 }: Chosen) => sql<ReportRow>`
  select r.uid, r.way, r.status, r.at, r.said_name, r.said_mobile, r.words, r.unsure, r.elsewhere, r.in_drill, r.building_uid, b.name as building_name, r.floor_uid,
    f.name as floor_name, r.state, r.handled_at, w.name as by_name, r.who,
    v.person_uid, who.name as person_name, v.status as person_status,
    concat_ws(' - ', vb.name, vf.name) as person_place
  from (
    select r.*, e.counts_from, ${isOfDrill} as in_drill from ${reportsIn(of)}
    where r.client_uid = ${of.clientUid} and r.event_uid = ${of.eventUid} and ${chosen}
    order by ${sql.raw(order)} limit ${limit}
  ) r
  cross join lateral (select r.counts_from) e
  ${joinProposed}
  left join building b on b.client_uid = r.client_uid and b.uid = r.building_uid
  left join floor f on f.client_uid = r.client_uid and f.uid = r.floor_uid
  left join warden_sign_in si on si.client_uid = r.client_uid and si.uid = r.by_sign_in_uid
  left join person w on w.client_uid = si.client_uid and w.uid = si.person_uid
  left join evacuee v on v.client_uid = r.client_uid and v.uid = coalesce(r.evacuee_uid, proposed.evacuee_uid)
  left join person who on who.client_uid = v.client_uid and who.uid = v.person_uid
  left join building vb on vb.client_uid = v.client_uid and vb.uid = v.building_uid
  left join floor vf on vf.client_uid = v.client_uid and vf.uid = v.floor_uid
  order by ${sql.raw(order)}`

export async function findReport(tx: Tx, of: EventOf, uid: SelfReportUid): Promise<ReportRow | undefined> {
  const { rows } = await reportsOf(of, { chosen: sql`r.uid = ${uid}` }).execute(tx)
  return rows[0]
}

interface Page {
  after: SelfReportUid | null
  limit: number
  /** Also texts that only have words. */
  hasTexts: boolean
}
const withTexts = ({ hasTexts }: Page) => (hasTexts ? sql`` : sql`and r.status <> 'words'`)

const keyOf = (of: EventOf, uid: SelfReportUid, columns: string) => sql`(select ${sql.raw(columns)} from self_report
  where client_uid = ${of.clientUid} and event_uid = ${of.eventUid} and uid = ${uid})`

/** Calls for help first, then the oldest first. */
export async function listOpen(tx: Tx, of: EventOf, choice: Choice, page: Page): Promise<ReportRow[]> {
  const { after, limit } = page
  const key = `status <> 'help', at, uid`
  const next = after ? sql`and (r.status <> 'help', r.at, r.uid) > ${keyOf(of, after, key)}` : sql``
  const chosen = sql`r.state = 'open' and ${isChosen(choice)} ${withTexts(page)} ${next}`
  const { rows } = await reportsOf(of, { chosen, order: `r.status <> 'help', r.at, r.uid`, limit }).execute(tx)
  return rows
}

/** What is not open any more, the newest first. */
export async function listHandled(tx: Tx, of: EventOf, choice: Choice, page: Page): Promise<ReportRow[]> {
  const { after, limit } = page
  const key = 'coalesce(handled_at, at), uid'
  const next = after ? sql`and (coalesce(r.handled_at, r.at), r.uid) < ${keyOf(of, after, key)}` : sql``
  const order = 'coalesce(r.handled_at, r.at) desc, r.uid desc'
  const { rows } = await reportsOf(of, {
    chosen: sql`r.state <> 'open' and ${isChosen(choice)} ${withTexts(page)} ${next}`,
    order,
    limit,
  }).execute(tx)
  return rows
}

/** A floor or building of the event, or none. */
export async function isPlace(tx: Tx, { clientUid, eventUid }: EventOf, place: NonNullable<Choice['place']>) {
  if (place === noFloor) return true
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from event_building eb
      left join floor f on f.client_uid = eb.client_uid and f.building_uid = eb.building_uid and f.uid = ${place}
      where eb.client_uid = ${clientUid} and eb.event_uid = ${eventUid} and eb.active
        and (eb.building_uid = ${place} or f.uid is not null)) as found`.execute(tx)
  return rows[0]?.found === true
}

export async function isReport(tx: Tx, of: EventOf, uid: SelfReportUid): Promise<boolean> {
  const found = await tx
    .selectFrom('selfReport')
    .select('uid')
    .where('clientUid', '=', of.clientUid)
    .where('eventUid', '=', of.eventUid)
    .where('uid', '=', uid)
    .executeTakeFirst()
  return found !== undefined
}

export interface Frame {
  at: Date
  open: number
  help: number
  newest: SelfReportUid | null
  pageOpen: boolean
}

/** The numbers around the list, of one moment. Without a poster the page counts as open. */
export async function readFrame(tx: Tx, { clientUid, eventUid }: EventOf): Promise<Frame> {
  const { rows } = await sql<Frame>`
    select steady_now() as at, count(r.uid)::int as open, (count(r.uid) filter (where r.status = 'help'))::int as help,
      (array_agg(r.uid order by r.at desc, r.uid desc) filter (where r.uid is not null))[1] as newest,
      coalesce((select p.open from event e join self_report_page p on p.client_uid = e.client_uid and p.site_uid = e.site_uid
        where e.client_uid = ${clientUid} and e.uid = ${eventUid}), true) as page_open
    from (select uid, status, at from self_report
      where client_uid = ${clientUid} and event_uid = ${eventUid} and state = 'open') r`.execute(tx)
  return rows[0] as Frame
}

export interface LockedReport {
  uid: SelfReportUid
  status: ReportSays
  state: ReportState
  floorUid: FloorUid | null
  secondsAgo: number
  byName: string | null
}

/** Locks the report: of two wardens the second reads what the first did. */
export async function lockReport(tx: Tx, of: EventOf, uid: SelfReportUid): Promise<LockedReport | undefined> {
  await sql`
    select from self_report where client_uid = ${of.clientUid} and event_uid = ${of.eventUid} and uid = ${uid}
    for no key update`.execute(tx)
  const { rows } = await sql<LockedReport>`
    select r.uid, r.status, r.state, ef.floor_uid, extract(epoch from steady_now() - r.at)::float8 as seconds_ago,
      w.name as by_name
    from self_report r
    left join (event_floor ef join event_building eb on eb.client_uid = ef.client_uid and eb.event_uid = ef.event_uid
        and eb.building_uid = ef.building_uid and eb.active)
      on ef.client_uid = r.client_uid and ef.event_uid = r.event_uid and ef.floor_uid = r.floor_uid
    left join warden_sign_in si on si.client_uid = r.client_uid and si.uid = r.by_sign_in_uid
    left join person w on w.client_uid = si.client_uid and w.uid = si.person_uid
    where r.client_uid = ${of.clientUid} and r.event_uid = ${of.eventUid} and r.uid = ${uid}`.execute(tx)
  return rows[0]
}

/** Locks all open "safe" reports in one order. */
export async function lockOpenSafe(tx: Tx, { clientUid, eventUid }: EventOf): Promise<void> {
  await sql`
    select count(*) from (select from self_report
      where client_uid = ${clientUid} and event_uid = ${eventUid} and state = 'open' and status = 'safe'
      order by uid for no key update) locked`.execute(tx)
}

/** Open reports by poster up to one, and whether calls for help are meant. A text comes from one phone: it is read by itself. */
export interface UpTo {
  upTo: SelfReportUid
  withCalls: boolean
}

const isOpenUpTo = ({ clientUid, eventUid }: EventOf, choice: Choice, { upTo, withCalls }: UpTo) => sql`
  r.client_uid = ${clientUid} and r.event_uid = ${eventUid} and r.state = 'open' and r.way = 'poster'
  and (${withCalls} or r.status <> 'help')
  and ${isChosen(choice)} and (r.at, r.uid) <= (select at, uid from self_report
    where client_uid = ${clientUid} and event_uid = ${eventUid} and uid = ${upTo})`

/** Locks the reports in one order. Of two wardens the second finds what the first left. */
export async function lockOpen(
  tx: Tx,
  of: EventOf,
  choice: Choice,
  { most, ...upTo }: UpTo & { most: number },
): Promise<Pick<LockedReport, 'uid' | 'status'>[]> {
  const { rows } = await sql<Pick<LockedReport, 'uid' | 'status'>>`
    select r.uid, r.status from self_report r where ${isOpenUpTo(of, choice, upTo)}
    order by r.uid limit ${most} for no key update`.execute(tx)
  return rows
}

export async function countOpen(tx: Tx, of: EventOf, choice: Choice, upTo: UpTo): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from self_report r where ${isOpenUpTo(of, choice, upTo)}`.execute(tx)
  return rows[0]?.count ?? 0
}

/** As many calls of the site as the warden saw; those that were counted since stay. */
export async function dismissMore(tx: Tx, { clientUid, eventUid }: EventOf, site: string, most: number): Promise<void> {
  await sql`
    update self_report_more set dismissed = least(count::bigint, dismissed::bigint + ${most})
    where client_uid = ${clientUid} and event_uid = ${eventUid} and site = ${site}`.execute(tx)
}

export interface Handled {
  uid: SelfReportUid
  state: Exclude<ReportState, 'open'>
  personUid: PersonUid | null
  who: string | null
}

export async function handleRows(tx: Tx, of: EventOf, by: SignInUid, all: readonly Handled[]): Promise<void> {
  await sql`
    update self_report r set state = h.state, who = h.who, by_sign_in_uid = ${by}, handled_at = now(), evacuee_uid = v.uid
    from unnest(${all.map((h) => h.uid)}::uuid[], ${all.map((h) => h.state)}::text[], ${all.map((h) => h.personUid)}::uuid[],
      ${all.map((h) => h.who)}::text[]) as h (uid, state, person_uid, who)
    left join evacuee v on v.client_uid = ${of.clientUid} and v.event_uid = ${of.eventUid} and v.person_uid = h.person_uid
    where r.client_uid = ${of.clientUid} and r.event_uid = ${of.eventUid} and r.uid = h.uid`.execute(tx)
}

/** True if the person is in the event. */
export async function isEvacuee(tx: Tx, of: EventOf, personUid: PersonUid): Promise<boolean> {
  const found = await tx
    .selectFrom('evacuee')
    .select('uid')
    .where('clientUid', '=', of.clientUid)
    .where('eventUid', '=', of.eventUid)
    .where('personUid', '=', personUid)
    .where('active', '=', true)
    .executeTakeFirst()
  return found !== undefined
}
