import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import fastifyPlugin from 'fastify-plugin'
import { version } from '../platform/version.ts'

/** The policy of the app's pages, without the socket. */
const policy =
  "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

/** Headers and signatures that callers may or must send and that no schema describes. */
const description = `
A change may carry \`Idempotency-Key\`, 1 to 200 characters made up for this one change: sent again with the same key, it is
not made again and gets the first answer; with another body it is refused with \`idempotency_conflict\`.

A safety status may carry \`X-Observed-At\`, when it was seen, and \`X-Sent-At\`, what the same clock says at sending, both
ISO 8601. A late "safe" that was seen before a newer danger is kept and does not count.

Calls under \`/api/sms\` are signed: as Standard Webhooks says, or by Twilio.`

/** Serves OpenAPI 3.1 generated from the contract: for people at `/api/docs`, as JSON at `/api/docs/json`. */
export const apiDocs = fastifyPlugin(async (app) => {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Emergency Event Management', description, version, license: { name: 'MIT' } },
      components: {
        securitySchemes: {
          session: { type: 'http', scheme: 'bearer' },
          observer: { type: 'apiKey', in: 'header', name: 'Authorization' },
        },
      },
    },
    transform: ({ schema, url, route }) => {
      const access = route.config?.policy?.access
      const security = [{ [access === 'observer' ? 'observer' : 'session']: [] }]
      return { schema: { ...schema, ...(access !== 'public' && { security }) }, url }
    },
  })
  await app.register(swaggerUi, { routePrefix: '/api/docs', staticCSP: policy })
})
