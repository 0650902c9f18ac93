import { sql } from 'kysely'
import { insertTexts, obstacle, phoneOf } from '#features/texts/server/queue.queries.ts'
import { drillPrefix } from '#features/texts/words.ts'
import type { ClientUid, EventUid, PersonUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'

/** Minutes after the end of the event. */
const afterMinutes = 15
/** A notice that no one could send for so long, as no worker ran, is not sent any more. */
const withinDays = 7
const openDays = 30

export interface OwedNotice {
  clientUid: ClientUid
  uid: string
  eventUid: EventUid
  personUid: PersonUid
  accountUid: string | null
  /** Null without an address. */
  email: string | null
  siteName: string
  /** The day on which the event began, at the site. */
  date: string
  subjectPrefix: string
}

/** Locks some notices that are due and that no other worker has locked. */
export async function claimOwed(tx: Tx, now: Date, most: number): Promise<OwedNotice[]> {
  const { rows } = await sql<OwedNotice>`
    select n.client_uid, n.uid, n.event_uid, n.person_uid, p.account_uid, coalesce(ac.email, p.email) as email,
      st.name as site_name, to_char(e.started_at at time zone st.timezone, 'FMDD FMMonth YYYY') as date,
      case when e.kind = 'drill' then ${drillPrefix} else '' end as subject_prefix
    from plan_notice n
    join event e on e.client_uid = n.client_uid and e.uid = n.event_uid
    join client c on c.uid = n.client_uid and c.active
    join site st on st.client_uid = e.client_uid and st.uid = e.site_uid
    join person p on p.client_uid = n.client_uid and p.uid = n.person_uid and p.erased_at is null
    left join account ac on ac.uid = p.account_uid
    where n.told_at is null and e.ended_at <= ${now}::timestamptz - make_interval(mins => ${afterMinutes})
      and e.ended_at > ${now}::timestamptz - make_interval(days => ${withinDays})
    order by e.ended_at, n.uid limit ${most}
    for update of n skip locked`.execute(tx)
  return rows
}

export interface Told {
  clientUid: ClientUid
  uid: string
  how: 'mail' | 'text' | 'none'
  tokenHash: Buffer
}

/** Notes how a person is told. The page opens for 30 days from `now`, which the caller names so that a test can be later. */
export async function markTold(tx: Tx, { clientUid, uid, how, tokenHash }: Told, now: Date): Promise<void> {
  await sql`
    update plan_notice set told_at = ${now}, how = ${how}, token_hash = ${how === 'none' ? null : tokenHash},
      expires_at = ${now}::timestamptz + make_interval(days => ${openDays})
    where client_uid = ${clientUid} and uid = ${uid}`.execute(tx)
}

/** Queues the text of a notice. False if the person cannot be texted: then nothing is queued. */
export async function queueNoticeText(tx: Tx, { clientUid, uid }: Pick<OwedNotice, 'clientUid' | 'uid'>, body: string) {
  const { rows } = await sql`${insertTexts(
    { kind: 'plan', body, brings: ['plan_notice_uid'] },
    sql`
      select n.client_uid, n.event_uid, n.person_uid, n.uid as plan_notice_uid, p.mobile, null::text as obstacle
      from plan_notice n join client c on c.uid = n.client_uid ${phoneOf('n')}
      where n.client_uid = ${clientUid} and n.uid = ${uid} and ${obstacle(sql`c.sms_allowed`)} is null`,
  )} returning uid`.execute(tx)
  return rows.length > 0
}

export interface LostNotice extends OwedNotice {
  how: 'mail' | 'text'
  /** False after a restore: its address is void. */
  isOpen: boolean
}

/**
 * Locks notices whose mail or text has not arrived. Mails and texts are looked at for as long as they may still fail: `withinDays`.
 */
export async function claimLost(tx: Tx, now: Date, most: number): Promise<LostNotice[]> {
  const { rows } = await sql<LostNotice>`
    select n.client_uid, n.uid, n.event_uid, n.person_uid, n.how, n.expires_at > now() as is_open, null as account_uid, null as email, st.name as site_name,
      to_char(e.started_at at time zone st.timezone, 'FMDD FMMonth YYYY') as date, '' as subject_prefix
    from plan_notice n
    join event e on e.client_uid = n.client_uid and e.uid = n.event_uid
    join site st on st.client_uid = e.client_uid and st.uid = e.site_uid
    where n.how in ('mail', 'text') and n.told_at > ${now}::timestamptz - make_interval(days => ${withinDays})
      and n.token_hash is not null
      and case n.how
        when 'mail' then exists (select from mail m where m.plan_notice_uid = n.uid and m.status in ('failed', 'expired', 'skipped'))
        else exists (select from sms s where s.plan_notice_uid = n.uid and s.client_uid = n.client_uid
          and s.status in ('failed', 'expired', 'skipped')) end
    order by n.told_at, n.uid limit ${most}
    for update of n skip locked`.execute(tx)
  return rows
}

/** What became of a notice whose mail or text was lost. */
export async function markLost(
  tx: Tx,
  { clientUid, uid }: Pick<OwedNotice, 'clientUid' | 'uid'>,
  how: 'text' | 'none',
): Promise<void> {
  await sql`update plan_notice set how = ${how} where client_uid = ${clientUid} and uid = ${uid}`.execute(tx)
}

export interface OpenNotice {
  clientUid: ClientUid
  eventUid: EventUid
  personUid: PersonUid
}

/** A notice whose page is open, of an organisation in use. An unknown one and one that has ended are the same. */
export async function findOpenNotice(system: Db, tokenHash: Buffer): Promise<OpenNotice | undefined> {
  const { rows } = await sql<OpenNotice>`
    select n.client_uid, n.event_uid, n.person_uid from plan_notice n
    join client c on c.uid = n.client_uid and c.active
    where n.token_hash = ${tokenHash} and n.expires_at > now()`.execute(system)
  return rows[0]
}

export interface NoticeEvent {
  site: string
  timezone: string
  isDrill: boolean
  beganAt: Date
  contactEmail: string | null
}

export async function getNoticeEvent(tx: Tx, { clientUid, eventUid }: OpenNotice): Promise<NoticeEvent> {
  const { rows } = await sql<NoticeEvent>`
    select st.name as site, st.timezone, e.kind = 'drill' as is_drill, e.started_at as began_at, c.contact_email
    from event e
    join site st on st.client_uid = e.client_uid and st.uid = e.site_uid
    join client c on c.uid = e.client_uid
    where e.client_uid = ${clientUid} and e.uid = ${eventUid}`.execute(tx)
  return rows[0] as NoticeEvent
}
