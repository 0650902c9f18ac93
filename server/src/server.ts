import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { buildApp } from './app.ts'
import { demoAccounts, loadDemo, refuseDemo } from './features/directory/demo.ts'
import { channelSnapshot, isOver } from './features/realtime/realtime.service.ts'
import { meterTexts } from './features/sms/sms.metrics.ts'
import type { Services } from './http/services.ts'
import { systemClock } from './platform/clock.ts'
import type { Config } from './platform/config/config.ts'
import { type Connection, oneStatementOn, openPool, type Pool } from './platform/db/db.ts'
import { openJobs } from './platform/db/jobs.ts'
import { listNewerMigrations, migrate, refreshEventStatistics, refuseHalfRestored } from './platform/db/migrate.ts'
import { keepNameOrder } from './platform/db/name-order.ts'
import { catchUpWithRecords, followWallClock } from './platform/db/steady-clock.ts'
import { openDocumentStore } from './platform/documents/open-document-store.ts'
import { createLog } from './platform/observability/log.ts'
import { createMetrics, type Metrics } from './platform/observability/metrics.ts'
import { type Pulse, startPulse } from './platform/observability/pulse.ts'
import { type Service, watchServices } from './platform/observability/watch-services.ts'
import { watchWrites } from './platform/observability/write-watch.ts'
import { type Database, openDatabase } from './platform/postgres/database.ts'
import { deriveSecrets, loadSecretKey } from './platform/secrets.ts'
import { createRealtime } from './realtime/realtime.ts'
import { logStart } from './start-line.ts'
import { findActor } from './wardens/live-session.ts'
import { openWorker } from './worker.ts'

export interface RunningServer {
  /** What a person at the terminal should read; in production the log says it. */
  greeting: string | undefined
  log: Logger
  url: string
  /** Says 'not ready' for DRAIN_SECONDS, sends sockets elsewhere, lets requests finish, then stops jobs and database. */
  stop(): Promise<void>
}

/** Config → database → app → listen. Every role of the process unless ROLES says otherwise. */
export async function startServer(config: Config): Promise<RunningServer> {
  const log = createLog(config.logLevel)
  const database = await openDatabase(config, log, { as: 'node' })
  const closing: (() => Promise<unknown>)[] = [() => database.stop()]
  let isLeaving = false
  const stop = async () => {
    isLeaving = true
    for (const close of closing.splice(0).reverse()) await close()
  }
  try {
    return await assemble(config, database, log, { closing, stop, isLeaving: () => isLeaving })
  } catch (error) {
    await stop()
    throw error
  }
}

interface Life {
  /** What is to be closed at the end, the last first. */
  closing: (() => Promise<unknown>)[]
  stop: () => Promise<void>
  isLeaving: () => boolean
}

async function assemble(
  config: Config,
  { connection, name }: Database,
  log: Logger,
  { closing, stop, isLeaving }: Life,
) {
  // 1. the database
  let pulse: Pulse | undefined
  const isAway = () => pulse?.isAway() ?? false
  const patience = () => (isAway() ? patienceMs.away : patienceMs.usual)
  const pools = openPools(connection)
  const all = Object.values(pools)
  closing.push(inTime(patience, () => Promise.all(all.map((pool) => pool.close()))))
  const { documents, demo } = await prepareDatabase(config, pools, log)

  // 2. what requests and jobs share
  const secrets = deriveSecrets(loadSecretKey(config.secretKey, config.dataDir))
  const onTrouble = (error: unknown) => log.warn({ err: error }, 'background work')
  const metrics = createMetrics()
  const writes = watchWrites(connection, log)
  closing.push(inTime(() => patienceMs.away, writes.stop))
  const textMetrics = meterTexts(metrics, pools.system.db, config.smsBudgets, isAway)
  const works = config.roles.includes('worker')
  let closeWorker: () => Promise<unknown> = async () => {}
  closing.push(() => closeWorker())
  const jobs = await openJobs(connection, { works, onTrouble })
  closing.push(inTime(patience, () => jobs.stop()))

  // 3. the API
  const app = await buildApp(
    apiServices(config, pools, {
      secrets,
      metrics,
      documents,
      jobs,
      isDatabaseAway: isAway,
      isDatabaseAnswering: () => (pulse?.isAnswering() ?? false) && writes.takesWrites(),
      noteFailure: writes.suspect,
      announce: () => realtime.feed.announce(),
      refreshStatistics: () => void refreshEventStatistics(pools.owner.db).catch(onTrouble),
      isLeaving,
    }),
    log,
  )
  pulse = pulseOf(connection, all, log)
  closing.push(async () => pulse?.stop())
  const realtime = openRealtime(config, connection, pools, { log, metrics, key: secrets.realtime })
  metrics.watchDatabase(isAway)
  metrics.watchWrites(writes.takesWrites)
  metrics.watchSockets(() => realtime.hub.counts().connections)

  // 4. real-time; what requests still change is announced by the feed, so it ends after them
  const stopFeed = inTime(
    () => patienceMs.away,
    () => realtime.feed.stop(),
  )
  closing.push(
    stopFeed,
    () => app.close(),
    () => realtime.hub.close({ spreadMs: 1000 }),
  )
  if (config.roles.includes('hub')) await realtime.start(app.server)

  // 5. the worker, and whatever is watched
  const watched: Service[] = []
  const { check: checkRedis } = realtime.wakeUp
  if (checkRedis) watched.push({ name: 'redis', check: checkRedis, everyMs: 5_000 })
  if (works) {
    const worker = openWorker({ app, config, jobs, log, onTrouble, pool: pools.worker, secrets, textMetrics })
    closeWorker = worker.close
    watched.push(...worker.services)
    await worker.start()
  }
  closing.push(watchServices(watched, metrics, log))

  // 6. open for requests
  await app.listen({ port: config.port, host: config.host })
  closing.push(() => delay(config.drainSeconds * 1000))
  await logStart(log, config, pools.owner.db)
  return { url: config.appUrl, greeting: config.production ? undefined : greet(config, name, demo), log, stop }
}

