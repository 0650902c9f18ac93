import { type RawBuilder, sql } from 'kysely'
import type { SignInUid } from '#kernel/ids.ts'
import { prepared, type Tx } from '#server/platform/db/db.ts'
import { drillPrefix } from '../words.ts'

export type TextKind =
  | 'event_message'
  | 'warden_alert'
  | 'event_concluded'
  | 'sign_in_link'
  | 'report_in_link'
  | 'message'
  | 'offer'
  | 'command'
  | 'instruction'
  | 'plan'

/** What stands before the texts of event `e`. Texts of no event have none. */
export const textPrefix = sql<string>`case when e.kind = 'drill' then ${drillPrefix} else '' end`

/** The prefix of an event's texts, for their price. The claim puts it before them. */
export async function findTextPrefix(tx: Tx, eventUid: string): Promise<string> {
  const { rows } = await sql<{ prefix: string }>`
    select ${textPrefix} as prefix from event e where e.uid = ${eventUid}`.execute(tx)
  return rows[0]?.prefix ?? ''
}

/** Minutes after which a text is no longer sent, because it would mislead. */
const validMinutes = 15

/** Joins the person `p` of `row`, and the STOP `x` of their number. */
export function phoneOf(row: string): RawBuilder<unknown> {
  return sql`join person p on p.client_uid = ${sql.ref(`${row}.client_uid`)} and p.uid = ${sql.ref(`${row}.person_uid`)}
    left join sms_refusal x on x.mobile = p.mobile`
}

/** Why the texts of an organisation without SMS were skipped. */
export const smsNotActivated = 'SMS messaging is not activated.'

/** Why person `p` cannot be texted, or `otherwise` if they can. */
export function obstacle(isAllowed: RawBuilder<boolean>, otherwise: string | null = null): RawBuilder<string | null> {
  return sql`case when not ${isAllowed} then ${smsNotActivated} when p.mobile is null then 'No mobile number.'
    when x.mobile is not null then 'SMS refused.' else ${otherwise}::text end`
}

/** Further columns that a receiver may have. */
type Brought = 'sign_in_uid' | 'link_uid' | 'message_seq' | 'plan_notice_uid' | 'reach_uid'

interface Text {
  kind: TextKind | RawBuilder<TextKind>
  body: string | RawBuilder<string>
  writtenAt?: RawBuilder<Date>
  /** Per text, if the budget has been charged (`reserve`). Otherwise the worker charges it before it sends. */
  segments?: number
  brings?: readonly Brought[]
}

/**
 * The insert as a part of a `with`. `rows` has client_uid, event_uid, person_uid, mobile, obstacle (`phoneOf`) and the
 * columns of `brings`. A person who cannot be texted gets a skipped text with the reason, so that no one counts as informed.
 * A text of a drill has its prefix from here: `claimTexts` knows it by that after the drill became live, whatever was
 * committed first.
 */
export function insertTexts(
  { kind, body, writtenAt = sql`now()`, segments, brings = [] }: Text,
  rows: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const brought = (from = '') =>
    sql.join(
      brings.map((name) => sql`, ${sql.ref(from + name)}`),
      sql``,
    )
  return sql`
    insert into sms (client_uid, event_uid, kind, person_uid, to_mobile, body, prefix, segments, status, reason,
      valid_until${brought()})
    select r.client_uid, r.event_uid, ${kind}, r.person_uid, r.mobile, ${body}, ${textPrefix}, ${segments ?? null}::int,
      case when r.obstacle is null then 'queued' else 'skipped' end, r.obstacle,
      ${writtenAt} + make_interval(mins => ${validMinutes})${brought('r.')}
    from (${rows}) r left join event e on e.client_uid = r.client_uid and e.uid = r.event_uid`
}

export interface NewTexts extends Text {
  /** A select of client_uid, event_uid, person_uid and the columns of `brings`. One text per row. */
  receivers: RawBuilder<unknown>
  /** False if the organisation sends no texts. */
  isAllowed?: boolean
  /** Why people who can be texted are not texted. */
  otherwise?: string
  /** The name that a hot statement is prepared under. */
  name?: string
}

export interface QueuedText {
  uid: string
  status: 'queued' | 'skipped'
  /** Why it was skipped. */
  reason: string | null
  signInUid: SignInUid | null
}

/** Queues one text per receiver in one statement, in the transaction of the change. Returns each text with its state. */
export async function queueTexts(
  tx: Tx,
  { receivers, isAllowed = true, otherwise, name, ...text }: NewTexts,
): Promise<QueuedText[]> {
  const rows = sql`
    select t.*, p.mobile, ${obstacle(sql`${isAllowed}::boolean`, otherwise)} as obstacle
    from (${receivers}) t ${phoneOf('t')}`
  const queued =
    await sql<QueuedText>`${name ? prepared(name) : sql``}${insertTexts(text, rows)} returning uid, status, reason, sign_in_uid`.execute(
      tx,
    )
  return queued.rows
}

export interface NewSignInText {
  clientUid: string
  personUid: string
  toMobile: string
  mobileTokenUid: string
  body: string
  /** Already charged. */
  segments: number
  validUntil: Date
}

/** Queues a sign-in link. The holder of the phone has just requested it, so STOP does not apply. Valid as long as its link. */
export async function queueSignInText(tx: Tx, text: NewSignInText): Promise<void> {
  await tx
    .insertInto('sms')
    .values({ kind: 'sign_in_link' satisfies TextKind, ...text })
    .execute()
}

/** Marks texts as skipped, for example because the budget does not cover them. */
export async function skipTexts(tx: Tx, clientUid: string, uids: readonly string[], reason: string): Promise<void> {
  await sql`
    update sms set status = 'skipped', reason = ${reason}, segments = null, changed_at = now()
    where client_uid = ${clientUid} and uid = any (${uids}::uuid[])`.execute(tx)
}
