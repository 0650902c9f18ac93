import { newKey } from '../lib/new-key.ts'
import { createStore, type Store } from '../lib/store.ts'
import { noteUnkept } from '../lib/unkept.ts'
import { getAuth, getStoredProfile, type StoredAuth } from '../session/stored-auth.ts'
import { isKept, openBox } from './outbox-box.ts'
import { isReversed, type NewRecord, type OutboxRecord, type SentRecord, type Setback } from './outbox-record.ts'
import { createSender } from './outbox-sender.ts'

export interface Outbox {
  /** Everything in it, oldest first, also what belongs to others who use this phone. */
  records: Store<readonly OutboxRecord[]>
  /** Resolves once the record is on the disk, or the disk has refused it (`isKept`); sending goes on by itself. */
  enqueue(record: NewRecord): Promise<OutboxRecord>
  /** Takes a record out that cannot have reached the server; false for any other. */
  takeBack(record: OutboxRecord): Promise<boolean>
  /** The warden has read why it was turned down. */
  dismiss(record: OutboxRecord): Promise<void>
  /** Back into the queue, with the same key: a refused write left no trace at the server. */
  retry(record: OutboxRecord): Promise<void>
  /** Tells what the server took, in every tab, before the record leaves `records`. Answers how to stop. */
  onSent(listener: (sent: SentRecord) => void): () => void
  wake(): void
  start(): void
  stop(): void
}

type News = 'changed' | SentRecord

/**
 * Safety records: written to the phone first, then shown, then sent in order until the server has answered for each.
 * A record survives reload, crash and lost answers, and is applied once thanks to its key.
 */
export function createOutbox(name = 'evac-outbox'): Outbox {
  const box = openBox(name)
  const records = createStore<readonly OutboxRecord[]>([])
  const listeners = new Set<(sent: SentRecord) => void>()
  const channel = openChannel(name)
  const life = new AbortController()
  let started = false

  const show = (kept: readonly OutboxRecord[]) => {
    records.set(kept)
    noteUnkept('records', !kept.every(isKept))
  }
  const refresh = async () => {
    const kept = await box.list().catch(() => records.get())
    if (!isSame(kept, records.get())) show(kept)
  }
  const tellAll = async () => {
    await refresh()
    if (!life.signal.aborted) channel?.postMessage('changed' satisfies News)
  }
  const hearSent = (sent: SentRecord) => {
    for (const listener of listeners) listener(sent)
  }

  const settle = async (record: OutboxRecord, delivery: { sent: SentRecord } | { setback: Setback }) => {
    if ('setback' in delivery) await box.put({ ...record, setback: delivery.setback })
    else {
      hearSent(delivery.sent)
      if (!life.signal.aborted) channel?.postMessage(delivery.sent satisfies News)
      await file(delivery.sent)
    }
    await tellAll()
  }

  const file = async (sent: SentRecord) => {
    const { seq, ...record } = sent.record
    // The warden must learn that it counts for nothing: somebody has seen danger since, or the event began later.
    if ('superseded' in sent.reply && sent.reply.superseded) {
      const setback = sent.reply.person.status === 'danger' ? 'superseded' : 'before_event'
      await box.put({ ...sent.record, setback })
    } else if (isReversed(sent, await box.list())) await box.replace(seq, { ...record, key: newKey() })
    else await box.remove(seq)
  }

  const markTried = (seq: number) => box.look(seq, (record) => ({ ...record, tried: true }))
  const sender = createSender({ name, list: box.list, markTried, settle })

  const outbox: Outbox = {
    records,
    async enqueue(record) {
      const auth = getAuth()
      if (!auth) throw new Error('nobody is signed in')
      outbox.start()
      const stamp = { ...placeOf(auth), key: newKey(), observedAt: Date.now(), tried: navigator.onLine }
      const kept = await box.add({ ...record, ...stamp })
      // Shown without waiting for the list to be read again: the thumb is faster than that.
      show([...records.get(), kept])
      void tellAll()
      sender.wake()
      return kept
    },
    async takeBack({ seq }) {
      const found = await box.look(seq, (record) => (record.tried ? record : null))
      await tellAll()
      return found?.tried === false
    },
    async dismiss({ seq }) {
      await box.remove(seq)
      await tellAll()
    },
    async retry({ setback: _, ...record }) {
      await box.put(record as OutboxRecord)
      await tellAll()
      sender.wake()
    },
    onSent(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    wake: sender.wake,
    start() {
      if (started) return
      started = true
      if (channel)
        channel.onmessage = ({ data }: MessageEvent<News>) => (data === 'changed' ? void refresh() : hearSent(data))
      for (const sign of ['online', 'focus', 'pageshow'])
        window.addEventListener(sign, sender.wake, { signal: life.signal })
      const wakeWhenSeen = () => !document.hidden && sender.wake()
      document.addEventListener('visibilitychange', wakeWhenSeen, { signal: life.signal })
      void refresh()
      sender.wake()
    },
    stop() {
      life.abort()
      sender.stop()
      channel?.close()
      box.close()
    },
  }
  return outbox
}

/** Whose a record is, and in which event and role it was noted. */
function placeOf({ Person_UID: owner, WardenSignInUID: signIn, Warden_Assignment_UID: assignment }: StoredAuth) {
  const profile = getStoredProfile()
  const ownerName = profile ? `${profile.firstname} ${profile.lastname}` : null
  return { owner, ownerName, signIn, assignment }
}

/** Where site data is blocked a tab may not speak to others: each shows its own. */
function openChannel(name: string): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(name)
  } catch {
    return undefined
  }
}

/** The outbox of this phone. */
export const outbox = createOutbox()

/** Records do not change but for their setback; lists on screen are not drawn again for nothing. */
const isSame = (a: readonly OutboxRecord[], b: readonly OutboxRecord[]) =>
  a.length === b.length && a.every(({ seq, setback }, at) => b[at]?.seq === seq && b[at]?.setback === setback)
