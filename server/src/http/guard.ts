import type { Policy } from '@evac/contract/route.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../platform/errors.ts'
import { sha256 } from '../platform/secrets.ts'
import { type Actor, absence, hasFlag } from '../wardens/actor.ts'
import { turnsBySession } from './turns-by-session.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Sets `request.actor`, or throws why the call may not be made. */
    guard(request: FastifyRequest): Promise<void>
  }
}

export type FindActor = (tokenHash: Buffer) => Promise<Actor | undefined>

/**
 * Session, then policy, before the body is even read: a stranger learns nothing about a route. A hook of each route, as
 * the count of requests is one, too, and comes first: what is turned away here counts.
 */
export function guardRoutes(app: FastifyInstance, findActor: FindActor, share = 1): void {
  // not those of the calls: a call that guards itself has its turn already
  const inTurn = turnsBySession({ atOnce: 3, longestLine: 200, share })
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

/** Undefined when the header holds nothing that could be an access token. */
export const tokenOf = ({ headers }: Pick<FastifyRequest, 'headers'>) =>
  /^Bearer ([\w-]{20,100})$/.exec(headers.authorization ?? '')?.[1]

export function tokenHashOf(request: Pick<FastifyRequest, 'headers'>): Buffer | undefined {
  const token = tokenOf(request)
  return token === undefined ? undefined : sha256(token)
}

/** May this actor make the call at all? What they may do it *to* is the service's question. */
function enforce(policy: Policy, actor: Actor): void {
  if (policy.access === 'public') return
  if (policy.flag && !hasFlag(actor, policy.flag)) throw new Refusal('forbidden')
  if (policy.access !== 'duty' || policy.withoutEvent === 'answer') return
  const reason = absence(actor)
  if (reason) throw new Refusal(reason)
}
