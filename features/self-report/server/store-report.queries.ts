import { sql } from 'kysely'
import type { ClientUid, EvacueeUid, EventUid } from '#kernel/ids.ts'
import type { SafetyStatus } from '#kernel/vocabulary.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { steadyNow } from '#server/platform/db/steady-clock.ts'
import { type ReportSays, type ReportWay, reportLimits } from '../kinds.ts'

/** What someone says of themselves. */
export interface Said {
  status: ReportSays
  buildingUid: string | null
  floorUid: string | null
  words: string | null
  saidName: string | null
  saidMobile: string | null
}

export interface NewReport extends Said {
  clientUid: ClientUid
  uid: string
  eventUid: EventUid
  way: ReportWay
  evacueeUid: EvacueeUid | null
  /** The line. */
  network: string
  home: string
  site: string
  formKey: Buffer
  nth: number
}

/** The event cannot end before the commit, because ending begins with the same lock. False if it has ended already. */
export async function holdRunning(tx: Tx, clientUid: ClientUid, eventUid: EventUid): Promise<boolean> {
  await sql`
    select from site st
    join event e on e.client_uid = st.client_uid and e.site_uid = st.uid
    where e.client_uid = ${clientUid} and e.uid = ${eventUid} for share of st`.execute(tx)
  // a statement of its own sees what was committed while the lock waited
  const { rows } = await sql`
    select from event where client_uid = ${clientUid} and uid = ${eventUid} and ended_at is null`.execute(tx)
  return rows.length > 0
}

/** Reports of a poster, or presses of one form, take turns until the commit. */
export async function lockReports(tx: Tx, of: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`self-reports/${of}`}, 0))`.execute(tx)
}

export interface NewestOfForm extends Said {
  nth: number
  /** Of a personal link: the status that stands. */
  stands: SafetyStatus | null
  /** That status was recorded after this report. */
  isOvertaken: boolean
}

/** The newest report that was made with the form. */
export async function findNewestOfForm(
  tx: Tx,
  clientUid: ClientUid,
  formKey: Buffer,
): Promise<NewestOfForm | undefined> {
  const { rows } = await sql<NewestOfForm>`
    select r.status, r.building_uid, r.floor_uid, r.words, r.said_name, r.said_mobile, r.nth, e.status as stands,
      coalesce(greatest(e.status_at, e.status_observed_at) > r.at, false) as is_overtaken
    from self_report r
    left join evacuee e on e.client_uid = r.client_uid and e.uid = r.evacuee_uid
    where r.client_uid = ${clientUid} and r.form_key = ${formKey} order by r.nth desc limit 1`.execute(tx)
  return rows[0]
}

/**
 * Whether the event takes one more report by poster. Only open ones count, so that a flood that was dismissed has not filled
 * it. Calls for help have room of their own. A site has a share of either, so that it cannot fill the event, and a few even
 * when others have filled it.
 */
export async function hasRoom(
  tx: Tx,
  { clientUid, eventUid, status, site }: Pick<NewReport, 'clientUid' | 'eventUid' | 'status' | 'site'>,
): Promise<boolean> {
  const { rows } = await sql<{ all: number; ofSite: number }>`
    select count(*)::int as all, (count(*) filter (where site = ${site}))::int as of_site from self_report
    where client_uid = ${clientUid} and event_uid = ${eventUid} and way = 'poster' and state = 'open'
      and status = ${status}`.execute(tx)
  const { all = 0, ofSite = 0 } = rows[0] ?? {}
  if (all < reportLimits.ofEvent) return ofSite < reportLimits.ofSite
  return all < reportLimits.furtherOfEvent && ofSite < reportLimits.furtherOfSite
}

/**
 * Counts a call for help beyond the limits, under the lock of the event's reports. If the wardens have not been told for a minute: all calls of the site, and how many of
 * them are `more` than they have been told.
 */
export async function countMore(
  tx: Tx,
  { clientUid, eventUid, site }: Pick<NewReport, 'clientUid' | 'eventUid' | 'site'>,
): Promise<{ calls: number; more: number } | undefined> {
  const isNews = sql`date_trunc('minute', m.newest_at) < date_trunc('minute', excluded.newest_at)`
  const { rows } = await sql<{ calls: number; told: number; isNews: boolean }>`
    with before as (
      select newest_at, told from self_report_more
      where client_uid = ${clientUid} and event_uid = ${eventUid} and site = ${site}
    )
    insert into self_report_more as m (client_uid, event_uid, site, count, told, first_at, newest_at)
    values (${clientUid}, ${eventUid}, ${site}, 1, 1, steady_now(), steady_now())
    on conflict (client_uid, event_uid, site) do update set count = m.count + 1, newest_at = excluded.newest_at,
      told = case when ${isNews} then m.count + 1 else m.told end
    returning count as calls, coalesce((select told from before), 0) as told, m.told = m.count as is_news`.execute(tx)
  const [counted] = rows
  return counted?.isNews ? { calls: counted.calls, more: counted.calls - counted.told } : undefined
}

/** A personal link has recorded its person: no one has to accept it. */
export async function insertReport(tx: Tx, report: NewReport): Promise<void> {
  await tx
    .insertInto('selfReport')
    .values({ ...report, state: report.way === 'link' ? 'accepted' : 'open', at: steadyNow })
    .execute()
}
