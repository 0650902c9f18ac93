import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import fastifyPlugin from 'fastify-plugin'

/** What the app's own pages have, less a socket. */
const policy =
  "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

/** OpenAPI 3.1 from the contract, readable at `/api/docs`, as JSON at `/api/docs/json`. */
export const apiDocs = fastifyPlugin(async (app) => {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Emergency Event Management', version: '0.1.0', license: { name: 'MIT' } },
      components: { securitySchemes: { session: { type: 'http', scheme: 'bearer' } } },
    },
    transform: ({ schema, url, route }) => {
      const isPublic = route.config?.policy?.access === 'public'
      return { schema: { ...schema, ...(!isPublic && { security: [{ session: [] }] }) }, url }
    },
  })
  await app.register(swaggerUi, { routePrefix: '/api/docs', staticCSP: policy })
})
