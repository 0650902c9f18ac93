import type { ClientUid, PersonUid } from '@evac/contract/ids.ts'
import type { Services } from '../../http/services.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { JobQueue } from '../../platform/db/jobs.ts'
import { budgetUsedUp, reserve } from './budget.service.ts'
import {
  deleteRefusal,
  insertMessageTexts,
  insertRefusal,
  insertTexts,
  type TextToPeople,
  wasTexted,
} from './message-texts.queries.ts'
import { skipTexts } from './queue.queries.ts'
import { countSegments } from './wording.service.ts'

/**
 * MSG-38, AMB-141: the texts that carry these messages of the same words, in the transaction that writes them. Answers how
 * many the day's budget does not pay for (T32): they are kept as skipped.
 */
export async function textMessages(
  { jobs, config }: Pick<Services, 'jobs' | 'config'>,
  tx: Tx,
  { clientUid, eventUid, text }: { clientUid: ClientUid; eventUid: string; text: string },
  seqs: readonly number[],
): Promise<number> {
  if (seqs.length === 0) return 0
  const segments = countSegments(text)
  const queued = await insertMessageTexts(tx, { clientUid, body: text }, seqs, segments)
  const wanted = { clientUid, kind: 'message', segments, texts: queued.length }
  const unpaid = queued.slice(await reserve(tx, wanted, config.smsBudgets))
  if (unpaid.length > 0) await skipTexts(tx, clientUid, unpaid, budgetUsedUp)
  await jobs.enqueue(tx, 'texts', { event_uid: eventUid })
  return unpaid.length
}

/** Who refuses texts is left out of a message to many, and the record says so. */
export async function noteRefusedTexts(tx: Tx, text: TextToPeople, personUids: readonly string[]): Promise<void> {
  if (personUids.length > 0) await insertTexts(tx, text, personUids)
}

/** AMB-130: once for each question, so that a phone which answers by itself is not answered for ever. */
export async function acknowledge(jobs: JobQueue, tx: Tx, text: TextToPeople, personUid: PersonUid, askedAt: Date) {
  if (await wasTexted(tx, text, personUid, askedAt)) return
  await insertTexts(tx, text, [personUid])
  await jobs.enqueue(tx, 'texts', { event_uid: text.eventUid })
}

/** STOP and START hold for a number, whoever it belongs to. False when it was so already. */
export const setRefusal = (tx: Tx, mobile: string, isRefused: boolean): Promise<boolean> =>
  isRefused ? insertRefusal(tx, mobile) : deleteRefusal(tx, mobile)
