import { newKey } from '../../lib/new-key.ts'
import { createNews, type ShownRecords } from './news.ts'
import type { Phone, Session } from './phone.ts'
import type { NewRecord, OutboxRecord, SentRecord } from './record.ts'
import { createSender } from './sender.ts'
import { settle } from './settle.ts'
import { isPending } from './standing.ts'

export interface Outbox<Shown extends ShownRecords = ShownRecords> {
  records: Shown
  listPending(): OutboxRecord[]
  /** Resolves once the record is stored; sending goes on by itself. */
  enqueue(record: NewRecord): Promise<OutboxRecord>
  /** Takes a record out that cannot have reached the server; false for any other. */
  takeBack(record: OutboxRecord): Promise<boolean>
  /** The warden has read why it was rejected. */
  dismiss(record: OutboxRecord): Promise<void>
  /** Back into the queue, with the same key: a refused write left no trace at the server. */
  retry(record: OutboxRecord): Promise<void>
  /** Tells what the server acknowledged, in every tab, before the record leaves `records`. Answers how to stop. */
  onSent(listener: (sent: SentRecord) => void): () => void
  /** Something may go better now: sends at once. */
  wake(): void
  start(): void
  stop(): void
}

/**
 * Safety records: stored on the phone first, then shown, then sent in order until the server has answered for each.
 * A record survives reload, crash and lost answers, and is applied once thanks to its key.
 *
 *            enqueue              sender                answer
 *   (tap) ────────────▶ pending ─────────▶ sending ──────────────▶ acknowledged ──▶ (gone)
 *                       │  ▲  ▲               │  │                      │
 *     takeBack,         │  │  └── no answer ──┘  │ refused,             │ superseded
 *     before any try    │  │                     │ other event          │
 *                       ▼  │ retry, same key     ▼                      │
 *                    (gone)└───────────────── rejected (setback) ◀──────┘
 *                                                │ dismiss
 *                                                ▼
 *                                             (gone)
 *
 * An acknowledged refusal that came out reversed is pending once more, with a new key (isReversed).
 */
export function openOutbox<Shown extends ShownRecords>(phone: Phone, records: Shown): Outbox<Shown> {
  const { storage } = phone
  const news = createNews(phone, records)
  const life = new AbortController()
  let isStarted = false
  const { wake, stop } = createSender(phone, async (record, answer) => {
    if ('acknowledged' in answer) news.tellSent(answer.acknowledged)
    await settle(storage, record, answer)
    await news.tellChanged()
  })
  const start = () => {
    if (isStarted) return
    isStarted = true
    news.open()
    phone.onHope(wake, life.signal)
    wake()
  }

  return {
    records,
    listPending: () => records.get().filter(isPending),
    async enqueue(record) {
      const session = phone.session()
      if (!session) throw new Error('not signed in')
      start()
      const kept = await storage.add({ ...record, ...stampOf(phone, session) })
      // Shown without waiting for the list to be read again: the thumb is faster than that.
      records.set([...records.get(), kept])
      void news.tellChanged()
      wake()
      return kept
    },
    async takeBack({ seq }) {
      const found = await storage.look(seq, (record) => (record.tried ? record : null))
      await news.tellChanged()
      return found?.tried === false
    },
    async dismiss({ seq }) {
      await storage.remove(seq)
      await news.tellChanged()
    },
    async retry({ setback: _, ...record }) {
      await storage.put(record as OutboxRecord)
      await news.tellChanged()
      wake()
    },
    onSent(listener) {
      news.listeners.add(listener)
      return () => news.listeners.delete(listener)
    },
    wake,
    start,
    stop() {
      life.abort()
      stop()
      news.close()
      storage.close()
    },
  }
}

/** Whose a record is, in which event and role it was noted, and when. */
function stampOf(
  { ownerName, now, isOnline }: Phone,
  { Person_UID: owner, WardenSignInUID: signIn, Warden_Assignment_UID: assignment }: Session,
) {
  return { owner, ownerName: ownerName(), signIn, assignment, key: newKey(), observedAt: now(), tried: isOnline() }
}
