import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isForStrangers, type PlainPage, plainPages } from '#kernel/plain-pages.ts'
import type { ConsolePolicy, Policy } from '#kernel/route.ts'
import { type Administrator, mayUse } from '../administrators/administrator.ts'
import { Refusal } from '../platform/errors.ts'
import { sha256 } from '../platform/secrets.ts'
import { type Actor, absence, hasFlag } from '../wardens/actor.ts'
import { findObserver } from '../wardens/observer.ts'
import { turnsBySession } from './turns-by-session.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Sets `request.actor`, `request.administrator` or `request.observer`, or throws why the call is not allowed. */
    guard(request: FastifyRequest): Promise<void>
  }
}

export type FindActor = (tokenHash: Buffer) => Promise<Actor | undefined>
export type FindAdministrator = (tokenHash: Buffer, use: { isPoll: boolean }) => Promise<Administrator | undefined>

/**
 * Checks session and policy before the body is read: a stranger learns nothing about a route. Runs as a hook of each
 * route, after the rate limit, so rejected requests count.
 */
export function guardRoutes(
  app: FastifyInstance,
  findActor: FindActor,
  findAdministrator: FindAdministrator,
  share = 1,
): void {
  // a queue of its own: a self-guarding call already holds a turn of the other one
  const inTurn = turnsBySession({ atOnce: 3, longestQueue: 200, share })
  app.addHook('onRoute', (route) => {
    const { url, config, method } = route
    if (url.startsWith('/api/') && !url.startsWith('/api/docs') && !config?.policy)
      throw new Error(`${method} ${url} has no policy`)
    if (isForStrangers(url) && !plain.some((page) => page.path === url && page.method === method))
      throw new Error(`${method} ${url} is not listed in kernel/plain-pages.ts`)
    route.onRequest = [route.onRequest ?? [], guard].flat()
  })
  const guard = async (request: FastifyRequest) => {
    if (!request.routeOptions.config.guardsItself) await app.guard(request)
  }
  // Each request of a warden on duty is contact. Noted when it is done: the request that ends the event ends no gap
  app.addHook('onSend', async ({ actor }) => {
    if (actor?.signIn && !absence(actor)) app.noteContact(actor.signIn.uid)
  })
  app.decorate('guard', async (request: FastifyRequest) => {
    const policy = request.routeOptions.config.policy
    if (!policy || policy.access === 'public') return
    if (policy.access === 'observer') {
      const hash = observerHashOf(request)
      if (!hash) throw new Refusal('not_signed_in')
      const observer = await inTurn(hash.toString('base64'), () => findObserver(app.hot, hash))
      if (!observer) throw new Refusal('link_ended')
      request.observer = observer
      return
    }
    const hash = tokenHashOf(request)
    if (!hash) throw new Refusal('not_signed_in')
    const isPoll = policy.access === 'console' && policy.poll === true
    const find = <T>(work: () => Promise<T>) => inTurn(hash.toString('base64'), work)
    if (policy.access === 'console') {
      const administrator = await find(() => findAdministrator(hash, { isPoll }))
      if (!administrator) throw new Refusal('not_signed_in')
      enforceConsole(policy, administrator, request.method === 'GET')
      request.administrator = administrator
      return
    }
    const actor = await find(() => findActor(hash))
    if (actor) {
      enforce(policy, actor)
      request.actor = actor
      return
    }
    const right = policy.access === 'session' && policy.orConsole
    const administrator = right && (await find(() => findAdministrator(hash, { isPoll: false })))
    if (!administrator) throw new Refusal('not_signed_in')
    enforceConsole({ access: 'console', right }, administrator, true)
    request.administrator = administrator
  })
}

const plain: readonly PlainPage[] = Object.values(plainPages)

/** Undefined if the header contains nothing that could be an access token. */
export const tokenOf = ({ headers }: Pick<FastifyRequest, 'headers'>) =>
  /^Bearer ([\w-]{20,100})$/.exec(headers.authorization ?? '')?.[1]

/** The hash of an observer's token. Undefined if the header has none. */
function observerHashOf({ headers }: Pick<FastifyRequest, 'headers'>): Buffer | undefined {
  const token = /^Observer ([\w-]{20,100})$/.exec(headers.authorization ?? '')?.[1]
  return token === undefined ? undefined : sha256(token)
}

export function tokenHashOf(request: Pick<FastifyRequest, 'headers'>): Buffer | undefined {
  const token = tokenOf(request)
  return token === undefined ? undefined : sha256(token)
}

/** Checks whether this actor may make the call at all. The service checks which objects it may touch. */
function enforce(policy: Exclude<Policy, ConsolePolicy>, actor: Actor): void {
  if (policy.access === 'public' || policy.access === 'observer') return
  if (policy.flag && !hasFlag(actor, policy.flag)) throw new Refusal('forbidden')
  if (policy.access !== 'duty' || policy.withoutEvent === 'answer') return
  const reason = absence(actor)
  if (reason) throw new Refusal(reason)
}

/** The same for an administrator. What a call may touch is checked by the service in SQL. */
function enforceConsole({ right, confirmed }: ConsolePolicy, administrator: Administrator, isRead: boolean): void {
  if (!mayUse(administrator, right, isRead)) throw new Refusal('forbidden')
  if (confirmed && !administrator.isConfirmed) throw new Refusal('confirm_identity')
}
