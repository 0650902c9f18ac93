import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'

/** CSP sources of the scripts and styles that stand in the app's page itself. */
export interface InlineSources {
  scripts: readonly string[]
  styles: readonly string[]
}

export function secureHeaders(
  app: FastifyInstance,
  appUrl: string,
  inline: InlineSources = { scripts: [], styles: [] },
) {
  const secure = helmet(securityHeaders(appUrl, inline))
  app.addHook('onRequest', (request, reply, next) => secure(request.raw, reply.raw, () => next()))
}

function securityHeaders(appUrl: string, { scripts, styles }: InlineSources) {
  const isHttps = appUrl.startsWith('https:')
  return {
    frameguard: { action: 'deny' as const },
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...scripts],
        styleSrc: ["'self'", ...styles],
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
