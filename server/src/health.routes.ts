import { timingSafeEqual } from 'node:crypto'
import { health } from '@evac/contract/health.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from './platform/errors.ts'
import { serve } from './platform/http.ts'
import { sha256 } from './platform/secrets.ts'

/**
 * Live: the process answers. Ready: its database does, too, and it is not about to stop; told without a statement, as one
 * would wait behind all that is asked in a surge, and a balancer would take every node out at once. Metrics: for this
 * machine only, unless a token is set.
 */
export async function healthRoutes(app: FastifyInstance) {
  const open = { config: { policy: { access: 'public' as const } } }
  const always = { config: { ...open.config, needsNoDatabase: true } }
  serve(app, health, async () => ({ ok: true as const }))
  app.get('/health/live', always, async () => ({ ok: true }))
  app.get('/health/ready', open, async (_, reply) => {
    if (app.isLeaving()) return reply.code(503).send({ ok: false })
    if (!app.isDatabaseAnswering()) throw new Refusal('unavailable')
    return { ok: true }
  })
  app.get('/metrics', always, async (request, reply) => {
    if (!mayReadMetrics(request, app.config.metricsToken)) throw new Refusal('not_found')
    return reply.type(app.metrics.registry.contentType).send(await app.metrics.registry.metrics())
  })
}

function mayReadMetrics({ headers, ip }: FastifyRequest, token: string | undefined): boolean {
  if (token) return timingSafeEqual(sha256(headers.authorization ?? ''), sha256(`Bearer ${token}`))
  return /^(::1|(::ffff:)?127\.)/.test(ip) && headers['x-forwarded-for'] === undefined
}
