import type { Server } from 'node:http'
import type { CentrifugoAddress } from '../platform/config/service-addresses.ts'
import type { InBatch } from '../platform/db/batches.ts'
import type { Connection, Db } from '../platform/db/db.ts'
import { openOutgoing } from '../platform/outgoing.ts'
import type { Keyring } from '../platform/secrets.ts'
import { Centrifugo } from './centrifugo/centrifugo.ts'
import { Leader } from './centrifugo/leader.ts'
import { openEpoch } from './feed/epoch.ts'
import { Feed, type FeedOptions } from './feed/feed.ts'
import { createPostgresWakeUp } from './feed/wake-up.ts'
import { Hub } from './hub/hub.ts'
import type { HubOptions, Log } from './hub/hub-context.ts'
import { verifyConnectionToken } from './hub/token.ts'

/** The default path of a Centrifugo server, which could replace the hub. */
export const socketPath = '/connection/websocket'

export interface RealtimeOptions
  extends Pick<
    HubOptions,
    'isDatabaseAway' | 'isRevoked' | 'snapshot' | 'noteContact' | 'metrics' | 'pingSeconds' | 'expiryGraceSeconds'
  > {
  /** Sees all tenants, because the feed serves all of them. */
  db: Db
  /** What thousands of phones ask at once. Left out, each asks alone. */
  inBatch?: InBatch
  /** For the connection that listens for wake-ups. */
  connection: Connection
  /** Signs and verifies connection tokens, nothing else. */
  keys: Keyring
  appUrl: string
  log: Log
  pollMs?: number
  /** Live updates were delayed. Left out: no one is told. */
  noteGap?: FeedOptions['noteGap']
}

interface LeaderSettings extends Pick<RealtimeOptions, 'db' | 'connection' | 'log' | 'pollMs' | 'noteGap'> {
  centrifugo: CentrifugoAddress
}

/** Instead of both, where Centrifugo holds the sockets. */
export function createLeader({ centrifugo, ...options }: LeaderSettings) {
  // it stands beside Evac, so no proxy leads there
  const api = new Centrifugo(centrifugo, openOutgoing({ outgoingProxy: '' }), options.log)
  const wakeUp = createPostgresWakeUp(options.connection, options.log)
  return { leader: new Leader({ ...options, centrifugo: api, wakeUp }), check: () => api.check() }
}

/** Connects hub and feed: the feed publishes to the hub, the hub recovers from the feed. */
export function createRealtime({
  db,
  inBatch,
  connection,
  keys,
  appUrl,
  log,
  pollMs,
  noteGap,
  ...rest
}: RealtimeOptions) {
  const hub = new Hub({
    ...rest,
    log,
    verify: (token) => verifyConnectionToken(keys, token),
    history: {
      position: () => feed.position(),
      since: (...range) => feed.since(...range),
    },
    epoch: () => feed.epoch(),
    allowedOrigins: [new URL(appUrl).origin],
  })
  const wakeUp = createPostgresWakeUp(connection, log)
  const feed = new Feed({ db, inBatch, hub, wakeUp, log, pollMs, noteGap, openEpoch: () => openEpoch(db) })

  return {
    hub,
    feed,
    /** Accepts sockets once the feed has found its position. */
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
