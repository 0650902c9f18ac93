import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Connection } from '../../platform/db/db.ts'
import type { Log } from '../hub/hub-context.ts'
import { coalesce } from './coalesce.ts'

/**
 * Tells the other processes that the journal has grown. Only a hint: a process that misses it finds the change at its
 * next poll.
 */
export interface WakeUp {
  start: (onWake: () => void) => void
  announce: () => void
  stop: () => Promise<void>
}

const channel = 'evac_feed'
/** A commit with NOTIFY takes a server-wide lock, so a busy process sends at most this often. */
const announceEveryMs = 20
const maxRetryMs = 5000

/** LISTEN and NOTIFY on a separate connection, which is reopened whenever it breaks. */
export function createPostgresWakeUp(connection: Connection, log: Log): WakeUp {
  const self = randomUUID()
  const stopping = new AbortController()
  let onWake = () => {}
  let client: pg.Client | null = null
  let isListening = false
  let failures = 0
  /** An announcement that could not be sent. It is sent as soon as the connection is back. */
  let isUnsent = false
  const notices = coalesce(announceEveryMs, notify)

  async function keepListening() {
    if (isListening) return
    isListening = true
    while (!stopping.signal.aborted) {
      await listen().catch((error) => log.warn({ err: error }, 'Cannot listen for wake-ups; polling continues'))
      client = null
      failures += 1
      const retryMs = Math.min(50 * 2 ** failures, maxRetryMs)
      await delay(retryMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }

  /** Resolves when the connection breaks. */
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
      if (isUnsent) notices.request()
      onWake() // covers announcements made while no one listened
      await lost
    } finally {
      await fresh.end().catch(() => undefined)
    }
  }

  async function notify() {
    isUnsent = client === null
    await client?.query('select pg_notify($1, $2)', [channel, self]).catch((error) => {
      log.warn({ err: error }, 'Could not wake the other processes; they poll')
    })
  }

  return {
    start(wake) {
      onWake = wake
      void keepListening()
    },
    /** Also works without `start`, for a process without a feed. */
    announce() {
      void keepListening()
      notices.request()
    },
    async stop() {
      stopping.abort()
      notices.stop()
      await client?.end().catch(() => undefined)
    },
  }
}
