import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { steadyNow } from '#server/platform/db/steady-clock.ts'

export interface InboundText {
  gateway: string
  /** The provider's id, or a substitute. A repetition has the same one. */
  providerId: string
  /** Digits with country code, or a name, a short code or a national number as it came. */
  fromMobile: string
  body: string
  /** Pictures that came with it. */
  media: number
  receivedAt: Date
  /** Steady time, if the provider says when the phone sent it. */
  sentAt: Date | null
}

type Piece = Pick<InboundText, 'gateway' | 'providerId' | 'fromMobile' | 'body'>
export type NewInboundText = Piece & { media?: number; agoMs?: number | null }

/** Stores an incoming text. False for a repetition. A text from the future was sent when it came. */
export async function insertInboundText(db: Db, { agoMs = null, ...text }: NewInboundText): Promise<boolean> {
  const sentAt =
    agoMs === null ? null : sql<Date>`${steadyNow} - make_interval(secs => ${Math.max(0, agoMs / 1000)}::float8)`
  const made = await db
    .insertInto('inboundText')
    .values({ ...text, sentAt })
    .onConflict((oc) => oc.doNothing())
    .executeTakeFirst()
  return made.numInsertedOrUpdatedRows === 1n
}

/**
 * True for a repetition: the phone's last text has the same words, is less than two minutes old, and no one has written
 * to the phone since. Only two equal texts in a row are a repetition: 2, 1, 2 ends in danger, and a person who is asked
 * twice may answer the same twice. Call under `lockPhone`.
 */
export async function repeatsLastText(tx: Tx, gateway: string, fromMobile: string, body: string): Promise<boolean> {
  const { rows } = await sql<{ isRepeated: boolean }>`
    with last as (
      select body, received_at from inbound_text
      where gateway = ${gateway} and from_mobile = ${fromMobile} and received_at > ${steadyNow} - interval '2 minutes'
      order by received_at desc limit 1
    )
    select not exists (
      select from person p
      join event e on e.client_uid = p.client_uid and e.ended_at is null
      join sms s on s.client_uid = e.client_uid and s.event_uid = e.uid and s.person_uid = p.uid
      join message m on m.client_uid = s.client_uid and m.seq = s.message_seq
      where p.mobile = ${fromMobile} and m.written_at > last.received_at
    ) as is_repeated
    from last where last.body = ${body}`.execute(tx)
  return rows[0]?.isRepeated ?? false
}

/** Seconds of a worker's lease, and the pauses before retries. */
const leaseSeconds = 20

/** From this try on a text no longer delays later texts of its phone. */
const tryOutOfLine = 3

/** Claims free texts, oldest first. At most one per phone, so that its texts are processed in order. */
export async function claimInboundTexts(system: Db, count: number): Promise<InboundText[]> {
  const { rows } = await sql<InboundText>`
    with due as (
      select gateway, provider_id from inbound_text t
      where passed_on_at is null and next_try_at <= ${steadyNow} and not exists (
        select from inbound_text earlier
        where earlier.from_mobile = t.from_mobile and earlier.passed_on_at is null and earlier.attempts < ${tryOutOfLine}
          and (earlier.received_at, earlier.provider_id) < (t.received_at, t.provider_id))
      order by received_at limit ${count} for update skip locked
    )
    update inbound_text i set attempts = i.attempts + 1, next_try_at = ${steadyNow} + make_interval(secs => ${leaseSeconds})
    from due where i.gateway = due.gateway and i.provider_id = due.provider_id
    returning i.gateway, i.provider_id, i.from_mobile, i.body, i.media, i.received_at, i.sent_at`.execute(system)
  return rows.sort((a, b) => a.receivedAt.getTime() - b.receivedAt.getTime())
}

export async function markPassedOn(system: Db, { gateway, providerId }: InboundText): Promise<void> {
  await system
    .updateTable('inboundText')
    .set({ passedOnAt: sql`now()` })
    .where('gateway', '=', gateway)
    .where('providerId', '=', providerId)
    .execute()
}

/** Position of a part in a long text. */
export interface Joint {
  reference: number
  of: number
  nth: number
}

/** One at a time per phone, so that of two concurrent parts or repetitions one sees the other. */
export async function lockPhone(tx: Tx, fromMobile: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`inbound/${fromMobile}`}, 0))`.execute(tx)
}

export async function insertPiece(tx: Tx, text: Piece, joint: Joint): Promise<void> {
  await tx
    .insertInto('inboundPiece')
    .values({ ...text, ...joint })
    .onConflict((oc) => oc.doNothing())
    .execute()
}

/** Joins and deletes the parts of a text once all have arrived. Undefined before that. */
export async function takeWholeText(tx: Tx, text: Piece, { reference, of }: Joint) {
  const { rows } = await sql<{ body: string }>`
    with whole as (
      select gateway, from_mobile, reference, of from inbound_piece
      where gateway = ${text.gateway} and from_mobile = ${text.fromMobile} and reference = ${reference} and of = ${of}
      group by 1, 2, 3, 4 having count(*) = of
    ), taken as (
      delete from inbound_piece p using whole w where p.gateway = w.gateway and p.from_mobile = w.from_mobile
        and p.reference = w.reference and p.of = w.of
      returning p.nth, p.body
    )
    select string_agg(body, '' order by nth) as body from taken having count(*) > 0`.execute(tx)
  return rows[0]?.body
}

/** Joins incomplete texts, with '…' for each missing part, so that half a sentence never counts as an answer. */
export async function takeTornTexts(system: Db): Promise<Piece[]> {
  const { rows } = await sql<Piece>`
    with torn as (
      select gateway, from_mobile, reference, of from inbound_piece
      group by 1, 2, 3, 4 having max(received_at) < now() - interval '1 minute'
    ), taken as (
      delete from inbound_piece p using torn t where p.gateway = t.gateway and p.from_mobile = t.from_mobile
        and p.reference = t.reference and p.of = t.of
      returning p.*
    )
    select gateway, from_mobile, min(provider_id) as provider_id, string_agg(coalesce(body, ' … '), '' order by nth) as body
    from torn cross join generate_series(1, of) as nth left join taken using (gateway, from_mobile, reference, of, nth)
    group by gateway, from_mobile, reference, of`.execute(system)
  return rows
}
