import { type RawBuilder, sql } from 'kysely'
import type { ClientUid, EvacueeUid, EventUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { steadyNow } from '#server/platform/db/steady-clock.ts'
import { type ReportWay, reportLimits, type TextSays } from '../../kinds.ts'
import type { EventOf } from '../match-person.queries.ts'

/** A text from a phone or a key pressed in a call, as it is kept among the reports. */
export interface TextReport {
  clientUid: ClientUid
  eventUid: EventUid
  way: Extract<ReportWay, 'text' | 'call'>
  says: TextSays
  /** Each word of danger has a no before it. */
  unsure: boolean
  /** No organisation with a running event knows the number. */
  elsewhere: boolean
  words: string
  /** Digits with country code, or as the provider wrote it. */
  mobile: string
  /** Who has the number. Null: no one who is known. */
  name: string | null
  /** Of one person of the event: where they belong. */
  evacueeUid: EvacueeUid | null
}

export interface OpenEntry {
  uid: string | null
  says: TextSays | null
  /** How many entries the number has had. */
  entries: number
}

/** The open entry of a number, which a further text joins. */
export async function findOpenEntry(tx: Tx, clientUid: ClientUid, formKey: Buffer): Promise<OpenEntry> {
  const { rows } = await sql<OpenEntry>`
    select (array_agg(uid) filter (where state = 'open'))[1] as uid, (array_agg(status) filter (where state = 'open'))[1] as says,
      count(*)::int as entries
    from self_report where client_uid = ${clientUid} and form_key = ${formKey}`.execute(tx)
  return rows[0] as OpenEntry
}

/** Entries of unknown numbers that say the same: those that call for help have room of their own. */
export async function countUnknown(tx: Tx, { clientUid, eventUid }: EventOf, says: TextSays): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from self_report
    where client_uid = ${clientUid} and event_uid = ${eventUid} and way = 'text' and said_name is null and status = ${says}`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

const placeOf = (column: string, { clientUid, evacueeUid }: TextReport): RawBuilder<unknown> =>
  sql`(select ${sql.ref(column)} from evacuee where client_uid = ${clientUid} and uid = ${evacueeUid})`

export async function insertTextReport(tx: Tx, uid: string, report: TextReport, formKey: Buffer, nth: number) {
  await sql`
    insert into self_report (client_uid, uid, event_uid, way, status, unsure, elsewhere, said_name, said_mobile, building_uid,
      floor_uid, words, network, form_key, nth, at, state)
    values (${report.clientUid}, ${uid}, ${report.eventUid}, ${report.way}, ${report.says}, ${report.unsure}, ${report.elsewhere},
      ${report.name}, ${report.mobile}, ${placeOf('building_uid', report)}, ${placeOf('floor_uid', report)}, ${report.words},
      ${`text ${report.mobile}`}, ${formKey}, ${nth}, ${steadyNow}, 'open')`.execute(tx)
}

/** What was written last stays whole. A call for help counts from when it came, and has the way by which it did. */
export async function joinEntry(tx: Tx, clientUid: ClientUid, uid: string, { way, says, unsure, words }: TextReport) {
  await sql`
    update self_report set words = right(concat_ws(E'\n', words, ${words}::text), ${reportLimits.text}),
      at = case when ${says} = 'help' and status <> 'help' then ${steadyNow} else at end,
      way = case when ${says} = 'help' and status <> 'help' then ${way} else way end,
      unsure = case when status = 'help' then unsure and (${says} <> 'help' or ${unsure}) else ${unsure} end,
      status = case when ${says} = 'help' then 'help' else status end
    where client_uid = ${clientUid} and uid = ${uid}`.execute(tx)
}

export async function takesUnknown(tx: Tx, { clientUid, eventUid }: EventOf): Promise<boolean> {
  const { rows } = await sql<{ open: boolean }>`
    select unknown_texts_open as open from event where client_uid = ${clientUid} and uid = ${eventUid}`.execute(tx)
  return rows[0]?.open === true
}

export async function setUnknownTexts(tx: Tx, { clientUid, eventUid }: EventOf, open: boolean): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update event set unknown_texts_open = ${open}
    where client_uid = ${clientUid} and uid = ${eventUid} and unknown_texts_open <> ${open}`.execute(tx)
  return numAffectedRows === 1n
}

/** Counts a number for which there is no room, once. */
export async function countMore(tx: Tx, { clientUid, eventUid }: EventOf, mobile: string): Promise<void> {
  await sql`
    update event set more_numbers = more_numbers || hashtext(${mobile})
    where client_uid = ${clientUid} and uid = ${eventUid} and not hashtext(${mobile}) = any (more_numbers)
      and cardinality(more_numbers) < ${reportLimits.moreNumbers}`.execute(tx)
}

export interface TextsFrame {
  open: boolean
  more: number
}

export async function readTextsFrame(tx: Tx, { clientUid, eventUid }: EventOf): Promise<TextsFrame> {
  const { rows } = await sql<TextsFrame>`
    select unknown_texts_open as open, cardinality(more_numbers) as more from event
    where client_uid = ${clientUid} and uid = ${eventUid}`.execute(tx)
  return rows[0] as TextsFrame
}
