import type { FastifyRequest } from 'fastify'
import { acceptJson } from '#server/http/json-body.ts'
import { routes } from '#server/http/routes.ts'
import { signed } from '#server/http/serve.ts'
import { receiveText } from '../../calls/sms.ts'
import { keepInboundText } from './inbound.service.ts'
import { isRightlySigned } from './standard-webhooks.ts'

const calls = { receiveText }

/** Receives replies from the operator's own gateway. The signature covers the raw bytes. */
export const inboundRoutes = routes(calls, (app) => {
  const bodies = new WeakMap<FastifyRequest, string>()
  acceptJson(app, (request, text) => bodies.set(request, text))
  const isSigned = (request: FastifyRequest) => {
    const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
      const value = request.headers[name]
      return typeof value === 'string' ? value : undefined
    })
    const { config, clock } = app
    const given = { id, timestamp, signature, body: bodies.get(request) ?? '' }
    return config.smsInboundSecret !== undefined && isRightlySigned(config.smsInboundSecret, given, clock.now())
  }
  return {
    receiveText: signed(isSigned, async ({ body }) => {
      const { provider_id: providerId, from, text, sent_at: sentAt, media = 0 } = body
      const agoMs = sentAt === undefined ? null : app.clock.now().getTime() - new Date(sentAt).getTime()
      await keepInboundText(app, { gateway: 'webhook', providerId, from, body: text, media, agoMs })
      return { ok: true as const }
    }),
  }
})