/** One pool for each way into the database. The worker has one of its own: thousands of texts must not delay a sign-in. */
const openPools = (connection: Connection) => ({
  owner: openPool(connection, undefined, 4),
  system: openPool(connection, 'evac_system', 5),
  hot: openPool(connection, 'evac_system', 8, { reusePlans: true }),
  tenant: openPool(connection, 'evac_app', 8),
  worker: openPool(connection, 'evac_system', 4),
})
type Pools = ReturnType<typeof openPools>

type OfPools = 'config' | 'clock' | 'db' | 'oneStatement' | 'findActor' | 'system'
const apiServices = (config: Config, { system, hot, tenant }: Pools, rest: Omit<Services, OfPools>): Services => ({
  ...rest,
  config,
  clock: systemClock,
  db: tenant.db,
  oneStatement: oneStatementOn(hot),
  findActor: (tokenHash) => findActor(hot.db, tokenHash),
  system: system.db,
})

const pulseOf = (connection: Connection, pools: Pool[], log: Logger) =>
  startPulse(connection, {
    onLost: () => pools.forEach((pool) => void pool.cut()),
    onBeat: () => pools.forEach((pool) => void pool.cutSilent()),
    ask: followWallClock(log),
    log,
  })

/** Migrates, and loads the demo where it belongs. Throws for a database that is half restored, or a demo in production. */
async function prepareDatabase(config: Config, { owner, system }: Pools, log: Logger) {
  await refuseHalfRestored(owner.db)
  await migrate(owner.db)
  await keepNameOrder(owner.db)
  await catchUpWithRecords(system.db)
  const newer = await listNewerMigrations(owner.db)
  if (newer.length) log.warn({ migrations: newer }, 'A newer version has migrated this database. Put it here, too.')
  const documents = await openDocumentStore(config)
  if (config.production) await refuseDemo(system.db)
  return { documents, demo: config.demo && (await loadDemo(system.db, documents)) }
}

function openRealtime(
  { redisUrl, appUrl }: Config,
  connection: Connection,
  { system, hot }: Pools,
  { log, metrics, key }: { log: Logger; metrics: Metrics; key: Uint8Array },
) {
  return createRealtime({
    db: system.db,
    connection,
    redisUrl,
    key,
    appUrl,
    log,
    metrics: { count: (what, by = 1) => metrics.realtime.inc({ what }, by) },
    isRevoked: (claims) => isOver(hot.db, claims),
    snapshot: (channel) => channelSnapshot(system.db, channel),
  })
}

/**
 * For the texts at work, which wait for their gateways; and for a database that says nothing, by when its silence is
 * noticed.
 */
const patienceMs = { usual: 20_000, away: 3_000 }

/** What waits for the database longer than that is left to it, which undoes it: a node that is told to stop stops. */
const inTime = (patience: () => number, close: () => Promise<unknown>) => () =>
  Promise.race([close(), delay(patience())])

function greet(config: Config, database: string, demo: boolean): string {
  const lines = ['', `  Emergency Event Management is ready: ${config.appUrl}`, `  Database: ${database}`, '']
  if (demo) lines.push('  Demo accounts (password evacuate1):', ...demoAccounts.map((line) => `    ${line}`), '')
  if (config.smsGateways.includes('simulator'))
    lines.push(`  Texts go to the phone simulator, not to real phones: ${config.appUrl}/simulator`, '')
  if (config.mail === 'simulator') lines.push(`  Mails go there, too: no mail server is set up (SMTP_URL).`, '')
  return lines.join('\n')
}
