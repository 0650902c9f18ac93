import { setImmediate as afterReading, setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type Connection, cut } from '../db/db.ts'

const isStandby = `select pg_is_in_recovery() as "isStandby"`
/** How often the database is checked, and after what silence it counts as away. */
const usualTimes = { everyMs: 500, patienceMs: 2_000 }

export interface Pulse {
  /** The database has been silent for too long. */
  isAway(): boolean
  /** The database has answered and the connection has not been lost since. */
  isAnswering(): boolean
  stop(): Promise<void>
}

interface PulseOptions {
  /** Called when the database falls silent and each time a standby answers: old connections are useless then. */
  onLost: () => void
  onBeat: () => void
  /** A query to run at each check of a primary. */
  ask?: (client: pg.Client) => Promise<unknown>
  log: { warn(message: string): void }
  times?: Partial<typeof usualTimes>
}

const checkNothing = async () => {}

/**
 * Checks on a connection of its own whether the primary answers. A stopped server closes its connections; a network
 * blackhole does not, and queries would wait for minutes. A standby, or a demoted primary, answers but is read-only and
 * outdated.
 */
export function startPulse(
  connection: Connection,
  { onLost, onBeat, ask = checkNothing, log, times }: PulseOptions,
): Pulse {
  const { everyMs, patienceMs } = { ...usualTimes, ...times }
  const stopping = new AbortController()
  let lastBeat = performance.now()
  let isAway = false
  let isAnswering = false

  const beat = () => {
    lastBeat = performance.now()
    if (isAway) log.warn('The database answers again')
    isAway = false
    isAnswering = true
    onBeat()
  }

  const noteSilence = () => {
    if (isAway || stopping.signal.aborted || performance.now() - lastBeat < patienceMs) return
    isAway = true
    log.warn('The database does not answer. Requests get 503 until it does')
    onLost()
  }

  /**
   * Drops all connections. A connection that stayed on a standby would fail forever; a new one may reach the primary.
   */
  function dropConnections() {
    onLost()
    noteSilence()
  }

  /** Checks repeatedly until the connection fails or an answer is overdue. */
  async function keepChecking() {
    const client = new pg.Client({ ...connection, application_name: 'evac_pulse' })
    client.on('error', () => undefined)
    client.on('end', () => (isAnswering = false))
    try {
      await within(patienceMs, client.connect())
      for (; !stopping.signal.aborted; await delay(everyMs, undefined, stopping)) {
        const { rows } = await within(patienceMs, client.query(isStandby))
        if (rows[0].isStandby) return dropConnections()
        await within(patienceMs, ask(client))
        beat()
      }
    } finally {
      isAnswering = false
      cut(client)
    }
  }

  async function run() {
    while (!stopping.signal.aborted) {
      await keepChecking().catch(noteSilence)
      await delay(50)
    }
  }

  const running = run()
  return {
    isAway: () => isAway,
    isAnswering: () => isAnswering,
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** Reads an answer that arrived while this process was busy before the timeout counts. */
async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  const limit = new AbortController()
  const overdue = delay(ms, undefined, { signal: limit.signal }).then(async () => {
    await afterReading()
    await afterReading()
    throw new Error('the database does not answer')
  })
  try {
    return await Promise.race([answer, overdue])
  } finally {
    limit.abort()
    overdue.catch(() => undefined)
    answer.catch(() => undefined)
  }
}
