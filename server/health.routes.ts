import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { health } from '#features/operation/calls.ts'
import { routes } from './http/routes.ts'
import type { Config } from './platform/config/config.ts'
import { Refusal } from './platform/errors.ts'
import { isFromThisMachine } from './platform/network.ts'
import { sha256 } from './platform/secrets.ts'
import { version } from './platform/version.ts'

/**
 * Live: the process answers. Ready: its database does, too, and it is not about to stop; told without a statement, as one
 * would wait behind all that is asked in a surge, and a balancer would take every node out at once. Metrics: by the
 * token; without one for this machine, and in production for no one.
 */
export async function healthRoutes(app: FastifyInstance) {
  const open = { config: { policy: { access: 'public' as const } } }
  const always = { config: { ...open.config, needsNoDatabase: true } }
  await app.register(routes({ health }, { health: async () => ({ ok: true }) }))
  app.get('/health/live', always, async () => ({ ok: true }))
  app.get('/health/ready', open, async (_, reply) => {
    if (app.isLeaving()) return reply.code(503).send({ ok: false })
    if (!app.isDatabaseAnswering()) throw new Refusal('unavailable')
    return { ok: true }
  })
  app.get('/version', always, async () => ({ version }))
  app.get('/metrics', always, async (request, reply) => {
    if (!mayReadMetrics(request, app.config)) throw new Refusal('not_found')
    return reply.type(app.metrics.registry.contentType).send(await app.metrics.registry.metrics())
  })
}

/** A proxy on this machine may pass a stranger on without a word of it: in production the token alone counts. */
function mayReadMetrics(request: FastifyRequest, { metricsToken, production }: Config): boolean {
  if (metricsToken)
    return timingSafeEqual(sha256(request.headers.authorization ?? ''), sha256(`Bearer ${metricsToken}`))
  return !production && isFromThisMachine(request)
}
