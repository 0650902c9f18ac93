import rateLimit from '@fastify/rate-limit'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import helmet from 'helmet'
import type { Logger } from 'pino'
import { assignmentsRoutes } from './features/assignments/assignments.routes.ts'
import { attendanceRoutes } from './features/attendance/attendance.routes.ts'
import { buildingSafetyRoutes } from './features/building-safety/building-safety.routes.ts'
import { evacuationRoutes } from './features/evacuation/evacuation.routes.ts'
import { floorOverviewRoutes } from './features/evacuation/floor-overview.routes.ts'
import { eventsRoutes } from './features/events/events.routes.ts'
import { mailSimulatorRoutes } from './features/mail/simulator.routes.ts'
import { messagingRoutes } from './features/messaging/messaging.routes.ts'
import { receiveReply } from './features/messaging/messaging.service.ts'
import { passwordResetRoutes } from './features/password-reset/password-reset.routes.ts'
import { realtimeRoutes } from './features/realtime/realtime.routes.ts'
import { reportInRoutes } from './features/report-in/report-in.routes.ts'
import { reportInLinksRoutes } from './features/report-in-links/report-in-links.routes.ts'
import { safetyRoutes } from './features/safety/safety.routes.ts'
import { signInRoutes } from './features/sign-in/sign-in.routes.ts'
import { gatewayRoutes } from './features/sms/gateways/gateways.ts'
import { inboundRoutes } from './features/sms/inbound/inbound.routes.ts'
import { simulatorRoutes } from './features/sms/simulator.routes.ts'
import { healthRoutes } from './health.routes.ts'
import { apiDocs } from './http/api-docs.ts'
import { compressAnswers } from './http/compression.ts'
import { answerError, answerUnreadable } from './http/error-handler.ts'
import { guardRoutes, tokenOf } from './http/guard.ts'
import { acceptJson } from './http/json-body.ts'
import type { Services } from './http/services.ts'
import { shareOf, turnsBySession } from './http/turns-by-session.ts'
import { Refusal } from './platform/errors.ts'
import { networkOf } from './platform/network.ts'
import { createLog } from './platform/observability/log.ts'
import { isSealed, sha256 } from './platform/secrets.ts'
import { lostUpgradeRoutes } from './realtime/lost-upgrade.routes.ts'
import { isPageRequest, passwordResetBy, readPage, serveWebApp } from './web-files.ts'

/** Of what is no call: those have limits of their own, from their schemas. */
const bodyLimit = 1024

/** The composition root: everything is wired here, by plain imports. Tests build the same app. */
export async function buildApp(
  services: Services,
  log: Logger = createLog(services.config.logLevel),
): Promise<FastifyInstance> {
  const { config } = services
  const isApi = config.roles.includes('api')
  const app = Fastify({
    bodyLimit,
    requestTimeout: 30_000,
    connectionTimeout: 60_000,
    keepAliveTimeout: 72_000,
    trustProxy: (_address: string, hop: number) => hop < config.trustedProxies,
    // counted in metrics instead: an address may hold a search text
    logController: new LogController({ disableRequestLogging: true }),
    loggerInstance: log as FastifyBaseLogger,
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false as never, allErrors: false } },
    // an address that cannot be read never reaches a route
    clientErrorHandler: answerUnreadable,
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
  })
  for (const [name, service] of Object.entries(services)) app.decorate(name, service)
  app.decorateRequest('actor', undefined as never)
  const share = shareOf(config.requestsPerMinute)
  // a page of ours asks for four things at once, and a phone sends its records one by one
  app.decorate('inTurn', turnsBySession({ atOnce: 4, longestQueue: 200, share }))
  acceptJson(app)
  // a client that asks whether it may send is answered by what it sends
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  countRequests(app)
  app.setErrorHandler(answerError)
  const page = isApi ? readPage(passwordResetBy(config)) : undefined
  app.setNotFoundHandler((request, reply) => {
    if (page && isPageRequest(request.method, request.url))
      return reply.header('cache-control', 'private, max-age=600').type('text/html').send(page)
    throw new Refusal('not_found')
  })

  const secure = helmet(securityHeaders(config.appUrl))
  app.addHook('onRequest', (request, reply, next) => secure(request.raw, reply.raw, () => next()))
  await app.register(rateLimit, {
    max: config.requestsPerMinute,
    timeWindow: '1 minute',
    cache: 20_000,
    // the app's own files are for whoever opens the page, and many do at once; by route, as an address has many spellings
    allowList: ({ routeOptions }) => !isOfApi(routeOptions.url),
    // a whole office stands behind one address: who signed in is counted by the token, whoever made one up by the address.
    // Each public call counts for itself, so that no junk uses up the sign-ins of others behind the address.
    keyGenerator: (request) => {
      const token = request.routeOptions.config.policy?.access === 'public' ? undefined : tokenOf(request)
      const isOurs = token !== undefined && isSealed(services.secrets.access, token)
      return isOurs ? sha256(token).toString('base64') : networkOf(request)
    },
  })
  if (isApi) await app.register(apiDocs)
  app.addHook('onRequest', async ({ routeOptions: { config } }) => {
    if (config.policy && !config.needsNoDatabase && services.isDatabaseAway()) throw new Refusal('unavailable')
  })
  guardRoutes(app, services.findActor, share)
  app.addHook('onSend', async (request, reply) => {
    if (isOfApi(request.routeOptions.url ?? request.url)) reply.header('cache-control', 'no-store')
    // a connection kept open would keep the process, too; and what is turned down unread stays unread
    if (app.isLeaving() || (reply.statusCode >= 400 && request.raw.complete === false))
      reply.header('connection', 'close')
  })
  compressAnswers(app)
  await app.register(healthRoutes)
  await app.register(lostUpgradeRoutes)
  if (isApi) for (const routes of apiRoutes) await app.register(routes)
  if (isApi) await serveWebApp(app)
  return app
}

/** What a process without the role `api` does without. */
const apiRoutes = [
  signInRoutes,
  passwordResetRoutes,
  reportInRoutes,
  reportInLinksRoutes,
  assignmentsRoutes,
  eventsRoutes,
  attendanceRoutes,
  evacuationRoutes,
  buildingSafetyRoutes,
  messagingRoutes,
  floorOverviewRoutes,
  safetyRoutes,
  realtimeRoutes,
  simulatorRoutes(receiveReply),
  ...gatewayRoutes,
  inboundRoutes,
  mailSimulatorRoutes,
]

const isOfApi = (path = '') => path.startsWith('/api/')

function countRequests(app: FastifyInstance) {
  app.addHook('onResponse', async (request, reply) => {
    const path = request.routeOptions.url ?? 'none'
    app.metrics.requests.observe({ method: request.method, path, status: reply.statusCode }, reply.elapsedTime / 1000)
  })
}

function securityHeaders(appUrl: string) {
  const isHttps = appUrl.startsWith('https:')
  return {
    frameguard: { action: 'deny' as const },
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        // older browsers do not count the socket of the page's own origin as 'self'
        connectSrc: ["'self'", appUrl.replace(/^http/, 'ws')],
        imgSrc: ["'self'", 'data:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        // no text ever becomes a script: where one could, the browser refuses
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: ["'none'"],
      },
    },
    strictTransportSecurity: isHttps,
    referrerPolicy: { policy: 'no-referrer' as const },
    crossOriginOpenerPolicy: isHttps,
  }
}
