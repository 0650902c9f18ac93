import { randomUUID } from 'node:crypto'
import type { Db, Tx } from '#server/platform/db/db.ts'
import type { JobQueue } from '#server/platform/db/jobs.ts'
import {
  claimInboundTexts,
  type InboundText,
  insertInboundText,
  insertPiece,
  type Joint,
  lockPhone,
  markPassedOn,
  repeatsLastText,
  takeTornTexts,
  takeWholeText,
} from './inbound.queries.ts'

const batchSize = 50

/** Processes a reply. May get the same one twice, with equal `gateway` and `providerId`. */
export type ReceiveReply = (reply: InboundText) => Promise<unknown>

/**
 * An incoming text, or with `joint` a part of one. Without a `providerId` a repetition is recognised by its words.
 */
export interface InboundPiece {
  gateway: string
  providerId?: string
  from: string
  body: string
  joint?: Joint
}

type Keeping = { system: Db; jobs: JobQueue }

/** Stores an incoming text before it is confirmed to the provider, and wakes a worker once it is complete. False for a repetition. */
export async function keepInboundText(
  { system, jobs }: Keeping,
  { gateway, providerId, from, body: words, joint }: InboundPiece,
): Promise<boolean> {
  const text = {
    gateway,
    providerId: providerId ?? randomUUID(),
    fromMobile: from.replace(/^\+/, ''),
    body: clean(words),
  }
  return inTransaction(system, async (tx) => {
    if (!joint && providerId) return keep(jobs, tx, text)
    await lockPhone(tx, text.fromMobile)
    if (!joint) return !(await repeatsLastText(tx, gateway, text.fromMobile, text.body)) && keep(jobs, tx, text)
    await insertPiece(tx, text, joint)
    const body = await takeWholeText(tx, text, joint)
    return body === undefined ? false : keep(jobs, tx, { ...text, body })
  })
}

const inTransaction = <T>(system: Db, work: (tx: Tx) => Promise<T>) =>
  system.transaction().execute((trx) => work(trx as Tx))

async function keep(jobs: JobQueue, tx: Tx, text: Omit<InboundText, 'receivedAt'>): Promise<boolean> {
  const isNew = await insertInboundText(tx, text)
  if (isNew) await jobs.enqueue(tx, 'replies', { inbound: text.providerId })
  return isNew
}

/** Characters that are not text or that the database cannot store. */
const clean = (body: string) => body.replace(/[^\P{Cc}\n\t]/gu, '')

/** Processes stored replies, oldest first and in order per phone. Failed ones are retried. */
export async function passOnReplies(
  system: Db,
  receive: ReceiveReply,
  onTrouble: (error: unknown) => void,
  stopping?: AbortSignal,
) {
  await inTransaction(system, async (tx) => {
    for (const text of await takeTornTexts(tx)) await insertInboundText(tx, text)
  })
  while (!stopping?.aborted) {
    const replies = await claimInboundTexts(system, batchSize)
    if (replies.length === 0) break
    for (const reply of replies)
      try {
        await receive(reply)
        await markPassedOn(system, reply)
      } catch (error) {
        onTrouble(error)
      }
  }
}
