import type { FastifyInstance, FastifyRequest } from 'fastify'
import { acceptJson } from '#server/http/json-body.ts'
import { serveSigned } from '#server/http/serve.ts'
import { receiveText } from '../../calls/sms.ts'
import { keepInboundText } from './inbound.service.ts'
import { isRightlySigned } from './standard-webhooks.ts'

/** Receives replies from the operator's own gateway. The signature covers the raw bytes. */
export async function inboundRoutes(app: FastifyInstance) {
  const bodies = new WeakMap<FastifyRequest, string>()
  acceptJson(app, (request, text) => bodies.set(request, text))
  const isSigned = (request: FastifyRequest) => {
    const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
      const value = request.headers[name]
      return typeof value === 'string' ? value : undefined
    })
    const { config, clock } = app
    const signed = { id, timestamp, signature, body: bodies.get(request) ?? '' }
    return config.smsInboundSecret !== undefined && isRightlySigned(config.smsInboundSecret, signed, clock.now())
  }
  serveSigned(app, receiveText, isSigned, async ({ input: { body } }) => {
    const { provider_id: providerId, from, text, sent_at: sentAt, media = 0 } = body
    const agoMs = sentAt === undefined ? null : app.clock.now().getTime() - new Date(sentAt).getTime()
    await keepInboundText(app, { gateway: 'webhook', providerId, from, body: text, media, agoMs })
    return { ok: true as const }
  })
}
