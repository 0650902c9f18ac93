import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ErrorBody } from '#kernel/errors.ts'
import type { PersonUid } from '#kernel/ids.ts'
import type { CallAnswer, CallContract, CallInput } from '#kernel/route.ts'
import { idempotencyKeyHeader, observedAtHeader, sentAtHeader } from '#kernel/write-headers.ts'
import { inClients, type Tx } from '../platform/db/db.ts'
import { Refusal } from '../platform/errors.ts'
import type { Actor } from '../wardens/actor.ts'
import { largestBodyOf } from './body-size.ts'
import { holdsToken } from './compression.ts'
import { tokenHashOf, tokenOf } from './guard.ts'
import { fingerprintOf, type WriteKey } from './idempotency.ts'

/** How a call is served that is not served by a plain handler (`routes`). */
export interface Served<C extends CallContract> {
  serve(app: FastifyInstance, call: C): void
}

/** A turn ends with its work, not with the connection, so that disconnecting gains no further turn. */
export function inTurn<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
  const { observer, server } = request
  if (observer) return server.inTurn(`observer ${observer.uid}`, work)
  const token = request.routeOptions.config.policy?.access === 'public' ? undefined : tokenOf(request)
  return token === undefined ? work() : server.inTurn(token, work)
}

export const readOf = <T>({ raw, server }: FastifyRequest, work: () => Promise<T>) =>
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
 * For a call whose handler calls the guard itself. On the hot path, its one statement also applies the policy, but
 * only accepts or recognises a repeat. The guard rejects everything else with the usual errors.
 */
export const selfGuarded = <C extends CallContract>(
  handler: (write: UnguardedWrite<C>, route: { app: FastifyInstance; call: C }) => Promise<CallAnswer<C>>,
): Served<C> => ({
  serve: (app, call) => {
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
        const reply = await inTurn(request, () => handler(unguardedOf<C>(request), { app, call }))
        app.announce()
        return reply
      },
    })
  },
})

/** Requests with a wrong signature that one address may make per minute. */
const wrongSignaturesPerMinute = 60

/**
 * For a call that is authenticated by a signature over the request. Signed requests have no rate limit. Unsigned ones
 * get 403 and are counted.
 */
export const signed = <C extends CallContract>(
  isSigned: (request: FastifyRequest) => boolean,
  handler: (handling: CallInput<C> & { request: FastifyRequest; reply: FastifyReply }) => Promise<CallAnswer<C>>,
): Served<C> => ({
  serve: (app, call) => {
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
      handler: (request, reply) => handler(Object.assign({ request, reply }, inputOf<C>(request))),
    })
  },
})

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

export function writeKeyOf(request: FastifyRequest, personUid: PersonUid): WriteKey | undefined {
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
