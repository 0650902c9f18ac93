import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type Connection, sqlState } from '../db/db.ts'
import { loggedError } from './logged-error.ts'

/** How often a write is tried, normally and while writes fail. */
const usualTimes = { everyMs: 60_000, whileFailingMs: 2_000 }

/**
 * Nothing can be written: the disk is full, files cannot be written, or the database is read-only (a standby). The
 * pulse handles slow and lost databases.
 */
const cannotWrite = /^(53100|58030|25006)$/

/** Allocates new file pages, which fails on a full disk. Nothing of it remains. */
const tryToWrite = `create temporary table evac_write_probe on commit drop as select repeat('x', 8000) as filler`

export interface WriteWatch {
  takesWrites(): boolean
  /** Reports an error of a request: a failed write is checked at once. */
  suspect(error: unknown): void
  stop(): Promise<void>
}

/**
 * Detects whether a database that answers reads also accepts writes. Tries a write on its own connection, so that
 * it waits in no queue. Only an explicit error of the database counts, never slowness: a surge must not take a node
 * out.
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
    if (fails && !isFailing) log.warn({ err: loggedError(error as Error) }, 'The database accepts no writes')
    // a probe that failed for another reason proves nothing
    if (error === undefined && isFailing) log.warn({}, 'The database accepts writes again')
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
