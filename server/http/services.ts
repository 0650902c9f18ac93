import type { Static, TSchema } from 'typebox'
import type { Policy } from '#kernel/route.ts'
import type { Administrator } from '../administrators/administrator.ts'
import type { Clock } from '../platform/clock.ts'
import type { Config } from '../platform/config/config.ts'
import type { Batches } from '../platform/db/batches.ts'
import type { Db } from '../platform/db/db.ts'
import type { JobQueue } from '../platform/db/jobs.ts'
import type { SharedRead } from '../platform/db/shared-reads.ts'
import type { DocumentStore } from '../platform/documents/document-store.ts'
import type { Metrics } from '../platform/observability/metrics.ts'
import type { Secrets } from '../platform/secrets.ts'
import type { Actor } from '../wardens/actor.ts'
import type { ObserverActor } from '../wardens/observer.ts'
import type { BodySize } from './body-size.ts'
import type { FindActor, FindAdministrator } from './guard.ts'
import type { ReadInTurn } from './read-turns.ts'
import type { InTurn } from './turns-by-session.ts'

/** `login`: an email address or a user name, which share one field. `mobile`: digits with the country code. */
export type NameKind = 'login' | 'mobile'

/** The other cells, by way of the directory. */
export interface Cells {
  /** How long a sign-in waits for directory and cells in all, ms. A refusal takes so long whether or not they answer. */
  patienceMs: number
  /** Addresses of other cells that have the name, at most three. Throws if the directory does not answer. */
  find(kind: NameKind, name: string): Promise<string[]>
  /** Asks another cell. Throws if it does not answer, or another than it does. */
  ask<T extends TSchema>(address: string, asked: object, answer: T): Promise<Static<T>>
  /** What another cell asks. Undefined for a question that no cell has sealed for this one in the last minute. */
  read(body: unknown): unknown
  /** The answer to that, which only the asking cell can read. */
  answer(question: string, answer: object): string
  /** Throws why the directory does not work. */
  check(): Promise<void>
}

/** Everything a request can reach. The composition root builds it once. */
export interface Services extends Batches {
  config: Config
  clock: Clock
  secrets: Secrets
  metrics: Metrics
  /** Sees the clients of the transaction (row-level security). */
  db: Db
  /** Finds the actor of a token. Called before every call. */
  findActor: FindActor
  /** Finds the administrator of a console token. */
  findAdministrator: FindAdministrator
  /** Reads what is the same for every warden of an event. Those who ask at the same time share the answer. */
  sharedRead: SharedRead
  /** Reads of all sessions wait in one line, so that no change waits behind them. */
  readInTurn: ReadInTurn
  /** Sees all clients, for identifying someone before the client is known. */
  system: Db
  /** The same for statements that everyone makes at once: their plans are kept. */
  hot: Db
  /** The database has been silent for too long. Requests do not wait for it. */
  isDatabaseAway: () => boolean
  /** The database answers right now. Known without waiting for a pool connection. */
  isDatabaseAnswering: () => boolean
  /** Receives each error of a request, because failing writes show up there first. */
  noteFailure: (error: unknown) => void
  documents: DocumentStore
  /** Undefined without a directory: this installation is alone. */
  cells: Cells | undefined
  /** Enqueues background work in the transaction of the change that needs it. */
  jobs: JobQueue
  /** A warden on duty polls. Nothing is written now. */
  noteContact: (signInUid: string) => void
  /** Wakes the hubs after the journal has grown. Call after a commit. */
  announce: () => void
  /** Refreshes the planner's statistics of an event. Call after thousands of rows were written. Does not wait. */
  refreshStatistics: () => void
  /** The process is stopping but still serves. New work should go to other nodes. */
  isLeaving: () => boolean
}

declare module 'fastify' {
  interface FastifyInstance extends Services {
    /** Waits for a turn of the calling session: a session with many requests delays only itself. */
    inTurn: InTurn
  }
  interface FastifyRequest {
    /** Set on every call of a warden (`session`, `duty`). */
    actor: Actor
    /** Set on every call of the console. */
    administrator: Administrator
    observer: ObserverActor
  }
  interface FastifyContextConfig {
    policy?: Policy
    /** The largest legitimate body of the call. */
    largestBody?: BodySize
    /** The handler calls `guard` itself (`serveSelfGuarded`). */
    guardsItself?: boolean
    /** Long replies may be compressed: they contain no token. */
    mayCompress?: boolean
    /** Also answers while the database is away. */
    needsNoDatabase?: boolean
  }
}
