import * as limits from '#kernel/limits.ts'
import type { Db } from '../../platform/db/db.ts'
import { endEpoch } from '../feed/epoch.queries.ts'
import { findHorizon, listRecentEntries } from '../feed/feed.queries.ts'
import { JournalReader } from '../feed/journal-reader.ts'
import { crowdedFrom, Pacer } from '../feed/pacer.ts'
import { type Closing, consequencesOf, type FeedEntry } from '../feed/publications.ts'
import type { Log } from '../hub/hub-context.ts'
import { beginPosition, findPosition, listCrowdedEvents, movePosition } from './centrifugo.queries.ts'
import type { Centrifugo } from './centrifugo.ts'

interface PublisherOptions {
  db: Db
  log: Log
  centrifugo: Centrifugo
  openEpoch: () => Promise<string>
  close: (closing: Closing) => void
  /** Every phone reads everything on its screen again. */
  tellAll: () => Promise<void>
  patience: { patienceMs: number; signal: AbortSignal }
}

/** The position says at least this often that all is well. */
const noteMs = 1000
const countMs = 5000
/** The leader before may have died before it closed these sockets. A second close finds them closed. */
const closeAgainSeconds = 10

/** Reads the journal and publishes it, for as long as this process leads. After a failure another one goes on at the position. */
export class Publisher {
  readonly #options: PublisherOptions
  readonly #reader: JournalReader
  readonly #pacer = new Pacer((channel) => this.#crowded.has(channel))
  #crowded: ReadonlySet<string> = new Set()
  #countedAt = Number.NEGATIVE_INFINITY
  #start: { xid: number; epoch: string } | undefined
  #noted = { xid: 0, at: 0 }

  constructor(options: PublisherOptions) {
    this.#options = options
    this.#reader = new JournalReader({
      ...options,
      publish: (entries) => this.#add(entries),
      onHistory: () => undefined,
      findStart: (epoch) => (this.#start?.epoch === epoch ? this.#start.xid : undefined),
    })
  }

  get position() {
    return this.#reader.position ?? 0
  }

  get heldBackSeconds() {
    return this.#reader.heldBackSeconds
  }

  dueIn = () => this.#pacer.dueIn()

  /**
   * Goes on where the leader before was. Returns how many milliseconds live updates are late. In another history of the database,
   * and after an hour without a leader, it begins at the newest entry: no socket is older than its token.
   */
  async begin(): Promise<number> {
    const { db, log, tellAll } = this.#options
    const known = await findPosition(db)
    const { newest } = await findHorizon(db)
    if (known && known.xid > newest) {
      log.error({ from: known.xid, to: newest }, 'The journal went back: the database has another history')
      await endEpoch(db)
    }
    const isOld = known && known.secondsAgo > limits.realtimeTokenSeconds
    this.#start = isOld ? undefined : known
    await this.#reader.findPosition()
    if (known && this.#start?.epoch === this.#reader.epoch) {
      this.#noted = { xid: known.xid, at: 0 }
      const recent = await listRecentEntries(db, known.xid, closeAgainSeconds)
      for (const closing of consequencesOf(recent).closings) this.#options.close(closing)
      return known.secondsAgo * 1000
    }
    // said before it is noted: a leader that dies in between says it again
    if (known) await tellAll()
    await beginPosition(db, this.#place())
    return 0
  }

  /** Publishes what was committed since, one publication a channel in each request, and notes the position. */
  async publishOn() {
    const { centrifugo, patience } = this.#options
    await this.#count()
    await this.#reader.readOn()
    const { epoch } = this.#place()
    for (let due = this.#pacer.take(); due.length > 0; due = this.#pacer.take()) {
      const commands = due.map(({ channel, data, at }) => ({
        publish: { channel, data: { ...data, at }, version: at, version_epoch: epoch },
      }))
      await centrifugo.tell(commands, patience)
    }
    await this.#note()
  }

  #add(entries: readonly FeedEntry[]) {
    const { log, close } = this.#options
    const xid = Number(entries[0]?.xid)
    try {
      const { publications, closings } = consequencesOf(entries)
      for (const publication of publications) this.#pacer.add(xid, publication)
      for (const closing of closings) close(closing)
    } catch (error) {
      log.error({ err: error, xid }, 'A transaction could not be published')
    }
  }

  /** Everything before what still waits. */
  #place() {
    const waits = this.#pacer.oldest()
    return { xid: waits === undefined ? this.position : waits - 1, epoch: this.#reader.epoch as string }
  }

  async #note() {
    const place = this.#place()
    const now = performance.now()
    if (place.xid === this.#noted.xid && now - this.#noted.at < noteMs) return
    await movePosition(this.#options.db, place)
    this.#noted = { xid: place.xid, at: now }
  }

  async #count() {
    const now = performance.now()
    if (now - this.#countedAt < countMs) return
    this.#countedAt = now
    const events = await listCrowdedEvents(this.#options.db, crowdedFrom)
    this.#crowded = new Set(events.map((uid) => `event:${uid}`))
  }
}
