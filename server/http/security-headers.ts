import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'

/** CSP sources of the scripts and styles that stand in the app's page itself. */
export interface InlineSources {
  scripts: readonly string[]
  styles: readonly string[]
}

export function secureHeaders(
  app: FastifyInstance,
  /** Where people open the app, and where phones connect if that is elsewhere. */
  [appUrl, socketUrl]: readonly [string, string?],
  inline: InlineSources = { scripts: [], styles: [] },
) {
  const sockets = [appUrl, socketUrl ?? []].flat().map((url) => new URL(url).origin.replace(/^http/, 'ws'))
  const headers = headersOf(helmet(securityHeaders(appUrl.startsWith('https:'), sockets, inline)))
  app.addHook('onRequest', (_request, reply, next) => {
    reply.headers(headers)
    next()
  })
}

/** The headers are the same for each answer, so helmet makes them once. */
function headersOf(secure: ReturnType<typeof helmet>): OutgoingHttpHeaders {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  secure(request, response, (error) => {
    if (error) throw error
  })
  return response.getHeaders()
}

function securityHeaders(isHttps: boolean, sockets: readonly string[], { scripts, styles }: InlineSources) {
  return {
    frameguard: { action: 'deny' as const },
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...scripts],
        styleSrc: ["'self'", ...styles],
        // in older browsers 'self' does not include the page's own socket
        connectSrc: ["'self'", ...sockets],
        imgSrc: ["'self'", 'data:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        // text never becomes a script: the browser refuses where it could
        requireTrustedTypesFor: ["'script'"],
        // the address of the worker that shows alerts, and no other
        trustedTypes: ['evac-alerts'],
      },
    },
    strictTransportSecurity: isHttps,
    referrerPolicy: { policy: 'no-referrer' as const },
    crossOriginOpenerPolicy: isHttps,
  }
}
