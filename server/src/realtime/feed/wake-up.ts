import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Connection } from '../../platform/db/db.ts'
import type { Log } from '../hub/hub-context.ts'
import { coalesce } from './coalesce.ts'

/** Tells the other processes that the journal has grown. A hint only: whoever misses one finds out at its next poll. */
export interface WakeUp {
  start: (onWake: () => void) => void
  announce: () => void
  /** Throws while notices have to go another way. */
  check?: () => Promise<void>
  stop: () => Promise<void>
}

const channel = 'evac_feed'
/** A commit with NOTIFY takes a lock of the whole database server, so a busy process says it at most this often. */
const announceEveryMs = 20
const maxRetryMs = 5000

/** HUB-29: LISTEN and NOTIFY on a connection of their own, which is opened again whenever it is lost. */
export function createPostgresWakeUp(connection: Connection, log: Log): WakeUp {
  const self = randomUUID()
  const stopping = new AbortController()
  let onWake = () => {}
  let client: pg.Client | null = null
  let isListening = false
  let failures = 0
  /** Announced while it could not be said: it is said as soon as it can. */
  let isUnsaid = false
  const notices = coalesce(announceEveryMs, notify)

  async function keepListening() {
    if (isListening) return
    isListening = true
    while (!stopping.signal.aborted) {
      await listen().catch((error) => log.warn({ err: error }, 'Cannot listen for wake-ups; polling goes on'))
      client = null
      failures += 1
      const retryMs = Math.min(50 * 2 ** failures, maxRetryMs)
      await delay(retryMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }

  /** Resolves when the connection is lost. */
  async function listen() {
    const fresh = new pg.Client({ ...connection, keepAlive: true, application_name: 'evac_feed' })
    const lost = new Promise<void>((resolve) => {
      fresh.on('error', () => resolve())
      fresh.on('end', resolve)
    })
    fresh.on('notification', ({ payload }) => payload !== self && onWake())
    try {
      await fresh.connect()
      await fresh.query(`listen ${channel}`)
      if (stopping.signal.aborted) return
      client = fresh
      failures = 0
      if (isUnsaid) notices.wish()
      onWake() // whatever was announced while nobody listened
      await lost
    } finally {
      await fresh.end().catch(() => undefined)
    }
  }

  async function notify() {
    isUnsaid = client === null
    await client?.query('select pg_notify($1, $2)', [channel, self]).catch((error) => {
      log.warn({ err: error }, 'Could not wake the other processes; they poll')
    })
  }

  return {
    start(wake) {
      onWake = wake
      void keepListening()
    },
    /** Works without a start too, for a process that has no feed of its own. */
    announce() {
      void keepListening()
      notices.wish()
    },
    async stop() {
      stopping.abort()
      notices.stop()
      await client?.end().catch(() => undefined)
    },
  }
}
