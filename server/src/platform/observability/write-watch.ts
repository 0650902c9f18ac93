import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type Connection, sqlState } from '../db/db.ts'
import { loggedError } from './logged-error.ts'

/** How often a write is tried, and how often while writes fail. */
const usualTimes = { everyMs: 60_000, whileFailingMs: 2_000 }

/**
 * Nothing can be written: the disk is full, files cannot be written, or the database is read-only (a standby). What is
 * slow or lost is the pulse's business.
 */
const cannotWrite = /^(53100|58030|25006)$/

/** New pages of a file, which a full disk refuses, and none of them stays. */
const tryToWrite = `create temporary table evac_write_probe on commit drop as select repeat('x', 8000) as filler`

export interface WriteWatch {
  takesWrites(): boolean
  /** Told of an error that a request met: a write that could not be done is looked into at once. */
  suspect(error: unknown): void
  stop(): Promise<void>
}

/**
 * F30: knows whether the database takes writes while it answers reads. Tries one on a connection of its own, so that it
 * stands in no queue; only the database's own word that it cannot write counts, never slowness: a surge takes no node out.
 */
export function watchWrites(
  connection: Connection,
  log: { warn(details: object, message: string): void },
  times?: Partial<typeof usualTimes>,
): WriteWatch {
  const { everyMs, whileFailingMs } = { ...usualTimes, ...times }
  const stopping = new AbortController()
  let next = new AbortController()
  let isFailing = false

  function judge(error: unknown) {
    const fails = cannotWrite.test(sqlState(error) ?? '')
    if (fails && !isFailing) log.warn({ err: loggedError(error as Error) }, 'The database takes no writes')
    // a probe that failed for another reason tells nothing
    if (error === undefined && isFailing) log.warn({}, 'The database takes writes again')
    isFailing = fails || (isFailing && error !== undefined)
  }

  async function run() {
    while (!stopping.signal.aborted) {
      judge(await failureOfProbe(connection))
      next = new AbortController()
      const woken = AbortSignal.any([stopping.signal, next.signal])
      await delay(isFailing ? whileFailingMs : everyMs, undefined, { signal: woken }).catch(() => undefined)
    }
  }

  const running = run()
  return {
    takesWrites: () => !isFailing,
    suspect(error) {
      if (isFailing || !cannotWrite.test(sqlState(error) ?? '')) return
      judge(error)
      next.abort()
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}

async function failureOfProbe(connection: Connection): Promise<unknown> {
  const client = new pg.Client({
    ...connection,
    application_name: 'evac_write_probe',
    connectionTimeoutMillis: 2_000,
    query_timeout: 10_000,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query(tryToWrite)
    return undefined
  } catch (error) {
    return error
  } finally {
    void client.end().catch(() => undefined)
  }
}
