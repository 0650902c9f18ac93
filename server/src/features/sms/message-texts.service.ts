import type { Tx } from '../../platform/db.ts'
import type { JobQueue } from '../../platform/jobs.ts'
import {
  deleteRefusal,
  insertMessageTexts,
  insertRefusal,
  insertTexts,
  type TextToPeople,
  wasTexted,
} from './message-texts.queries.ts'

/** MSG-38, AMB-141: the texts that carry these messages, in the transaction that writes them. */
export async function textMessages(
  jobs: JobQueue,
  tx: Tx,
  { clientUid, eventUid }: { clientUid: string; eventUid: string },
  seqs: readonly number[],
): Promise<void> {
  if (seqs.length === 0) return
  await insertMessageTexts(tx, clientUid, seqs)
  await jobs.enqueue(tx, 'texts', { event_uid: eventUid })
}

/** Who refuses texts is left out of a message to many, and the record says so. */
export async function noteRefusedTexts(tx: Tx, text: TextToPeople, personUids: readonly string[]): Promise<void> {
  if (personUids.length > 0) await insertTexts(tx, text, personUids)
}

/** AMB-130: once for each question, so that a phone which answers by itself is not answered for ever. */
export async function acknowledge(jobs: JobQueue, tx: Tx, text: TextToPeople, personUid: string, askedAt: Date) {
  if (await wasTexted(tx, text, personUid, askedAt)) return
  await insertTexts(tx, text, [personUid])
  await jobs.enqueue(tx, 'texts', { event_uid: text.eventUid })
}

/** STOP and START hold for a number, whoever it belongs to. False when it was so already. */
export const setRefusal = (tx: Tx, mobile: string, isRefused: boolean): Promise<boolean> =>
  isRefused ? insertRefusal(tx, mobile) : deleteRefusal(tx, mobile)
