import { type RawBuilder, sql } from 'kysely'
import { prepared, type Tx } from '../../platform/db/db.ts'

export type TextKind =
  | 'event_message'
  | 'warden_alert'
  | 'event_concluded'
  | 'sign_in_link'
  | 'report_in_link'
  | 'message'

/** Minutes a text may still be sent after it was written: later it misleads. */
const validMinutes = 15

/** Brings the phone `p` of person `person_uid` of `row`, and its refusal `x`: STOP holds for a number. */
export function phoneOf(row: string): RawBuilder<unknown> {
  return sql`join person p on p.client_uid = ${sql.ref(`${row}.client_uid`)} and p.uid = ${sql.ref(`${row}.person_uid`)}
    left join sms_refusal x on x.mobile = p.mobile`
}

/** Why a text cannot go to phone `p`; null when it can. `otherwise`: why those that could are not sent either. */
export function obstacle(isAllowed: RawBuilder<boolean>, otherwise: string | null = null): RawBuilder<string | null> {
  return sql`case when not ${isAllowed} then 'SMS messaging is not activated.' when p.mobile is null then 'No mobile number.'
    when x.mobile is not null then 'SMS refused.' else ${otherwise}::text end`
}

/** What a receiver may bring beside who they are. */
type Brought = 'sign_in_uid' | 'link_uid' | 'message_seq'

interface Text {
  kind: TextKind | RawBuilder<TextKind>
  body: string | RawBuilder<string>
  writtenAt?: RawBuilder<Date>
  /** Of each text, when the pot has paid for it (`reserve`). Otherwise the worker pays before it sends. */
  segments?: number
  brings?: readonly Brought[]
}

/**
 * The insert alone, to stand in a `with`. `rows`: client_uid, event_uid, person_uid, mobile, obstacle (`phoneOf`) and what
 * the text brings. Who cannot be texted is kept as skipped, with the reason: nobody may be believed to have been told.
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
    insert into sms (client_uid, event_uid, kind, person_uid, to_mobile, body, segments, status, reason, valid_until${brought()})
    select r.client_uid, r.event_uid, ${kind}, r.person_uid, r.mobile, ${body}, ${segments ?? null}::int,
      case when r.obstacle is null then 'queued' else 'skipped' end, r.obstacle,
      ${writtenAt} + make_interval(mins => ${validMinutes})${brought('r.')}
    from (${rows}) r`
}

export interface NewTexts extends Text {
  /** A select of client_uid, event_uid, person_uid, and what the text brings: one text for each row. */
  receivers: RawBuilder<unknown>
  /** False where the organisation sends no texts. */
  isAllowed?: boolean
  /** Why those whom a text could reach are not sent one. */
  otherwise?: string
  /** The name that a hot statement is prepared under. */
  name?: string
}

export interface QueuedText {
  uid: string
  status: 'queued' | 'skipped'
}

/** Writes the texts of any number of receivers in one statement, within the change that they tell of. Answers each with its fate. */
export async function queueTexts(
  tx: Tx,
  { receivers, isAllowed = true, otherwise, name, ...text }: NewTexts,
): Promise<QueuedText[]> {
  const rows = sql`
    select t.*, p.mobile, ${obstacle(sql`${isAllowed}::boolean`, otherwise)} as obstacle
    from (${receivers}) t ${phoneOf('t')}`
  const queued =
    await sql<QueuedText>`${name ? prepared(name) : sql``}${insertTexts(text, rows)} returning uid, status`.execute(tx)
  return queued.rows
}

export interface NewSignInText {
  clientUid: string
  personUid: string
  toMobile: string
  mobileTokenUid: string
  body: string
  /** Paid for. */
  segments: number
  validUntil: Date
}

/** To a phone whose holder asked for it a moment ago: it goes out after STOP, too, and for as long as its link is valid. */
export async function queueSignInText(tx: Tx, text: NewSignInText): Promise<void> {
  await tx
    .insertInto('sms')
    .values({ kind: 'sign_in_link' satisfies TextKind, ...text })
    .execute()
}

/** There is nothing to pay these with. */
export async function skipTexts(tx: Tx, clientUid: string, uids: readonly string[], reason: string): Promise<void> {
  await sql`
    update sms set status = 'skipped', reason = ${reason}, segments = null, changed_at = now()
    where client_uid = ${clientUid} and uid = any (${uids}::uuid[])`.execute(tx)
}
