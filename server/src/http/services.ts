import type { Policy } from '@evac/contract/route.ts'
import type { Clock } from '../platform/clock.ts'
import type { Config } from '../platform/config/config.ts'
import type { Db, OneStatement } from '../platform/db/db.ts'
import type { JobQueue } from '../platform/db/jobs.ts'
import type { DocumentStore } from '../platform/documents/document-store.ts'
import type { Metrics } from '../platform/observability/metrics.ts'
import type { Secrets } from '../platform/secrets.ts'
import type { Actor } from '../wardens/actor.ts'
import type { BodySize } from './body-size.ts'
import type { FindActor } from './guard.ts'
import type { InTurn } from './turns-by-session.ts'

/** What every request can reach; built once by the composition root. */
export interface Services {
  config: Config
  clock: Clock
  secrets: Secrets
  metrics: Metrics
  /** Sees the clients of a transaction (row-level security). */
  db: Db
  /** Who holds a token; asked before every call. */
  findActor: FindActor
  /** A statement that finds its own client, in a transaction of its own: the hot path. */
  oneStatement: OneStatement
  /** Sees all clients: who somebody is, before a client is known. */
  system: Db
  /** It has said nothing for a while: nobody is made to wait for it. */
  isDatabaseAway: () => boolean
  /** It answers at this moment, as far as is known without standing in a queue of those who wait for it. */
  isDatabaseAnswering: () => boolean
  /** Told of each error that a request met: that writes fail shows there first. */
  noteFailure: (error: unknown) => void
  /** Files of documents. */
  documents: DocumentStore
  /** Where work for later is put, in the transaction of the change that asks for it. */
  jobs: JobQueue
  /** Tells the hubs that the journal has grown. Call after a commit. */
  announce: () => void
  /** Tells the database's planner how many rows an event has. Call after thousands were written; does not wait. */
  refreshStatistics: () => void
  /** Told to stop, and still serving: new work should go elsewhere. */
  isLeaving: () => boolean
}

declare module 'fastify' {
  interface FastifyInstance extends Services {
    /** A turn of the session that asks: whoever asks for much waits behind themselves, not others behind them. */
    inTurn: InTurn
  }
  interface FastifyRequest {
    /** Set on every call whose policy is not public. */
    actor: Actor
  }
  interface FastifyContextConfig {
    policy?: Policy
    /** The most that an honest body of the call takes. */
    largestBody?: BodySize
    /** The handler asks `guard`, at a time of its own (`serveSelfGuarded`). */
    guardsItself?: boolean
    /** Long answers may be compressed: no token is in them. */
    mayCompress?: boolean
    /** Answers while the database is away, too. */
    needsNoDatabase?: boolean
  }
}
