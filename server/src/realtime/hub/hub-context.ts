import type { Allowances } from './allowance.ts'
import type { StoredPublication } from './frames.ts'
import type { PingWheel } from './ping-wheel.ts'
import type { Registry } from './registry.ts'
import type { ConnectionClaims } from './token.ts'

type Line = (details: object, message: string) => void
/** Fastify's logger fits, and so does a bare pino. */
export type Log = Record<'debug' | 'info' | 'warn' | 'error', Line>

/** Where publications are kept. `position` is the newest offset that has been handed to `publish`. */
export interface History {
  position: () => number
  /** Publications after `offset`, oldest first, at most `limit`; not complete when more exist or the offset is unknown. */
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
  /** Throws `ConnectionTokenExpired` for a token that was good once, anything else for a bad one. */
  verify: (token: string) => Promise<ConnectionClaims>
  /** Asked at connect, at every subscribe and refresh, and every `recheckSeconds` (60). */
  isRevoked?: (claims: ConnectionClaims) => boolean | Promise<boolean>
  history: History
  /** Names the life of the database; offsets of another epoch mean nothing. */
  epoch: () => string
  /** What a client that starts afresh on this channel is told at once: a publication as JSON, or null. */
  snapshot?: (channel: string) => Promise<string | null>
  log: Log
  metrics?: HubMetrics
  pingSeconds?: number
  /** Other origins than the host itself, such as APP_URL's. */
  allowedOrigins?: readonly string[]
  /** Bytes that may wait for one slow reader. */
  maxBuffered?: number
  maxConnections?: number
  /** Time to fetch a new token after the old one ended. */
  expiryGraceSeconds?: number
  connectSeconds?: number
  recheckSeconds?: number
}

/** What the commands of one hub share. */
export interface HubContext extends Omit<HubOptions, 'isRevoked'> {
  isRevoked: (claims: ConnectionClaims) => boolean | Promise<boolean>
  pingSeconds: number
  registry: Registry
  allowances: Allowances
  wheel: PingWheel
}
