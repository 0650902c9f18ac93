import type { Server } from 'node:http'
import type { Connection, Db } from '../platform/db/db.ts'
import { openEpoch } from './feed/epoch.ts'
import { Feed } from './feed/feed.ts'
import { createRedisWakeUp } from './feed/redis-wake-up.ts'
import { createPostgresWakeUp } from './feed/wake-up.ts'
import { Hub } from './hub/hub.ts'
import type { HubOptions, Log } from './hub/hub-context.ts'
import { verifyConnectionToken } from './hub/token.ts'

/** The default path of a Centrifugo server, which may take the hub's place behind it. */
export const socketPath = '/connection/websocket'

export interface RealtimeOptions
  extends Pick<HubOptions, 'isRevoked' | 'snapshot' | 'metrics' | 'pingSeconds' | 'expiryGraceSeconds'> {
  /** Sees all tenants: the feed belongs to none of them. */
  db: Db
  /** For the connection that listens for wake-ups. */
  connection: Connection
  /** A Redis that wakes the other processes; absent, or away: the database does. */
  redisUrl?: string | undefined
  /** Signs and checks connection tokens, nothing else. */
  key: Uint8Array
  appUrl: string
  log: Log
  pollMs?: number
}

/** Hub and feed together: the feed publishes to the hub, the hub recovers from the feed. */
export function createRealtime({ db, connection, redisUrl, key, appUrl, log, pollMs, ...rest }: RealtimeOptions) {
  const hub = new Hub({
    ...rest,
    log,
    verify: (token) => verifyConnectionToken(key, token),
    history: { position: () => feed.position(), since: (...range) => feed.since(...range) },
    epoch: () => feed.epoch(),
    allowedOrigins: [new URL(appUrl).origin],
  })
  const notices = createPostgresWakeUp(connection, log)
  const wakeUp = redisUrl ? createRedisWakeUp(redisUrl, notices, log) : notices
  const feed = new Feed({ db, hub, wakeUp, log, pollMs, openEpoch: () => openEpoch(db) })

  return {
    hub,
    feed,
    wakeUp,
    /** Sockets are let in once the feed knows its place. */
    async start(server: Server) {
      await feed.start()
      hub.attach(server, socketPath)
    },
    async stop(options?: { spreadMs?: number }) {
      await hub.close(options)
      await feed.stop()
    },
  }
}
