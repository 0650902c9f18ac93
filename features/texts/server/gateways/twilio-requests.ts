import type { FastifyInstance, FastifyRequest } from 'fastify'
import { validateRequest } from 'twilio/lib/webhooks/webhooks.js'

export type Form = Readonly<Record<string, string>>

/** Reads the forms that Twilio posts. Their fields stand unchecked, because Twilio may add some at any time. */
export function readForms(app: FastifyInstance): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(body as string))),
  )
}

export const formOf = ({ body }: FastifyRequest) => (body ?? {}) as Form

/** True if Twilio has signed the request: its public address, and each field. */
export function isFromTwilio(request: FastifyRequest): boolean {
  const { config } = request.server
  const signature = request.headers['x-twilio-signature']
  if (!config.twilio || typeof signature !== 'string') return false
  return validateRequest(config.twilio.authToken, signature, `${config.appUrl}${request.url}`, formOf(request))
}
