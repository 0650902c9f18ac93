import type { Allowances } from './allowance.ts'
import type { StoredPublication } from './frames.ts'
import type { PingWheel } from './ping-wheel.ts'
import type { Registry } from './registry.ts'
import type { ConnectionClaims } from './token.ts'

type Line = (details: object, message: string) => void
/** Satisfied by Fastify's logger and by a bare pino. */
export type Log = Record<'debug' | 'info' | 'warn' | 'error', Line>

/** Stores publications. `position` is the newest offset passed to `publish`. */
export interface History {
  position: () => number
  /** Publications after `offset`, oldest first, at most `limit`. Incomplete if more exist or the offset is unknown. */
  since: (
    channel: string,
    offset: number,
    limit: number,
  ) => Promise<{ publications: StoredPublication[]; isComplete: boolean }>
}

interface HubMetrics {
  count: (
    what: 'connected' | 'refused' | 'recovered' | 'not_recovered' | 'published' | 'delivered' | `closed_${number}`,
    by?: number,
  ) => void
}

export interface HubOptions {
  /** Throws `ConnectionTokenExpired` for an expired token, and any other error for an invalid one. */
  verify: (token: string) => Promise<ConnectionClaims>
  /** Called at connect and refresh, every `recheckSeconds` (60), and at a subscribe if the last check is older. */
  isRevoked?: (claims: ConnectionClaims) => boolean | Promise<boolean>
  /** Nothing can be checked now: new sockets are rejected. */
  isDatabaseAway?: () => boolean
  history: History
  /** Identifies the database's history. Offsets of another epoch mean nothing. */
  epoch: () => string
  /** The first message for a client without a position in this channel: a publication as JSON, or null. */
  snapshot?: (channel: string) => Promise<string | null>
  /** A socket of the participation opens or closes. */
  noteContact?: (signInUid: string) => void
  log: Log
  metrics?: HubMetrics
  pingSeconds?: number
  /** Allowed origins besides the host itself, such as APP_URL's. */
  allowedOrigins?: readonly string[]
  /** Bytes that may be buffered for one slow reader. */
  maxBuffered?: number
  maxConnections?: number
  /** Seconds to fetch a new token after the old one has expired. */
  expiryGraceSeconds?: number
  connectSeconds?: number
  recheckSeconds?: number
}

/** State shared by all commands of one hub. */
export interface HubContext extends Omit<HubOptions, 'isRevoked'> {
  isRevoked: (claims: ConnectionClaims) => boolean | Promise<boolean>
  pingSeconds: number
  registry: Registry
  allowances: Allowances
  wheel: PingWheel
}
