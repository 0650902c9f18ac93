import { randomUUID } from 'node:crypto'
import type { Db, Tx } from '#server/platform/db/db.ts'
import type { JobQueue } from '#server/platform/db/jobs.ts'
import type { Metrics } from '#server/platform/observability/metrics.ts'
import { findSender } from './find-sender.queries.ts'
import {
  claimInboundTexts,
  type InboundText,
  insertInboundText,
  insertPiece,
  type Joint,
  lockPhone,
  markPassedOn,
  type NewInboundText,
  repeatsLastText,
  takeTornTexts,
  takeWholeText,
} from './inbound.queries.ts'
import type { SenderKind } from './sender.ts'

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
  /** What the provider says about `from`. */
  kind?: SenderKind
  body: string
  /** Pictures that came with it. */
  media?: number
  /** How long ago it was sent, if the provider says so. */
  agoMs?: number | null
  joint?: Joint
}

type Keeping = { system: Db; jobs: JobQueue; metrics?: InboundMetrics }

/** Stores an incoming text before it is confirmed to the provider, and wakes a worker once it is complete. False for a repetition. */
export async function keepInboundText(
  keeping: Keeping,
  { gateway, providerId, from, kind = 'unknown', body: words, media = 0, agoMs = null, joint }: InboundPiece,
): Promise<boolean> {
  const { system, jobs, metrics } = keeping
  const isNew = await inTransaction(system, async (tx) => {
    const fromMobile = clean(await findSender(tx, from, kind))
    const text = { gateway, providerId: providerId ?? randomUUID(), fromMobile, body: clean(words) }
    const whole = { ...text, media, agoMs }
    if (!joint && providerId) return keep(jobs, tx, whole)
    await lockPhone(tx, fromMobile)
    if (!joint) return !(await repeatsLastText(tx, gateway, fromMobile, text.body)) && keep(jobs, tx, whole)
    await insertPiece(tx, text, joint)
    const body = await takeWholeText(tx, text, joint)
    return body === undefined ? undefined : keep(jobs, tx, { ...whole, body })
  })
  if (isNew === false) metrics?.inboundTexts.inc({ outcome: 'repeated' })
  return isNew === true
}

type InboundMetrics = Pick<Metrics, 'inboundTexts'>

const inTransaction = <T>(system: Db, work: (tx: Tx) => Promise<T>) =>
  system.transaction().execute((trx) => work(trx as Tx))

async function keep(jobs: JobQueue, tx: Tx, text: NewInboundText): Promise<boolean> {
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
