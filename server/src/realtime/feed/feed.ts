import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../../platform/db/db.ts'
import { closeCodes } from '../hub/codes.ts'
import type { Hub } from '../hub/hub.ts'
import type { History, Log } from '../hub/hub-context.ts'
import { findHorizon, findLastXid, type JournalPlace, listEntries } from './feed.queries.ts'
import { consequencesOf, type FeedEntry } from './publications.ts'
import { isHandedOut, recover } from './recovery.ts'
import { createSignal } from './signal.ts'
import type { WakeUp } from './wake-up.ts'

const maxRetryMs = 2000
/** Longer than a restart of the database takes: then phones must not go on saying "Connected". */
const usualBlindMs = 10_000
/** An entry that waits longer than this behind an unfinished transaction is worth a line in the log. */
const slowSeconds = 5
/** Entries wait for another transaction, whose end nobody announces. */
const heldBackMs = 50
/** Under load one read serves many commits; after a quiet moment the first is read at once. */
const breatherMs = 10
const lastPosition = '9223372036854775807'

export interface FeedOptions {
  db: Db
  hub: Pick<Hub, 'publish' | 'disconnect' | 'disconnectChannel' | 'invalidate' | 'sendOff'>
  /** Finds out the epoch; asked at the start and again whenever the database was out of reach. */
  openEpoch: () => Promise<string>
  wakeUp: WakeUp
  log: Log
  pollMs?: number
  /** How long the journal may not be read before the sockets are sent off. */
  blindMs?: number
  /** Rows of one read. */
  batchRows?: number
}

interface Feed extends History {
  /** Resolves when the first place in the journal is known; until then it retries. */
  start: () => Promise<void>
  epoch: () => string
  /** Read on now. Calls during a read are one more read. */
  wake: () => void
  /** After a commit: wakes this process now and the others within 20 ms. */
  announce: () => void
  state: () => { position: number | null; heldBackSeconds: number | null; failures: number }
  stop: () => Promise<void>
}

/** HUB-21 to HUB-28: turns the journal into publications, in the order of transaction ids, leaving nothing out. */
export function createFeed(options: FeedOptions): Feed {
  const { db, hub, wakeUp, log, pollMs = 1000, blindMs = usualBlindMs, batchRows = 1000 } = options
  const signal = createSignal()
  const stopping = new AbortController()
  const started = Promise.withResolvers<void>()
  let epoch: string | null = null
  let position: number | null = null
  let timeline: string | null = null
  let heldBackSeconds: number | null = null
  let failures = 0
  let readAt = performance.now()
  let isBlind = false
  let finished: Promise<void> = Promise.resolve()

  async function run() {
    while (!stopping.signal.aborted) {
      try {
        if (epoch === null || failures > 0) await findPlace()
        await readOn()
        failures = 0
        readAt = performance.now()
        isBlind = false
        started.resolve()
      } catch (error) {
        failures += 1
        log.error({ err: error, failures }, 'The real-time feed could not read the journal')
        sendOffWhenBlind()
      }
      // After a failure only time helps: a wake-up would knock at a closed door.
      if (failures > 0) await delay(retryMs(failures), undefined, { signal: stopping.signal }).catch(() => undefined)
      else {
        await signal.wait(heldBackSeconds === null ? pollMs : heldBackMs)
        await delay(Math.max(0, readAt + breatherMs - performance.now()))
      }
    }
    started.resolve()
  }

  /** HUB-28: once for each blindness. */
  function sendOffWhenBlind() {
    if (isBlind || performance.now() - readAt < blindMs) return
    isBlind = true
    hub.sendOff(closeCodes.blind)
  }

  /**
   * HUB-22, HUB-27: a place is always that of an entry. The id of a transaction that left nothing is forgotten by a crash
   * and given again: whoever stood there would take the next change for one that they know. The first time, and
   * when the database came back as another one, everything before now is past.
   */
  async function findPlace() {
    const before = await findHorizon(db)
    const found = await options.openEpoch()
    const { newest, timeline: current } = await findHorizon(db)
    refuseAnother(before.timeline, current)
    timeline = current
    if (found === epoch) return
    const isAnother = position !== null
    if (isAnother) log.warn({ from: epoch, to: found }, 'Another database: every client fetches anew')
    position = await findLastXid(db, newest)
    epoch = found
    // after both, in the same turn: whoever comes back at once finds the new life
    if (isAnother) hub.invalidate()
  }

  async function readOn() {
    const horizon = await findHorizon(db)
    watchHeldBack(horizon.heldBackSeconds)
    const last = position as number
    // a pooler in between may lead to the new primary without a failure
    refuseAnother(timeline, horizon.timeline)
    if (horizon.newest < last) {
      epoch = null
      throw new Error(`The journal went back from ${last} to ${horizon.newest}`)
    }
    await readTransactions(last, horizon.newest)
  }

  /** A transaction is published when its last entry has been read, which may be some pages later. */
  async function readTransactions(last: number, upTo: number) {
    let place: JournalPlace = { xid: last, position: lastPosition }
    const current: FeedEntry[] = []
    let page: FeedEntry[]
    do {
      page = await listEntries(db, place, upTo, batchRows)
      for (const entry of page) {
        if (current[0] && current[0].xid !== entry.xid) publish(current.splice(0))
        current.push(entry)
      }
      place = page.at(-1) ?? place
    } while (page.length === batchRows)
    if (current.length > 0) publish(current)
  }

  /** The place moves in the same turn as the push, so that a new subscriber gets each publication once or by history. */
  function publish(entries: readonly FeedEntry[]) {
    const offset = Number(entries[0]?.xid)
    position = offset
    try {
      const { publications, closings } = consequencesOf(entries)
      for (const { channel, data } of publications) hub.publish(channel, offset, JSON.stringify(data))
      for (const { who, close, afterMs } of closings) {
        const when = { afterMs, spreadMs: afterMs / 4 }
        if ('sub' in who) hub.disconnect(who.sub, close, when)
        else hub.disconnectChannel(who.channel, close, when)
      }
    } catch (error) {
      log.error({ err: error, xid: offset }, 'A transaction could not be published')
    }
  }

  function watchHeldBack(seconds: number | null) {
    const isSlow = (seconds ?? 0) > slowSeconds
    if (isSlow !== (heldBackSeconds ?? 0) > slowSeconds) {
      if (isSlow) log.warn({ seconds }, 'A long transaction holds the real-time feed back')
      else log.info({}, 'The real-time feed is up to date again')
    }
    heldBackSeconds = seconds
  }

  return {
    start() {
      wakeUp.start(signal.wake)
      finished = run()
      return started.promise
    },
    epoch: () => known(epoch),
    position: () => known(position),
    async since(channel, offset, limit) {
      if (offset > known(position) && !(await isHandedOut(db, offset))) return { publications: [], isComplete: false }
      return recover(db, channel, offset, limit)
    },
    wake: signal.wake,
    announce() {
      signal.wake()
      wakeUp.announce()
    },
    state: () => ({ position, heldBackSeconds, failures }),
    async stop() {
      stopping.abort()
      signal.wake()
      await wakeUp.stop()
      await finished
    },
  }
}

function refuseAnother(timeline: string | null, current: string) {
  if (timeline !== current) throw new Error(`The database went from timeline ${timeline} to ${current}`)
}

function known<T>(value: T | null): T {
  if (value === null) throw new Error('The real-time feed has not found its place yet')
  return value
}

function retryMs(failures: number): number {
  return Math.min(100 * 2 ** failures, maxRetryMs) * (0.5 + Math.random() / 2)
}
