import { newKey } from '../../lib/new-key.ts'
import { settle } from './delivery.ts'
import type { News, Phone, Session } from './phone.ts'
import { isPending, type NewRecord, type OutboxRecord, type SentRecord } from './safety-record.ts'
import { createSender } from './sender.ts'

export interface Outbox<Shown extends ShownRecords = ShownRecords> {
  records: Shown
  listPending(): OutboxRecord[]
  /** Resolves once the record is stored. It is sent in the background. */
  enqueue(record: NewRecord): Promise<OutboxRecord>
  /** Deletes a record that cannot have reached the server. False for any other record. */
  takeBack(record: OutboxRecord): Promise<boolean>
  /** Deletes a rejected record after the warden has read the reason. */
  dismiss(record: OutboxRecord): Promise<void>
  /** Makes a rejected record pending again. It keeps its key, because a rejected write leaves no trace on the server. */
  retry(record: OutboxRecord): Promise<void>
  /** Calls `listener` for each acknowledged record, in every tab, before the record leaves `records`. Returns a function that stops. */
  onSent(listener: (sent: SentRecord) => void): () => void
  /** Sends at once, because a request may succeed now. */
  wake(): void
  start(): void
  stop(): void
}

/**
 * The outbox of safety records. A record is stored on the phone, then shown, then sent in order until the server has
 * answered. It survives reload, crash and lost answers. Its key makes the server apply it once.
 *
 *            enqueue              sender                answer
 *   (tap) ────────────▶ pending ─────────▶ sending ──────────────▶ acknowledged ──▶ (gone)
 *                       │  ▲  ▲               │  │                      │
 *     takeBack,         │  │  └── no answer ──┘  │ rejected,            │ superseded
 *     before any try    │  │                     │ other event          │
 *                       ▼  │ retry, same key     ▼                      │
 *                    (gone)└───────────────── rejected (setback) ◀──────┘
 *                                                │ dismiss
 *                                                ▼
 *                                             (gone)
 *
 * A refusal that the server acknowledged the wrong way round becomes pending again, with a new key (`isReversed`).
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
      // Shown before the list is read again, because the next tap may come first.
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

/** The owner of a record, its event and role, and the time of the observation. */
function stampOf(
  { ownerName, now, isOnline }: Phone,
  { Person_UID: owner, WardenSignInUID: signIn, Warden_Assignment_UID: assignment }: Session,
) {
  return { owner, ownerName: ownerName(), signIn, assignment, key: newKey(), observedAt: now(), tried: isOnline() }
}

/** All records of the outbox, oldest first, including those of other wardens who use this phone. */
interface ShownRecords {
  get(): readonly OutboxRecord[]
  set(records: readonly OutboxRecord[]): void
}

/** Keeps `records` equal to the storage, and reports each acknowledged record, in every tab. */
function createNews({ storage, tabs }: Phone, records: ShownRecords) {
  const listeners = new Set<(sent: SentRecord) => void>()
  let isClosed = false

  const hear = (sent: SentRecord) => {
    for (const listener of listeners) listener(sent)
  }
  const refresh = async () => {
    const kept = await storage.list().catch(() => records.get())
    if (!isSame(kept, records.get())) records.set(kept)
  }
  const tell = (news: News) => {
    if (!isClosed) tabs?.postMessage(news)
  }

  return {
    listeners,
    open() {
      if (tabs) tabs.onmessage = ({ data }: { data: News }) => (data === 'changed' ? void refresh() : hear(data))
      void refresh()
    },
    async tellChanged() {
      await refresh()
      tell('changed')
    },
    tellSent(sent: SentRecord) {
      hear(sent)
      tell(sent)
    },
    close() {
      isClosed = true
      tabs?.close()
    },
  }
}

/** A record changes only by its rejection. An equal list is not set again, so that nothing is redrawn. */
const isSame = (a: readonly OutboxRecord[], b: readonly OutboxRecord[]) =>
  a.length === b.length && a.every(({ seq, setback }, at) => b[at]?.seq === seq && b[at]?.setback === setback)
