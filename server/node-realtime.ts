import type { Server } from 'node:http'
import type { Logger } from 'pino'
import { channelSnapshot, isOver } from '#features/live-updates/server/realtime.service.ts'
import { noteFeedGap } from '#features/log/server/outages/outages.service.ts'
import type { Services } from './http/services.ts'
import type { Config } from './platform/config/config.ts'
import type { Connection, Db } from './platform/db/db.ts'
import type { Metrics } from './platform/observability/metrics.ts'
import type { Service } from './platform/observability/watch-services.ts'
import type { Keyring } from './platform/secrets.ts'
import { meterPosition } from './realtime/centrifugo/position.metrics.ts'
import type { ContactOfPhones } from './realtime/contact/phone-contact.ts'
import { createLeader, createRealtime } from './realtime/realtime.ts'

interface Needs {
  config: Config
  connection: Connection
  system: Db
  log: Logger
  metrics: Metrics
  /** Signs and verifies connection tokens. */
  keys: Keyring
  inBatch: Services['inBatch']
  isDatabaseAway: () => boolean
  contact: ContactOfPhones
}

/** What a node does for live updates. */
export interface NodeRealtime {
  /** After a commit: tells those who publish. */
  announce: () => void
  /** Sockets of this node. */
  sockets: () => number
  /** The role `hub`: accepts sockets, or publishes to Centrifugo. */
  start: (server: Server) => Promise<void>
  closeSockets: () => Promise<unknown>
  stop: () => Promise<void>
  /** To watch. */
  services: Service[]
}

/** Live updates by the own hub, or by Centrifugo. */
export function openRealtime(needs: Needs): NodeRealtime {
  const { centrifugo } = needs.config
  return centrifugo ? withCentrifugo(needs, centrifugo) : withOwnHub(needs)
}

/** What both need of a node. */
const common = ({ system, connection, log }: Needs) => ({
  db: system,
  connection,
  log,
  noteGap: (gap: Parameters<typeof noteFeedGap>[1]) => noteFeedGap(system, gap),
})

function withOwnHub(needs: Needs): NodeRealtime {
  const { config, system, metrics, keys, inBatch, isDatabaseAway, contact } = needs
  const { hub, feed, start } = createRealtime({
    ...common(needs),
    inBatch,
    keys,
    appUrl: config.appUrl,
    metrics: { count: (what, by = 1) => metrics.realtime.inc({ what }, by) },
    isDatabaseAway,
    noteContact: contact.note,
    isRevoked: (claims) => isOver({ inBatch }, claims),
    snapshot: (channel) => channelSnapshot(system, channel),
  })
  contact.follow(() => hub.participations())
  return {
    announce: () => feed.announce(),
    sockets: () => hub.counts().connections,
    start,
    closeSockets: () => hub.close({ spreadMs: 1000 }),
    stop: () => feed.stop(),
    services: [],
  }
}

/** Phones are in contact by what they ask: the channel list comes each 30 s. */
function withCentrifugo(needs: Needs, centrifugo: NonNullable<Config['centrifugo']>): NodeRealtime {
  const { leader, check } = createLeader({ ...common(needs), centrifugo })
  meterPosition(needs.metrics, needs.system, needs.isDatabaseAway)
  return {
    announce: () => leader.announce(),
    sockets: () => 0,
    start: async () => leader.start(),
    closeSockets: async () => undefined,
    stop: () => leader.stop(),
    services: [{ name: 'centrifugo', check, everyMs: 5_000 }],
  }
}
