import type { Db } from '../../platform/db/db.ts'
import type { Log } from '../hub/hub-context.ts'
import { findHorizon, findLastXid, type JournalPlace, listEntries } from './feed.queries.ts'
import type { FeedEntry } from './publications.ts'

/** An entry that waits longer than this behind an unfinished transaction is worth a line in the log. */
const slowSeconds = 5
const lastPosition = '9223372036854775807'

export interface JournalReaderOptions {
  db: Db
  log: Log
  /** Finds out the epoch; asked at the start and again whenever the database was out of reach. */
  openEpoch: () => Promise<string>
  /** Takes the entries of one transaction. The place has moved to them in the same turn. */
  publish: (entries: readonly FeedEntry[]) => void
  /** The database came back as another one: what was published before is past. */
  onAnotherEpoch: () => void
  /** Rows of one read. */
  batchRows?: number | undefined
}

/** HUB-21, HUB-22, HUB-27: reads the journal in the order of transaction ids, and knows how far. */
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

  /** The transaction id up to which everything has been published; null before the first place. */
  get position() {
    return this.#position
  }

  /** How long an unfinished transaction has kept later entries waiting. */
  get heldBackSeconds() {
    return this.#heldBackSeconds
  }

  /**
   * A place is always that of an entry. The id of a transaction that left nothing is forgotten by a crash and given again:
   * whoever stood there would take the next change for one that they know. The first time, and when the database came
   * back as another one, everything before now is past.
   */
  async findPlace() {
    const { db, log, openEpoch, onAnotherEpoch } = this.#options
    const before = await findHorizon(db)
    const found = await openEpoch()
    const { newest, timeline } = await findHorizon(db)
    refuseAnother(before.timeline, timeline)
    this.#timeline = timeline
    if (found === this.#epoch) return
    const isAnother = this.#position !== null
    if (isAnother) log.warn({ from: this.#epoch, to: found }, 'Another database: every client fetches anew')
    this.#position = await findLastXid(db, newest)
    this.#epoch = found
    // after both, in the same turn: whoever comes back at once finds the new life
    if (isAnother) onAnotherEpoch()
  }

  /** Publishes what was committed since the last read. */
  async readOn() {
    const horizon = await findHorizon(this.#options.db)
    this.#noteHeldBack(horizon.heldBackSeconds)
    const last = this.#position as number
    // a pooler in between may lead to the new primary without a failure
    refuseAnother(this.#timeline, horizon.timeline)
    if (horizon.newest < last) {
      this.#epoch = null
      throw new Error(`The journal went back from ${last} to ${horizon.newest}`)
    }
    await this.#readTransactions(last, horizon.newest)
  }

  /** A transaction is published when its last entry has been read, which may be some pages later. */
  async #readTransactions(last: number, upTo: number) {
    const { db, batchRows = 1000 } = this.#options
    let place: JournalPlace = { xid: last, position: lastPosition }
    const current: FeedEntry[] = []
    let page: FeedEntry[]
    do {
      page = await listEntries(db, place, upTo, batchRows)
      for (const entry of page) {
        if (current[0] && current[0].xid !== entry.xid) this.#publish(current.splice(0))
        current.push(entry)
      }
      place = page.at(-1) ?? place
    } while (page.length === batchRows)
    if (current.length > 0) this.#publish(current)
  }

  /** The place moves in the same turn as the push, so that a new subscriber gets each publication once or by history. */
  #publish(entries: readonly FeedEntry[]) {
    this.#position = Number(entries[0]?.xid)
    this.#options.publish(entries)
  }

  #noteHeldBack(seconds: number | null) {
    const isSlow = (seconds ?? 0) > slowSeconds
    if (isSlow !== (this.#heldBackSeconds ?? 0) > slowSeconds) {
      if (isSlow) this.#options.log.warn({ seconds }, 'A long transaction holds the real-time feed back')
      else this.#options.log.info({}, 'The real-time feed is up to date again')
    }
    this.#heldBackSeconds = seconds
  }
}

function refuseAnother(timeline: string | null, current: string) {
  if (timeline !== current) throw new Error(`The database went from timeline ${timeline} to ${current}`)
}
