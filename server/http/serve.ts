import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ErrorBody } from '#kernel/errors.ts'
import type { PersonUid } from '#kernel/ids.ts'
import type { CallAnswer, CallContract, CallInput, ConsolePolicy, SessionPolicy } from '#kernel/route.ts'
import { idempotencyKeyHeader, observedAtHeader, sentAtHeader } from '#kernel/write-headers.ts'
import type { Administrator } from '../administrators/administrator.ts'
import { type Db, inClients, readIn, sqlState, type Tx } from '../platform/db/db.ts'
import { Refusal } from '../platform/errors.ts'
import { type Network, networkOf } from '../platform/network.ts'
import type { Actor } from '../wardens/actor.ts'
import type { ObserverActor } from '../wardens/observer.ts'
import { largestBodyOf } from './body-size.ts'
import { holdsToken } from './compression.ts'
import { tokenHashOf, tokenOf } from './guard.ts'
import { fingerprintOf, once, type WriteKey } from './idempotency.ts'
import type { Reader } from './warden-or-administrator.ts'

/** Runs one transaction that sees only the actor's client (or the given clients), in turn with all other reads. */
export type Read = <T>(work: (tx: Tx) => Promise<T>, clientUids?: readonly string[]) => Promise<T>

/** What a handler gets: the validated input, the actor, and the ways to use the database. */
export interface Handling<C extends CallContract> {
  input: CallInput<C>
  actor: Actor
  request: FastifyRequest
  /** Sets a header of the reply. */
  setHeader(name: string, value: string): void
  /** The caller's network, for throttles. */
  network: Network
  read: Read
  /** The same for what all phones ask at once: it changes nothing, and its statements keep their plans (`ReadMode`). */
  readOften: Read
  /** Runs a read on another pool, in turn with all other reads. */
  readInTurn<T>(read: () => Promise<T>): Promise<T>
  /** Runs a change: once per idempotency key, and the hubs wake up after the commit. */
  write<T>(work: (tx: Tx) => Promise<T>, clientUids?: readonly string[]): Promise<T>
  /** The same for a change of the directory, whose accounts no organisation's role sees. Each statement names the organisation. */
  writeWithAccounts<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/** Serves a call of the contract: schemas for input and reply, policy in `config`, a handler of a line or two. */
export function serve<C extends CallContract>(
  app: FastifyInstance,
  call: C,
  handler: (handling: Handling<C>) => Promise<CallAnswer<C>>,
): void {
  app.route({
    ...routeOf(call),
    handler: (request, reply) =>
      inTurn(request, () => handler({ ...handlingOf<C>(request, reply, request.actor), actor: request.actor })),
  })
}

/** Serves a call that wardens and administrators share. */
export function serveShared<C extends CallContract & { policy: SessionPolicy & { orConsole: string } }>(
  app: FastifyInstance,
  call: C,
  handler: (handling: Omit<Handling<C>, 'actor'> & { reader: Reader }) => Promise<CallAnswer<C>>,
): void {
  app.route({
    ...routeOf(call),
    handler: (request, reply) => {
      const reader = request.administrator ?? request.actor
      return inTurn(request, () => handler({ ...handlingOf<C>(request, reply, reader), reader }))
    },
  })
}

/** Lets the calls of these routes take files. Everywhere else a body is JSON. */
export function takeBytes(app: FastifyInstance): void {
  app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
}

/** What a handler of the console gets. */
export interface ConsoleHandling<C extends CallContract> {
  input: CallInput<C>
  /** A Buffer for a call that takes `bytes` and got some. */
  content: unknown
  administrator: Administrator
  request: FastifyRequest
  network: Network
  /** Sets a header of the reply. */
  setHeader(name: string, value: string): void
  /** Runs one transaction that sees only the administrator's organisation. */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** The same for a change: once per idempotency key. */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * A change that also touches accounts and second factors, which no organisation's role can see. The transaction sees
   * everything: each statement names the organisation itself.
   */
  writeWithAccounts<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/** Serves a call of the console. Its policy is of the kind `console`. */
export function serveConsole<C extends CallContract & { policy: ConsolePolicy }>(
  app: FastifyInstance,
  call: C,
  handler: (handling: ConsoleHandling<C>) => Promise<CallAnswer<C>>,
): void {
  app.route({
    ...routeOf(call),
    handler: (request, reply) => inTurn(request, () => handler(consoleHandlingOf<C>(request, reply))),
  })
}

/** What a handler of an observer's call gets. */
export interface ObserverHandling<C extends CallContract> {
  input: CallInput<C>
  observer: ObserverActor
  request: FastifyRequest
  /** Runs one transaction that sees only the organisation of the event. */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** The same for a change: once per idempotency key. */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/** Serves a call of an observer. Its policy is of the kind `observer`. */
export function serveObserver<C extends CallContract & { policy: { access: 'observer' } }>(
  app: FastifyInstance,
  call: C,
  handler: (handling: ObserverHandling<C>) => Promise<CallAnswer<C>>,
): void {
  app.route({
    ...routeOf(call),
    handler: (request) => {
      const { observer, server } = request
      const inOwn = <T>(work: (tx: Tx) => Promise<T>) => inClients(server.db, [observer.clientUid], work)
      const read = <T>(work: (tx: Tx) => Promise<T>) => readOf(request, () => inOwn(work))
      const write = <T>(work: (tx: Tx) => Promise<T>) => {
        // keys are of a person; observers are none, and have a uid as good
        const key = writeKeyOf(request, observer.uid as PersonUid)
        return announced(
          server,
          inOwn((tx) => once(tx, key, () => work(tx))),
        )
      }
      return server.inTurn(`observer ${observer.uid}`, () =>
        handler({ input: inputOf<C>(request), observer, request, read, write }),
      )
    },
  })
}

function consoleHandlingOf<C extends CallContract>(request: FastifyRequest, reply: FastifyReply): ConsoleHandling<C> {
  const { administrator, server } = request
  const { clientUid, personUid } = administrator
  const writeOn = <T>(db: Db, work: (tx: Tx) => Promise<T>) => {
    const key = writeKeyOf(request, personUid)
    return announced(server, inClients(db, [clientUid], (tx) => once(tx, key, () => work(tx))).catch(refuseLongWait))
  }
  return {
    input: inputOf<C>(request),
    content: request.body,
    administrator,
    request,
    network: networkOf(request),
    setHeader: (name, value) => void reply.header(name, value),
    read: (work) => inClients(server.db, [clientUid], work),
    write: (work) => writeOn(server.db, work),
    writeWithAccounts: (work) => writeOn(server.system, work),
  }
}

/** A change that has waited too long for another one is to be tried again. */
function refuseLongWait(error: unknown): never {
  throw sqlState(error) === lockNotAvailable ? new Refusal('busy') : error
}

const lockNotAvailable = '55P03'

/** A turn ends with its work, not with the connection, so that disconnecting gains no further turn. */
function inTurn<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
  const token = request.routeOptions.config.policy?.access === 'public' ? undefined : tokenOf(request)
  return token === undefined ? work() : request.server.inTurn(token, work)
}

const readOf = <T>({ raw, server }: FastifyRequest, work: () => Promise<T>) =>
  server.readInTurn(() => raw.socket.destroyed, work)

/** What the handler of a self-guarding call gets. No one has been identified yet. */
export interface UnguardedWrite<C extends CallContract> {
  input: CallInput<C>
  tokenHash: Buffer | undefined
  /** Seconds since the warden made the observation. Null if the phone did not say. */
  seenSecondsAgo: number | null
  /** Time of the observation by the phone's own clock, in milliseconds. Only orders observations of one phone. */
  seenByPhoneMs: number | null
  key: string | null
  fingerprint: Buffer
  /** The ordinary guard: returns the actor, or throws why the call is not allowed. */
  guard(): Promise<Actor>
  /** Runs one transaction that sees only the actor's client, in turn with all other reads. */
  readAs<T>(actor: Pick<Actor, 'clientUid'>, work: (tx: Tx) => Promise<T>): Promise<T>
}

/**
 * Serves a call whose handler calls the guard itself. On the hot path, its one statement also applies the policy, but
 * only accepts or recognises a repeat. The guard rejects everything else with the usual errors.
 */
export function serveSelfGuarded<C extends CallContract>(
  app: FastifyInstance,
  call: C,
  handler: (write: UnguardedWrite<C>) => Promise<CallAnswer<C>>,
): void {
  const route = routeOf(call)
  app.route({
    ...route,
    config: { ...route.config, guardsItself: true },
    attachValidation: true,
    handler: async (request) => {
      const wrong = request.validationError ?? wrongKeyOf(request)
      if (wrong) {
        await app.guard(request) // a stranger learns nothing about a route, not even its body
        throw wrong
      }
      const reply = await inTurn(request, () => handler(unguardedOf<C>(request)))
      app.announce()
      return reply
    },
  })
}

/** Requests with a wrong signature that one address may make per minute. */
const wrongSignaturesPerMinute = 60

/**
 * Serves a call that is authenticated by a signature over the request. Signed requests have no rate limit. Unsigned ones
 * get 403 and are counted.
 */
export function serveSigned<C extends CallContract>(
  app: FastifyInstance,
  call: C,
  isSigned: (request: FastifyRequest) => boolean,
  handler: (handling: Pick<Handling<C>, 'input'>, reply: FastifyReply) => Promise<CallAnswer<C>>,
): void {
  const route = routeOf(call)
  app.route({
    ...route,
    config: { ...route.config, rateLimit: false },
    preValidation: [
      app.rateLimit({ max: wrongSignaturesPerMinute, timeWindow: '1 minute', allowList: isSigned }),
      async (request) => {
        if (!isSigned(request)) throw new Refusal('forbidden')
      },
    ],
    handler: (request, reply) => handler({ input: inputOf<C>(request) }, reply),
  })
}

export function routeOf(call: CallContract) {
  const largestBody = largestBodyOf(call)
  // separate counts for public calls and for calls with their own limit
  const rateLimit = call.perMinute ? { max: call.perMinute } : call.policy.access === 'public' && {}
  return {
    bodyLimit: largestBody.bytes,
    method: call.method,
    url: call.path,
    schema: {
      summary: call.summary,
      ...(call.params && { params: call.params }),
      ...(call.query && { querystring: { ...call.query, additionalProperties: false } }),
      ...(call.body && { body: call.body }),
      response: { 200: call.reply, '4xx': ErrorBody, '5xx': ErrorBody },
    },
    config: {
      policy: call.policy,
      largestBody,
      mayCompress: !holdsToken(call),
      ...(rateLimit && { rateLimit }),
      ...(call.countedByAddress === false && { rateLimit: false as const }),
    },
  }
}

function unguardedOf<C extends CallContract>(request: FastifyRequest): UnguardedWrite<C> {
  const { server } = request
  return {
    input: inputOf<C>(request),
    tokenHash: tokenHashOf(request),
    seenSecondsAgo: readSeenSecondsAgo(request, server.clock.now()),
    seenByPhoneMs: readSeenByPhone(request),
    key: readKey(request),
    fingerprint: fingerprintOfRequest(request),
    guard: async () => {
      await server.guard(request)
      return request.actor
    },
    readAs: ({ clientUid }, work) => readOf(request, () => inClients(server.db, [clientUid], work)),
  }
}

const inputOf = <C extends CallContract>({ params, query, body }: FastifyRequest) =>
  // biome-ignore lint/plugin: what came in, which the schemas of the call have checked
  ({ params, query, body }) as CallInput<C>

export function handlingOf<C extends CallContract>(
  request: FastifyRequest,
  reply: FastifyReply,
  asker: Pick<Actor, 'clientUid' | 'personUid'>,
): Omit<Handling<C>, 'actor'> {
  const { server } = request
  const readInTurn = <T>(work: () => Promise<T>) => readOf(request, work)
  const key = () => writeKeyOf(request, asker.personUid)
  return {
    input: inputOf<C>(request),
    request,
    setHeader: (name, value) => void reply.header(name, value),
    network: networkOf(request),
    readInTurn,
    read: (work, clientUids = [asker.clientUid]) => readInTurn(() => inClients(server.db, clientUids, work)),
    readOften: (work, clientUids = [asker.clientUid]) =>
      readInTurn(() => readIn(server.db, clientUids, work, 'kept plans')),
    write: (work, clientUids = [asker.clientUid]) =>
      announced(
        server,
        inClients(server.db, clientUids, (tx) => once(tx, key(), () => work(tx))),
      ),
    writeWithAccounts: (work) =>
      announced(
        server,
        inClients(server.system, [asker.clientUid], (tx) => once(tx, key(), () => work(tx))).catch(refuseLongWait),
      ),
  }
}

/** Wakes the hubs after the commit. */
async function announced<T>({ announce }: Pick<FastifyInstance, 'announce'>, reply: Promise<T>): Promise<T> {
  const value = await reply
  announce()
  return value
}

/** The idempotency key of this write. Null if the client sent none. */
export function readKey({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const key = headers[idempotencyKeyHeader]
  if (key === undefined) return null
  if (typeof key === 'string' && key.length >= 1 && key.length <= 200) return key
  throw new Refusal('invalid_request', 'The Idempotency-Key header must have 1 to 200 characters.', [
    idempotencyKeyHeader,
  ])
}

/** Returns the invalid key, or undefined if the key is valid. */
function wrongKeyOf(request: FastifyRequest): unknown {
  try {
    readKey(request)
  } catch (error) {
    return error
  }
}

function writeKeyOf(request: FastifyRequest, personUid: PersonUid): WriteKey | undefined {
  const key = readKey(request)
  if (key === null) return undefined
  return { personUid, key, fingerprint: fingerprintOfRequest(request) }
}

function fingerprintOfRequest({ method, url, body, routeOptions }: FastifyRequest): Buffer {
  // an unexpected body was never validated and carries no meaning
  return fingerprintOf(method, url, routeOptions.schema?.body ? body : null)
}

function readSeenByPhone({ headers }: Pick<FastifyRequest, 'headers'>): number | null {
  const observed = Date.parse(String(headers[observedAtHeader]))
  return Number.isNaN(observed) ? null : observed
}

/** A session lives half a day, so no observation is older than a day, whatever its clock says. */
const oldestObservationMs = 86_400_000

/**
 * Seconds between the observation and sending, both by the phone's clock, so a wrong clock does not matter. The
 * database subtracts the age from its own time, which all servers share. Never negative.
 */
function readSeenSecondsAgo(request: Pick<FastifyRequest, 'headers'>, now: Date): number | null {
  const age = readAgeMs(request, now)
  return age === null ? null : Math.min(age, oldestObservationMs) / 1000
}

function readAgeMs(request: Pick<FastifyRequest, 'headers'>, now: Date): number | null {
  const observed = readSeenByPhone(request)
  if (observed === null) return null
  const sent = Date.parse(String(request.headers[sentAtHeader]))
  return Math.max(0, (Number.isNaN(sent) ? now.getTime() : sent) - observed)
}

/** When the phone saw what it sends, however long that waited. Null if it did not say. */
export function readSeenAt(request: Pick<FastifyRequest, 'headers'>, now: Date): Date | null {
  const age = readAgeMs(request, now)
  const seen = age === null ? null : new Date(now.getTime() - age)
  return seen && Number.isNaN(seen.getTime()) ? null : seen
}
