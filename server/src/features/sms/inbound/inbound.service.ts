import { randomUUID } from 'node:crypto'
import type { Db, Tx } from '../../../platform/db/db.ts'
import type { JobQueue } from '../../../platform/db/jobs.ts'
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

/** What makes something of a reply. It may be given the same one twice: `gateway` and `providerId` tell. */
export type ReceiveReply = (reply: InboundText) => Promise<unknown>

/**
 * A text that somebody sent us, or with `joint` a piece of a longer one. Where its provider names none (no `providerId`), a
 * repetition is known by its words.
 */
export interface InboundPiece {
  gateway: string
  providerId?: string
  from: string
  body: string
  joint?: Joint
}

type Keeping = { system: Db; jobs: JobQueue }

/**
 * Keeps a text that somebody sent us before its provider hears that it was taken, and wakes a worker when it is whole.
 * False when it had come before.
 */
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

/** T18: what is no character of a text, and what the database cannot hold. */
const clean = (body: string) => body.replace(/[^\P{Cc}\n\t]/gu, '')

/** A worker's part: passes on what has come in, oldest first and of each phone in turn; what could not be is tried again. */
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
