import type { PersonUid } from '@evac/contract/ids.ts'
import { getAuth } from '../session/stored-auth.ts'
import { deliver } from './outbox-delivery.ts'
import { isWaiting, type OutboxRecord, type SentRecord, type Setback } from './outbox-record.ts'
import { withSenderLock } from './sender-lock.ts'

interface SenderOptions {
  /** Name of the lock that the tabs of this phone share. */
  name: string
  list: () => Promise<OutboxRecord[]>
  /** Told before the first try that may get through; undefined when the record was taken back meanwhile. */
  markTried: (seq: number) => Promise<OutboxRecord | undefined>
  /** Takes a record out of the queue; it is asked for the list again afterwards. */
  settle: (record: OutboxRecord, delivery: { sent: SentRecord } | { setback: Setback }) => Promise<void>
}
export interface Sender {
  /** Something may go better now: a new record, signal, the page is looked at again. */
  wake: () => void
  stop: () => void
}
type Outcome = 'done' | 'later'

const firstDelay = 1000
const longestDelay = 30_000

/** Sends what waits, one record at a time in the order of the taps, until nothing of this warden is left. */
export function createSender({ name, list, markTried, settle }: SenderOptions): Sender {
  const withLock = withSenderLock(name)
  let delay = firstDelay
  let timer: ReturnType<typeof setTimeout> | undefined
  let running = false
  let again = false
  let stopped = false

  const listMine = async () => {
    const owner = getAuth()?.Person_UID
    return (await list()).filter((record) => record.owner === owner && isWaiting(record))
  }

  const sendAll = async (isOver: () => boolean): Promise<Outcome> => {
    // A record that makes the server stumble must not hold up the people behind it; those of the same person wait.
    const stuck = new Set<PersonUid>()
    for (;;) {
      const mine = await listMine()
      const next = mine.find(({ about }) => !stuck.has(about.id))
      if (!next || stopped || isOver()) return mine.length ? 'later' : 'done'
      if (!next.tried && navigator.onLine && !(await markTried(next.seq))) continue
      const delivery = await deliver(next)
      if (delivery === 'not now') return 'later'
      if (delivery === 'stuck') stuck.add(next.about.id)
      else {
        await settle(next, delivery)
        delay = firstDelay
      }
    }
  }

  const takeTurn = async (): Promise<Outcome> => {
    const [head] = await listMine()
    return head ? withLock(head.key, sendAll) : 'done'
  }

  const run = async () => {
    clearTimeout(timer)
    if (running) {
      again = true
      return
    }
    running = true
    let outcome: Outcome = 'later'
    do {
      again = false
      // A database that cannot be read now is tried again like a server that cannot be reached.
      outcome = await takeTurn().catch(() => 'later' as const)
    } while (again && !stopped)
    running = false
    if (outcome === 'later' && !stopped) sleep()
  }

  const sleep = () => {
    // Thousands of phones come back together after an outage: none of them at the same moment.
    timer = setTimeout(run, delay * (0.5 + Math.random() / 2))
    delay = Math.min(delay * 2, longestDelay)
  }

  return {
    wake() {
      if (stopped) return
      delay = firstDelay
      void run()
    },
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
