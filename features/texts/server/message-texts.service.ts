import type { ClientUid, PersonUid } from '#kernel/ids.ts'
import type { Services } from '#server/http/services.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { JobQueue } from '#server/platform/db/jobs.ts'
import { budgetUsedUp, reserve } from './budget.service.ts'
import {
  deleteRefusal,
  insertMessageTexts,
  insertRefusal,
  insertTexts,
  insertTextToNumber,
  type TextToPeople,
  wasTexted,
} from './message-texts.queries.ts'
import { findTextPrefix, skipTexts } from './queue.queries.ts'
import { countSegments, withLinkLength } from './wording.service.ts'

/** How many segments the text costs per receiver in the event, with what a drill puts before it and a personal link. */
export const segmentsInEvent = async (
  tx: Tx,
  { appUrl }: Pick<Services['config'], 'appUrl'>,
  { eventUid, text }: { eventUid: string; text: string },
): Promise<number> => countSegments((await findTextPrefix(tx, eventUid)) + withLinkLength(text, appUrl))

/**
 * Queues one text per message, in the transaction of the messages. All messages have the same words.
 * Returns how many texts the daily budget does not cover. Those are stored as skipped.
 */
export async function textMessages(
  { jobs, config }: Pick<Services, 'jobs' | 'config'>,
  tx: Tx,
  { clientUid, eventUid, text }: { clientUid: ClientUid; eventUid: string; text: string },
  seqs: readonly number[],
): Promise<number> {
  if (seqs.length === 0) return 0
  const segments = await segmentsInEvent(tx, config, { eventUid, text })
  const queued = await insertMessageTexts(tx, { clientUid, body: text }, seqs, segments)
  const wanted = { clientUid, kind: 'message', segments, texts: queued.length }
  const unpaid = queued.slice(await reserve(tx, wanted, config.smsBudgets))
  if (unpaid.length > 0) await skipTexts(tx, clientUid, unpaid, budgetUsedUp)
  await jobs.enqueue(tx, 'texts', { event_uid: eventUid })
  return unpaid.length
}

/** Stores a skipped text for each person who refuses texts, so that the record of a group message shows them. */
export async function noteRefusedTexts(tx: Tx, text: TextToPeople, personUids: readonly string[]): Promise<void> {
  if (personUids.length > 0) await insertTexts(tx, text, personUids)
}

/** Acknowledges a reply once per question, so that two automatic responders do not answer each other forever. */
export async function acknowledge(jobs: JobQueue, tx: Tx, text: TextToPeople, personUid: PersonUid, askedAt: Date) {
  if (await wasTexted(tx, text, personUid, askedAt)) return
  await insertTexts(tx, text, [personUid])
  await jobs.enqueue(tx, 'texts', { event_uid: text.eventUid })
}

/** Answers a number, whoever has it, with the same words once an event. */
export async function acknowledgeNumber(jobs: JobQueue, tx: Tx, text: TextToPeople, mobile: string) {
  if (await insertTextToNumber(tx, text, mobile)) await jobs.enqueue(tx, 'texts', { event_uid: text.eventUid })
}

/** Stores STOP or START for a number, whoever it belongs to. False if nothing changes. */
export const setRefusal = (tx: Tx, mobile: string, isRefused: boolean): Promise<boolean> =>
  isRefused ? insertRefusal(tx, mobile) : deleteRefusal(tx, mobile)
