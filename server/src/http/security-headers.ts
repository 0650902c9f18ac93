import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'

export function secureHeaders(app: FastifyInstance, appUrl: string) {
  const secure = helmet(securityHeaders(appUrl))
  app.addHook('onRequest', (request, reply, next) => secure(request.raw, reply.raw, () => next()))
}

function securityHeaders(appUrl: string) {
  const isHttps = appUrl.startsWith('https:')
  return {
    frameguard: { action: 'deny' as const },
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        // in older browsers 'self' does not include the page's own socket
        connectSrc: ["'self'", appUrl.replace(/^http/, 'ws')],
        imgSrc: ["'self'", 'data:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        // text never becomes a script: the browser refuses where it could
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: ["'none'"],
      },
    },
    strictTransportSecurity: isHttps,
    referrerPolicy: { policy: 'no-referrer' as const },
    crossOriginOpenerPolicy: isHttps,
  }
}
