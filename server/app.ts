import { globSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import rateLimit from '@fastify/rate-limit'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyPluginAsync, LogController } from 'fastify'
import type { Logger } from 'pino'
import { isForStrangers } from '#kernel/plain-pages.ts'
import { healthRoutes } from './health.routes.ts'
import { apiDocs } from './http/api-docs.ts'
import { schemaCompilers } from './http/compiled-schemas.ts'
import { compressAnswers } from './http/compression.ts'
import { answerError, answerUnreadable } from './http/error-handler.ts'
import { guardRoutes, tokenOf } from './http/guard.ts'
import { acceptJson } from './http/json-body.ts'
import { secureHeaders } from './http/security-headers.ts'
import type { Services } from './http/services.ts'
import { shareOf, turnsBySession } from './http/turns-by-session.ts'
import type { Config } from './platform/config/config.ts'
import { Refusal } from './platform/errors.ts'
import { networkOf } from './platform/network.ts'
import { createLog } from './platform/observability/log.ts'
import { keyring, sealedHashes } from './platform/secrets.ts'
import { lostUpgradeRoutes } from './realtime/lost-upgrade.routes.ts'
import { trustRoutes } from './trust.routes.ts'
import { isPageRequest, serveWebApp } from './web-files.ts'
import { isWallRequest, passwordResetBy, readPage, readWallPage, type WebPage } from './web-page.ts'

/** For routes that are no call. Each call has a limit of its own, from its schema. */
const bodyLimit = 1024

/** The composition root: everything is wired here. Tests build the same app. */
export async function buildApp(
  services: Services,
  log: Logger = createLog(services.config.logLevel),
): Promise<FastifyInstance> {
  const { config } = services
  const isApi = config.roles.includes('api')
  const share = shareOf(config.requestsPerMinute)
  const app = createFastify(config, log)
  for (const [name, service] of Object.entries(services)) app.decorate(name, service)
  app.decorateRequest('actor', undefined as never)
  app.decorateRequest('administrator', undefined as never)
  app.decorateRequest('observer', undefined as never)
  // a page of ours makes four requests at once, and a phone sends its records one by one
  app.decorate('inTurn', turnsBySession({ atOnce: 4, longestQueue: 200, share }))

  app.addHook('onClose', services.drained)

  // 1. what a request may be, and what answers the rest
  acceptJson(app)
  acceptExpectation(app)
  countRequests(app)
  app.setErrorHandler(answerError)
  const page = isApi ? readPage(passwordResetBy(config)) : undefined
  answerOtherPaths(app, page, isApi ? readWallPage() : undefined)

  // 2. what every request passes, in this order
  secureHeaders(app, [config.appUrl, config.centrifugo?.publicUrl], page?.inline)
  const hashOfOurs = sealedHashes([...keyring(services.secrets, 'access'), ...keyring(services.secrets, 'console')])
  await limitRequests(app, config, hashOfOurs)
  if (isApi && config.apiDocs) await app.register(apiDocs)
  refuseWhileAway(app, services.isDatabaseAway, hashOfOurs)
  guardRoutes(app, services.findActor, services.findAdministrator, share)
  finishHeaders(app)
  compressAnswers(app)

  // 3. the routes
  await app.register(healthRoutes)
  await app.register(lostUpgradeRoutes)
  if (isApi) await app.register(trustRoutes)
  if (isApi) for (const plugin of await findRoutes()) await app.register(plugin)
  if (isApi) await serveWebApp(app, config.dataDir)
  return app
}

/** What the files of routes of all subjects export, in the order of their paths. */
async function findRoutes(): Promise<FastifyPluginAsync[]> {
  const folder = join(import.meta.dirname, '../features')
  const files = globSync('*/server/**/*.routes.ts', { cwd: folder }).sort()
  const modules: Record<string, FastifyPluginAsync>[] = await Promise.all(
    files.map((file) => import(pathToFileURL(join(folder, file)).href)),
  )
  return modules.flatMap((module) => Object.values(module))
}

