import type { Policy } from '@evac/contract/route.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../platform/errors.ts'
import { sha256 } from '../platform/secrets.ts'
import { type Actor, absence, hasFlag } from '../wardens/actor.ts'
import { turnsBySession } from './turns-by-session.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Sets `request.actor`, or throws why the call is not allowed. */
    guard(request: FastifyRequest): Promise<void>
  }
}

export type FindActor = (tokenHash: Buffer) => Promise<Actor | undefined>

/**
 * Checks session and policy before the body is read: a stranger learns nothing about a route. Runs as a hook of each
 * route, after the rate limit, so rejected requests count.
 */
export function guardRoutes(app: FastifyInstance, findActor: FindActor, share = 1): void {
  // a queue of its own: a self-guarding call already holds a turn of the other one
  const inTurn = turnsBySession({ atOnce: 3, longestQueue: 200, share })
  app.addHook('onRoute', (route) => {
    const { url, config, method } = route
    if (url.startsWith('/api/') && !url.startsWith('/api/docs') && !config?.policy)
      throw new Error(`${method} ${url} has no policy`)
    route.onRequest = [route.onRequest ?? [], guard].flat()
  })
  const guard = async (request: FastifyRequest) => {
    if (!request.routeOptions.config.guardsItself) await app.guard(request)
  }
  app.decorate('guard', async (request: FastifyRequest) => {
    const policy = request.routeOptions.config.policy
    if (!policy || policy.access === 'public') return
    const hash = tokenHashOf(request)
    const actor = hash && (await inTurn(hash.toString('base64'), () => findActor(hash)))
    if (!actor) throw new Refusal('not_signed_in')
    enforce(policy, actor)
    request.actor = actor
  })
}

/** Undefined if the header contains nothing that could be an access token. */
export const tokenOf = ({ headers }: Pick<FastifyRequest, 'headers'>) =>
  /^Bearer ([\w-]{20,100})$/.exec(headers.authorization ?? '')?.[1]

export function tokenHashOf(request: Pick<FastifyRequest, 'headers'>): Buffer | undefined {
  const token = tokenOf(request)
  return token === undefined ? undefined : sha256(token)
}

/** Checks whether this actor may make the call at all. The service checks which objects it may touch. */
function enforce(policy: Policy, actor: Actor): void {
  if (policy.access === 'public') return
  if (policy.flag && !hasFlag(actor, policy.flag)) throw new Refusal('forbidden')
  if (policy.access !== 'duty' || policy.withoutEvent === 'answer') return
  const reason = absence(actor)
  if (reason) throw new Refusal(reason)
}
