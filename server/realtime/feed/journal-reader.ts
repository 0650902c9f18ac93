import type { Db } from '../../platform/db/db.ts'
import type { Log } from '../hub/hub-context.ts'
import { findHorizon, findLastXid, type JournalPosition, listEntries } from './feed.queries.ts'
import type { FeedEntry } from './publications.ts'

/** Entries that wait longer than this behind an unfinished transaction are logged. */
const slowSeconds = 5
const lastPosition = '9223372036854775807'

export interface JournalReaderOptions {
  db: Db
  log: Log
  /** Determines the epoch. Called at the start and after each time the database was unreachable. */
  openEpoch: () => Promise<string>
  /** Receives the entries of one transaction. The position moves to them in the same turn of the event loop. */
  publish: (entries: readonly FeedEntry[]) => void
  /** A position was found: in the first history, or in another with which the database has returned. Earlier publications no longer count. */
  onHistory: (which: 'first' | 'another') => void
  batchRows?: number | undefined
  /** Where to go on in this history. Undefined: at its newest entry. */
  findStart?: (epoch: string) => number | undefined
}

/** Reads the journal in the order of transaction ids and keeps its position. */
export class JournalReader {
  readonly #options: JournalReaderOptions
  #epoch: string | null = null
  #position: number | null = null
  #timeline: string | null = null
  #heldBackSeconds: number | null = null

  constructor(options: JournalReaderOptions) {
    this.#options = options
  }

  get epoch() {
    return this.#epoch
  }

  /** The transaction id up to which everything has been published. Null before the first position. */
  get position() {
    return this.#position
  }

  /** Seconds that an unfinished transaction has held back later entries. */
  get heldBackSeconds() {
    return this.#heldBackSeconds
  }

  /**
   * Finds the position, which is always that of an entry. The database reuses the id of an empty transaction after a
   * crash; a client with that offset would miss the next change. At the first start, and after the database has
   * returned with another history, everything before now counts as published.
   */
  async findPosition() {
    const { db, log, openEpoch, onHistory, findStart } = this.#options
    const before = await findHorizon(db)
    const found = await openEpoch()
    const { finished, timeline } = await findHorizon(db)
    refuseAnother(before.timeline, timeline)
    this.#timeline = timeline
    if (found === this.#epoch) return
    const isAnother = this.#position !== null
    if (isAnother)
      log.warn({ from: this.#epoch, to: found }, 'The database was replaced or restored: every client refetches')
    this.#position = findStart?.(found) ?? (await findLastXid(db, finished))
    this.#epoch = found
    // after both, in the same turn: a client that reconnects at once sees the new epoch
    onHistory(isAnother ? 'another' : 'first')
  }

  /** Publishes everything committed since the last read. */
  async readOn() {
    const horizon = await findHorizon(this.#options.db)
    this.#noteHeldBack(horizon.heldBackSeconds)
    const last = this.#position as number
    // a connection pooler may switch to the new primary without an error
    refuseAnother(this.#timeline, horizon.timeline)
    if (horizon.newest < last) {
      this.#epoch = null
      throw new Error(`The journal went back from ${last} to ${horizon.newest}`)
    }
    await this.#readTransactions(last, horizon.finished)
  }

  /** Publishes a transaction once its last entry has been read, which may take several pages. */
  async #readTransactions(last: number, upTo: number) {
    const { db, batchRows = 1000 } = this.#options
    let position: JournalPosition = { xid: last, position: lastPosition }
    const current: FeedEntry[] = []
    let page: FeedEntry[]
    do {
      page = await listEntries(db, position, upTo, batchRows)
      for (const entry of page) {
        if (current[0] && current[0].xid !== entry.xid) this.#publish(current.splice(0))
        current.push(entry)
      }
      position = page.at(-1) ?? position
    } while (page.length === batchRows)
    if (current.length > 0) this.#publish(current)
  }

  /**
   * Moves the position in the same turn as the push, so that a new subscriber gets each publication exactly once, live
   * or from history.
   */
  #publish(entries: readonly FeedEntry[]) {
    this.#position = Number(entries[0]?.xid)
    this.#options.publish(entries)
  }

  #noteHeldBack(seconds: number | null) {
    const isSlow = (seconds ?? 0) > slowSeconds
    if (isSlow !== (this.#heldBackSeconds ?? 0) > slowSeconds) {
      if (isSlow) this.#options.log.warn({ seconds }, 'A long transaction delays the real-time feed')
      else this.#options.log.info({}, 'The real-time feed is up to date again')
    }
    this.#heldBackSeconds = seconds
  }
}

function refuseAnother(timeline: string | null, current: string) {
  if (timeline !== current) throw new Error(`The database went from timeline ${timeline} to ${current}`)
}