function createFastify(config: Config, log: Logger): FastifyInstance {
  const { compilersFactory, compileRestAfterStart } = schemaCompilers()
  const app: FastifyInstance = Fastify({
    bodyLimit,
    requestTimeout: 30_000,
    connectionTimeout: 60_000,
    keepAliveTimeout: 72_000,
    trustProxy: (_address: string, hop: number) => hop < config.trustedProxies,
    // requests are counted in metrics instead, because an address may contain a search text
    logController: new LogController({ disableRequestLogging: true }),
    loggerInstance: log as FastifyBaseLogger,
    schemaController: { compilersFactory },
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false as never, allErrors: false } },
    // an unreadable address never reaches a route
    clientErrorHandler: answerUnreadable,
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
  })
  compileRestAfterStart(app)
  return app
}

/** A client that sends `Expect` and waits gets its answer as if it had not. */
const acceptExpectation = ({ server }: FastifyInstance) =>
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))

/** The web app's page, or the wall's, answers addresses outside the API, those of no page with 404. Everything else is not found. */
function answerOtherPaths(app: FastifyInstance, appPage: WebPage | undefined, wall: WebPage | undefined) {
  app.setNotFoundHandler((request, reply) => {
    const page = isWallRequest(request.url) ? wall : appPage
    if (page && isPageRequest(request.method, request.url)) return page.send(request, reply)
    throw new Refusal('not_found')
  })
}

/** Undefined for a token that was not made here. */
type HashOfOurs = (token: string) => string | undefined

/**
 * Counts requests per minute. A signed-in phone counts by its token, because a whole office shares one address. A caller
 * with a made-up token counts by address. Each public call is counted separately, so that junk uses up no one's sign-in.
 */
const limitRequests = (app: FastifyInstance, config: Config, hashOfOurs: HashOfOurs) =>
  app.register(rateLimit, {
    max: config.requestsPerMinute,
    timeWindow: '1 minute',
    cache: 20_000,
    // files of the web app are not counted; the route decides, because an address has many spellings
    allowList: ({ routeOptions: { url } }) => !isOfApi(url) && !isForStrangers(url),
    keyGenerator: (request) => {
      const token = request.routeOptions.config.policy?.access === 'public' ? undefined : tokenOf(request)
      return (token && hashOfOurs(token)) ?? networkOf(request).line
    },
  })

/** Milliseconds for which a record waits for a database that is away, and between two looks. */
const [recordWaits, looks] = [250, 25]

/** Comes before the limit of requests: no one waits uncounted but who has a token of ours. */
function refuseWhileAway(app: FastifyInstance, isDatabaseAway: () => boolean, hashOfOurs: HashOfOurs) {
  const isBackSoon = async () => {
    for (const end = performance.now() + recordWaits; isDatabaseAway() && performance.now() < end; ) await delay(looks)
    return !isDatabaseAway()
  }
  app.addHook('onRequest', async (request) => {
    const { config } = request.routeOptions
    if (!config.policy || config.needsNoDatabase || !isDatabaseAway()) return
    const token = config.guardsItself && request.method === 'POST' && tokenOf(request)
    if (!token || !hashOfOurs(token) || !(await isBackSoon())) throw new Refusal('unavailable')
  })
}

function finishHeaders(app: FastifyInstance) {
  app.addHook('onSend', async (request, reply) => {
    if (isOfApi(request.routeOptions.url ?? request.url)) reply.header('cache-control', 'no-store')
    // an open connection would keep a leaving process alive, and would deliver the rest of a rejected body
    if (app.isLeaving() || (reply.statusCode >= 400 && request.raw.complete === false))
      reply.header('connection', 'close')
  })
}

const isOfApi = (path = '') => path.startsWith('/api/')

function countRequests(app: FastifyInstance) {
  app.addHook('onResponse', async (request, reply) => {
    const path = request.routeOptions.url ?? 'none'
    app.metrics.requests.observe({ method: request.method, path, status: reply.statusCode }, reply.elapsedTime / 1000)
  })
}
