import { setTimeout as delay } from 'node:timers/promises'
import type { Connection, Db } from '../../platform/db/db.ts'
import { openEpoch } from '../feed/epoch.ts'
import { Interruption, type InterruptionOptions } from '../feed/interruption.ts'
import { createSignal } from '../feed/signal.ts'
import type { WakeUp } from '../feed/wake-up.ts'
import type { Log } from '../hub/hub-context.ts'
import { listRunningEvents } from './centrifugo.queries.ts'
import type { Centrifugo } from './centrifugo.ts'
import { Closer } from './closer.ts'
import { openLeadership } from './leadership.ts'
import { Publisher } from './publisher.ts'

export interface LeaderOptions extends Pick<InterruptionOptions, 'blindMs' | 'noteGap'> {
  db: Db
  /** For the connection that holds the leader's lock. */
  connection: Connection
  centrifugo: Centrifugo
  wakeUp: WakeUp
  log: Log
  pollMs?: number | undefined
  /** After this without success another process may try: perhaps only this one cannot reach Centrifugo. */
  patienceMs?: number
}

/** Between two tries to become the leader, and longer after a failure, so that another process comes first. */
const [standMs, stepAsideMs] = [500, 1500]
const heldBackMs = 50
const pauseMs = 10

/**
 * One process publishes the journal to Centrifugo for all: the one that holds the lock.
 *
 *   stand ──▶ lock taken ──▶ go on at the position ──▶ confirm, read, publish, note the position ──▶ wait for a signal
 *     ▲                                                       │  ▲                                       │
 *     └──────────── anything failed: let go, pause ◀──────────┘  └───────────────────────────────────────┘
 *
 * A leader that dies between publishing and noting has its last publications sent again. Centrifugo drops what is not newer.
 */
export class Leader {
  readonly #options: LeaderOptions
  readonly #closer: Closer
  readonly #signal = createSignal()
  readonly #stopping = new AbortController()
  #finished: Promise<void> = Promise.resolve()

  constructor(options: LeaderOptions) {
    this.#options = options
    this.#closer = new Closer({ ...options, signal: this.#stopping.signal })
  }

  start() {
    this.#options.wakeUp.start(this.#signal.wake)
    this.#finished = this.#run()
  }

  /** Call after a commit: wakes the leader, which may be this process. */
  announce() {
    this.#signal.wake()
    this.#options.wakeUp.announce()
  }

  async stop() {
    this.#stopping.abort()
    this.#signal.wake()
    await this.#options.wakeUp.stop()
    await this.#finished
  }

  async #run() {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      await this.#stand().catch((error) => {
        if (!signal.aborted) this.#options.log.error({ err: error }, 'The leader of live updates steps aside')
      })
      await this.#pause(stepAsideMs)
    }
  }

  async #stand() {
    const { signal } = this.#stopping
    await using leadership = await openLeadership(this.#options.connection)
    while (!signal.aborted && !(await leadership.take())) await this.#pause(standMs)
    if (!signal.aborted) await this.#lead(leadership)
  }

  async #lead(leadership: { confirm: () => Promise<void> }) {
    const { log, centrifugo, db, patienceMs = 5000, ...options } = this.#options
    const { signal } = this.#stopping
    const tellAll = () => this.#tellAll(patienceMs)
    const onBegin = () =>
      void tellAll().catch((error) => log.warn({ err: error }, 'Phones do not know that they are late'))
    const interruption = new Interruption({ ...options, log, onBegin })
    const publisher = new Publisher({
      db,
      log,
      centrifugo,
      openEpoch: () => openEpoch(db),
      close: (closing) => this.#closer.close(closing),
      tellAll,
      patience: { patienceMs, signal },
    })
    interruption.note(await publisher.begin())
    log.info({ position: publisher.position }, 'This process publishes live updates to Centrifugo')
    while (!signal.aborted) {
      await leadership.confirm()
      await publisher.publishOn()
      interruption.note((publisher.heldBackSeconds ?? 0) * 1000)
      void interruption.tell()
      const pollMs = publisher.heldBackSeconds === null ? (options.pollMs ?? 1000) : heldBackMs
      await this.#signal.wait(Math.min(pollMs, publisher.dueIn()))
      await this.#pause(pauseMs)
    }
  }

  /** Every phone reads everything on its screen again, and how late live updates are. */
  async #tellAll(patienceMs: number) {
    const { db, centrifugo } = this.#options
    const data = { status: 'ok', message: null, event: { status: true, ended_by: null }, refetch: true }
    const events = await listRunningEvents(db)
    const commands = events.map((uid) => ({ publish: { channel: `event:${uid}`, data } }))
    await centrifugo.tell(commands, { patienceMs, signal: this.#stopping.signal })
  }

  #pause(ms: number) {
    return delay(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
  }
}
