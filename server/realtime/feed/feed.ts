import { setTimeout as delay } from 'node:timers/promises'
import type { InBatch } from '../../platform/db/batches.ts'
import type { Db } from '../../platform/db/db.ts'
import { shareReads } from '../../platform/db/shared-reads.ts'
import { inTurns } from '../../platform/one-after-another.ts'
import { closeCodes } from '../hub/codes.ts'
import type { Hub } from '../hub/hub.ts'
import type { History, Log } from '../hub/hub-context.ts'
import { findHorizon } from './feed.queries.ts'
import { Interruption, type InterruptionOptions } from './interruption.ts'
import { encode } from './join.ts'
import { JournalReader } from './journal-reader.ts'
import { crowdedFrom, Pacer } from './pacer.ts'
import { consequencesOf, type FeedEntry } from './publications.ts'
import { RecentPublications } from './recent-publications.ts'
import { recover } from './recovery.ts'
import { createSignal } from './signal.ts'
import type { WakeUp } from './wake-up.ts'

const maxRetryMs = 2000
/** Poll interval while entries wait for another transaction, because its end is not announced. */
const heldBackMs = 50
/**
 * Minimum pause between reads. Under load one read serves many commits; after a quiet period the first read is
 * immediate.
 */
const pauseMs = 10
/** Reads of the journal for returning phones. The rest of the pool is for the feed. */
const readsAtOnce = 3
const mostReadsWaiting = 20_000

export interface FeedOptions extends Pick<InterruptionOptions, 'blindMs' | 'noteGap'> {
  db: Db
  /** What thousands of phones ask at once. Left out, each asks alone. */
  inBatch?: InBatch | undefined
  hub: Pick<Hub, 'publish' | 'listeners' | 'disconnect' | 'disconnectChannel' | 'invalidate' | 'disconnectAll'>
  /** Determines the epoch. Called at the start and after each time the database was unreachable. */
  openEpoch: () => Promise<string>
  wakeUp: WakeUp
  log: Log
  pollMs?: number
  batchRows?: number
}

/**
 * Turns the journal into publications, in the order of transaction ids, without gaps.
 *
 *   start ──▶ find position  ──▶ read on ──▶ wait for a signal, or 1 s, or 50 ms while held back
 *                  ▲   another       │  ▲                       │
 *                  │   epoch:        │  └───────────────────────┘
 *                  │   invalidate    │ a read failed
 *                  │                 ▼
 *                  └──────────── pause, up to 2 s ──▶ 10 s without a read, or held back: close all sockets, once
 */
export class Feed implements History {
  readonly #options: FeedOptions
  readonly #journal: JournalReader
  readonly #pacer: Pacer
  readonly #interruption: Interruption
  readonly #shared = shareReads()
  readonly #inTurn = inTurns(readsAtOnce, mostReadsWaiting)
  readonly #signal = createSignal()
  readonly #stopping = new AbortController()
  readonly #started = Promise.withResolvers<void>()
  #recent = new RecentPublications(Number.POSITIVE_INFINITY)
  #failures = 0
  #readAt = performance.now()
  #finished: Promise<void> = Promise.resolve()

