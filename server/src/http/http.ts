import { ErrorBody } from '@evac/contract/errors.ts'
import type { CallAnswer, CallContract, CallInput } from '@evac/contract/route.ts'
import { idempotencyKeyHeader, observedAtHeader, sentAtHeader } from '@evac/contract/write-headers.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { inClients, type Tx } from '../platform/db/db.ts'
import { Refusal } from '../platform/errors.ts'
import { networkOf } from '../platform/network.ts'
import type { Actor } from '../wardens/actor.ts'
import { largestBodyOf } from './body-size.ts'
import { holdsToken } from './compression.ts'
import { tokenHashOf, tokenOf } from './guard.ts'
import { fingerprintOf, once, type WriteKey } from './idempotency.ts'

/** What a handler is given: the validated input, who asks, and the two ways to the database. */
export interface Handling<C extends CallContract> {
  input: CallInput<C>
  actor: Actor
  request: FastifyRequest
  /** Sets a header of the answer. */
  setHeader(name: string, value: string): void
  /** Whose address it is, for throttles. */
  network: string
  /** One transaction that sees only the actor's client (or the clients given). */
  read<T>(work: (tx: Tx) => Promise<T>, clientUids?: readonly string[]): Promise<T>
  /** The same for a change: once per idempotency key, and the hubs wake after the commit. */
  write<T>(work: (tx: Tx) => Promise<T>, clientUids?: readonly string[]): Promise<T>
}

/** Serves a call of the contract: schemas both ways, policy in `config`, handler of a line or two. */
export function serve<C extends CallContract>(
  app: FastifyInstance,
  call: C,
  handler: (handling: Handling<C>) => Promise<CallAnswer<C>>,
): void {
  app.route({
    ...routeOf(call),
    handler: (request, reply) => inTurn(request, () => handler(handlingOf<C>(request, reply))),
  })
}

/** A turn ends with its work, not with the connection: hanging up gains nobody another turn. */
function inTurn<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
  const token = request.routeOptions.config.policy?.access === 'public' ? undefined : tokenOf(request)
  return token === undefined ? work() : request.server.inTurn(token, work)
}

/** What the handler of a self-guarding call is given: nobody has been identified yet. */
export interface UnguardedWrite<C extends CallContract> {
  input: CallInput<C>
  tokenHash: Buffer | undefined
  /** How long ago the warden saw it; null when the phone did not say. */
  seenSecondsAgo: number | null
  /** The same by the phone's own clock, in milliseconds: it orders what one phone saw, and nothing else. */
  seenByPhoneMs: number | null
  key: string | null
  fingerprint: Buffer
  /** The ordinary guard: answers the actor, or throws why the call may not be made. */
  guard(): Promise<Actor>
}

/**
 * Serves a call whose handler asks the guard itself. On the hot path its one statement also applies the policy; only a
 * success is decided there, and that a request is a repeat: the guard refuses, in the same words as anywhere else.
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

/** Wrongly signed requests that an address may make in a minute. */
const wrongSignaturesPerMinute = 60

/**
 * Serves a call whose caller proves itself by a signature over the request. What is signed is never held back, however
 * much of it comes at once; what is not is 403, and counted.
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

function routeOf(call: CallContract) {
  const largestBody = largestBodyOf(call)
  // counted apart from other calls: all public ones, and those with a limit of their own
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
      ...(call.countedByAddress === false && { rateLimit: false }),
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
  }
}

const inputOf = <C extends CallContract>({ params, query, body }: FastifyRequest) =>
  // biome-ignore lint/plugin: what came in, which the schemas of the call have checked
  ({ params, query, body }) as CallInput<C>

function handlingOf<C extends CallContract>(request: FastifyRequest, reply: FastifyReply): Handling<C> {
  const { actor, server } = request
  const announced = async <T>(reply: Promise<T>) => {
    const value = await reply
    server.announce()
    return value
  }
  const key = () => writeKeyOf(request)
  return {
    input: inputOf<C>(request),
    actor,
    request,
    setHeader: (name, value) => void reply.header(name, value),
    network: networkOf(request),
    read: (work, clientUids = [actor.clientUid]) => inClients(server.db, clientUids, work),
    write: (work, clientUids = [actor.clientUid]) =>
      announced(inClients(server.db, clientUids, (tx) => once(tx, key(), () => work(tx)))),
  }
}

/** The key the client made for this one write; null when it made none. */
export function readKey({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const key = headers[idempotencyKeyHeader]
  if (key === undefined) return null
  if (typeof key === 'string' && key.length >= 1 && key.length <= 200) return key
  throw new Refusal('invalid_request', 'The Idempotency-Key header must have 1 to 200 characters.', [
    idempotencyKeyHeader,
  ])
}

/** Why the key cannot be used, if it cannot. */
function wrongKeyOf(request: FastifyRequest): unknown {
  try {
    readKey(request)
  } catch (error) {
    return error
  }
}

function writeKeyOf(request: FastifyRequest): WriteKey | undefined {
  const key = readKey(request)
  if (key === null) return undefined
  return { personUid: request.actor.personUid, key, fingerprint: fingerprintOfRequest(request) }
}

function fingerprintOfRequest({ method, url, body, routeOptions }: FastifyRequest): Buffer {
  // a body that the call does not have was never checked, and says nothing
  return fingerprintOf(method, url, routeOptions.schema?.body ? body : null)
}

function readSeenByPhone({ headers }: Pick<FastifyRequest, 'headers'>): number | null {
  const observed = Date.parse(String(headers[observedAtHeader]))
  return Number.isNaN(observed) ? null : observed
}

/** A session lives half a day: nothing it saw is older than a day, whatever its clock says. */
const oldestSight = 86_400_000

/**
 * The phone says when it saw something and what its clock reads while sending; the difference is true even when that
 * clock is wrong. The database takes it off its own time, which is the same for all servers. Never in the future.
 */
function readSeenSecondsAgo(request: Pick<FastifyRequest, 'headers'>, now: Date): number | null {
  const observed = readSeenByPhone(request)
  if (observed === null) return null
  const sent = Date.parse(String(request.headers[sentAtHeader]))
  const age = (Number.isNaN(sent) ? now.getTime() : sent) - observed
  return Math.min(Math.max(0, age), oldestSight) / 1000
}