  constructor(options: FeedOptions) {
    this.#options = options
    const { hub } = options
    this.#pacer = new Pacer((channel) => hub.listeners(channel) > crowdedFrom)
    // a phone that comes back reads in the channel list how late it is
    this.#interruption = new Interruption({ ...options, onBegin: () => hub.disconnectAll(closeCodes.blind) })
    this.#journal = new JournalReader({
      ...options,
      publish: (entries) => this.#publish(entries),
      onHistory: (which) => {
        this.#recent = new RecentPublications(this.position())
        this.#pacer.clear()
        if (which === 'another') hub.invalidate()
      },
    })
  }

  /** Resolves when the first position in the journal is known. Retries until then. */
  start(): Promise<void> {
    this.#options.wakeUp.start(this.#signal.wake)
    this.#finished = this.#run()
    return this.#started.promise
  }

  async stop() {
    this.#stopping.abort()
    this.#signal.wake()
    await this.#options.wakeUp.stop()
    await this.#finished
  }

  /** Reads the journal now. Calls during a read cause one more read. */
  wake() {
    this.#signal.wake()
  }

  /** Call after a commit: wakes this process now and the others within 20 ms. */
  announce() {
    this.#signal.wake()
    this.#options.wakeUp.announce()
  }

  epoch(): string {
    return known(this.#journal.epoch)
  }

  position(): number {
    return known(this.#journal.position)
  }

  /**
   * What was published lately comes from memory. After a restart of this process phones share the reads of their event,
   * and statements for what each has missed on its own channel.
   */
  async since(channel: string, offset: number, limit: number) {
    const { db, inBatch } = this.#options
    if (offset > this.position() && offset > (await this.#newest())) return { publications: [], isComplete: false }
    const recent = this.#recent.since(channel, offset)
    if (recent) return { publications: recent.slice(0, limit), isComplete: recent.length <= limit }
    const read = () => recover(db, channel, offset, limit, inBatch)
    const isShared = channel.startsWith('event:')
    return isShared ? this.#shared(`${channel} ${offset} ${limit}`, () => this.#inTurn(read)) : read()
  }

  /** The newest offset of the database. A later one belongs to a database that has since been restored to an earlier state. What its client missed is unknown. */
  #newest() {
    return this.#shared('newest', async () => (await findHorizon(this.#options.db)).newest)
  }

  state() {
    const { position, heldBackSeconds } = this.#journal
    return { position, heldBackSeconds, failures: this.#failures }
  }

  async #run() {
    while (!this.#stopping.signal.aborted) {
      await this.#read()
      await this.#wait()
    }
    this.#started.resolve()
  }

  async #read() {
    try {
      if (this.#journal.epoch === null || this.#failures > 0) await this.#journal.findPosition()
      await this.#journal.readOn()
      this.#failures = 0
      this.#readAt = performance.now()
      this.#interruption.note((this.#journal.heldBackSeconds ?? 0) * 1000)
      this.#started.resolve()
      void this.#interruption.tell()
    } catch (error) {
      this.#failures += 1
      this.#options.log.error({ err: error, failures: this.#failures }, 'The real-time feed could not read the journal')
      this.#interruption.note(performance.now() - this.#readAt)
    }
    this.#tell()
  }

  /** After a failure, waits for the full pause. A wake-up does not shorten it. */
  async #wait() {
    const { signal } = this.#stopping
    if (this.#failures > 0) return delay(retryMs(this.#failures), undefined, { signal }).catch(() => undefined)
    const pollMs = this.#journal.heldBackSeconds === null ? (this.#options.pollMs ?? 1000) : heldBackMs
    await this.#signal.wait(Math.min(pollMs, this.#pacer.dueIn()))
    await delay(Math.max(0, this.#readAt + pauseMs - performance.now()))
  }

  /** All that was read in one turn, joined by channel. What waits in a crowded channel is told in a later turn. */
  #tell() {
    let due = this.#pacer.take()
    while (due.length > 0) {
      for (const { channel, data, at } of due) this.#options.hub.publish(channel, at, encode(data, at))
      due = this.#pacer.take()
    }
  }

  #publish(entries: readonly FeedEntry[]) {
    const { hub, log } = this.#options
    const offset = Number(entries[0]?.xid)
    try {
      const { publications, closings } = consequencesOf(entries)
      for (const publication of publications) {
        this.#recent.add(publication.channel, { offset, json: encode(publication.data, offset) })
        this.#pacer.add(offset, publication)
      }
      for (const { who, close, afterMs } of closings) {
        const when = { afterMs, spreadMs: afterMs / 4 }
        if ('sub' in who) hub.disconnect(who.sub, close, when)
        else hub.disconnectChannel(who.channel, close, when)
      }
    } catch (error) {
      log.error({ err: error, xid: offset }, 'A transaction could not be published')
    }
  }
}

function known<T>(value: T | null): T {
  if (value === null) throw new Error('The real-time feed has no position yet')
  return value
}

function retryMs(failures: number): number {
  return Math.min(100 * 2 ** failures, maxRetryMs) * (0.5 + Math.random() / 2)
}
