import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { buildApp } from './app.ts'
import { demoAccounts, loadDemo, refuseDemo } from './features/directory/demo.ts'
import { joinWhoseDayHasCome } from './features/events/event-wardens.service.ts'
import { createMailTransport, sendDueMails } from './features/mail/mail.service.ts'
import { receiveReply } from './features/messaging/messaging.service.ts'
import { resetLink } from './features/password-reset/password-reset.service.ts'
import { channelSnapshot, isOver } from './features/realtime/realtime.service.ts'
import { forget } from './features/retention/retention.service.ts'
import { openGateways } from './features/sms/gateways/gateways.ts'
import { passOnReplies, type ReceiveReply } from './features/sms/inbound/inbound.service.ts'
import { meterTexts } from './features/sms/sms.metrics.ts'
import { sendDueTexts } from './features/sms/sms.service.ts'
import { systemClock } from './platform/clock.ts'
import type { Config } from './platform/config/config.ts'
import { oneStatementOn, openPool } from './platform/db/db.ts'
import { openJobs } from './platform/db/jobs.ts'
import { listNewerMigrations, migrate, refreshEventStatistics, refuseHalfRestored } from './platform/db/migrate.ts'
import { keepNameOrder } from './platform/db/name-order.ts'
import { catchUpWithRecords, followWallClock } from './platform/db/steady-clock.ts'
import { forgetOldCounts } from './platform/db/throttle.ts'
import { openDocumentStore } from './platform/documents/open-document-store.ts'
import { createLog } from './platform/observability/log.ts'
import { createMetrics } from './platform/observability/metrics.ts'
import { type Pulse, startPulse } from './platform/observability/pulse.ts'
import { type Service, watchServices } from './platform/observability/watch-services.ts'
import { watchWrites } from './platform/observability/write-watch.ts'
import { type Database, openDatabase } from './platform/postgres/database.ts'
import { deriveSecrets, loadSecretKey } from './platform/secrets.ts'
import { createRealtime } from './realtime/realtime.ts'
import { servicesOf } from './services-of.ts'
import { logStart } from './start-line.ts'
import { textSources } from './text-sources.ts'
import { findActor } from './wardens/live-session.ts'

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
  let pulse: Pulse | undefined
  const isAway = () => pulse?.isAway() ?? false
  const patience = () => (isAway() ? patienceMs.away : patienceMs.usual)
  const owner = openPool(connection, undefined, 4)
  const system = openPool(connection, 'evac_system', 5)
  const hot = openPool(connection, 'evac_system', 8, { reusePlans: true })
  const tenant = openPool(connection, 'evac_app', 8)
  // apart, so that thousands of texts do not stand in the way of a sign-in
  const worker = openPool(connection, 'evac_system', 4)
  const pools = [owner, system, hot, tenant, worker]
  closing.push(inTime(patience, () => Promise.all(pools.map((pool) => pool.close()))))
  await refuseHalfRestored(owner.db)
  await migrate(owner.db)
  await keepNameOrder(owner.db)
  await catchUpWithRecords(system.db)
  const newer = await listNewerMigrations(owner.db)
  const documents = await openDocumentStore(config)
  if (config.production) await refuseDemo(system.db)
  const demo = config.demo && (await loadDemo(system.db, documents))

  const secrets = deriveSecrets(loadSecretKey(config.secretKey, config.dataDir))
  let announce: () => void = () => undefined
  const onTrouble = (error: unknown) => log.warn({ err: error }, 'background work')
  const metrics = createMetrics()
  const writes = watchWrites(connection, log)
  closing.push(inTime(() => patienceMs.away, writes.stop))
  const textMetrics = meterTexts(metrics, system.db, config.smsBudgets, isAway)
  const works = config.roles.includes('worker')
  let closeGateways = async () => {}
  closing.push(() => closeGateways())
  const jobs = await openJobs(connection, { works, onTrouble })
  closing.push(inTime(patience, () => jobs.stop()))
  const app = await buildApp(
    {
      config,
      clock: systemClock,
      secrets,
      metrics,
      db: tenant.db,
      oneStatement: oneStatementOn(hot),
      findActor: (tokenHash) => findActor(hot.db, tokenHash),
      system: system.db,
      isDatabaseAway: isAway,
      isDatabaseAnswering: () => (pulse?.isAnswering() ?? false) && writes.takesWrites(),
      noteFailure: writes.suspect,
      documents,
      jobs,
      announce: () => announce(),
      refreshStatistics: () => void refreshEventStatistics(owner.db).catch(onTrouble),
      isLeaving,
    },
    log,
  )
  if (newer.length) log.warn({ migrations: newer }, 'A newer version has migrated this database. Put it here, too.')
  pulse = startPulse(connection, {
    onLost: () => pools.forEach((pool) => void pool.cut()),
    onBeat: () => pools.forEach((pool) => void pool.cutSilent()),
    ask: followWallClock(log),
    log,
  })
  closing.push(async () => pulse?.stop())
  const realtime = createRealtime({
    db: system.db,
    connection,
    redisUrl: config.redisUrl,
    key: secrets.realtime,
    appUrl: config.appUrl,
    log,
    metrics: { count: (what, by = 1) => metrics.realtime.inc({ what }, by) },
    isRevoked: (claims) => isOver(hot.db, claims),
    snapshot: (channel) => channelSnapshot(system.db, channel),
  })
  announce = () => realtime.feed.announce()
  metrics.watchDatabase(isAway)
  metrics.watchWrites(writes.takesWrites)
  metrics.watchSockets(() => realtime.hub.counts().connections)
  // what requests still change is announced by the feed, so it ends after them
  closing.push(
    inTime(
      () => patienceMs.away,
      () => realtime.feed.stop(),
    ),
    () => app.close(),
    () => realtime.hub.close({ spreadMs: 1000 }),
  )
  if (config.roles.includes('hub')) await realtime.start(app.server)
  const services: Service[] = []
  const { check: checkRedis } = realtime.wakeUp
  if (checkRedis) services.push({ name: 'redis', check: checkRedis, everyMs: 5_000 })
  if (works) {
    const onBack = () => jobs.sweepTexts()
    const trying = { onTrouble, onTry: textMetrics.noteTry, onBack }
    const gateway = openGateways({ system: worker.db, jobs }, config, trying)
    closeGateways = () => gateway.close()
    const { appUrl, smsBudgets: budgets } = config
    const sources = textSources(secrets)
    const sending = { system: worker.db, gateway, ...sources, appUrl, budgets, metrics: textMetrics, onTrouble }
    const linkOf = resetLink(secrets.passwordResets, appUrl)
    const transport = createMailTransport(worker.db, config)
    services.push(...servicesOf(gateway.gateways, transport))
    const mailing = { system: worker.db, transport, linkOf, onTrouble }
    const receive: ReceiveReply = ({ gateway, providerId, fromMobile, body, receivedAt }) =>
      receiveReply(app, { providerId: `${gateway}:${providerId}`, fromNumber: fromMobile, text: body, receivedAt })
    await jobs.work({
      housekeeping: async () => log.info(await forget(worker, config.retention), 'housekeeping'),
      texts: (stopping) => sendDueTexts(sending, stopping),
      replies: (stopping) => passOnReplies(worker.db, receive, onTrouble, stopping),
      mails: (stopping) => sendDueMails(mailing, stopping),
      minutely: async () => {
        await forgetOldCounts(worker.db)
        await joinWhoseDayHasCome(worker.db, onTrouble)
      },
    })
  }
  closing.push(watchServices(services, metrics, log))
  await app.listen({ port: config.port, host: config.host })
  closing.push(() => delay(config.drainSeconds * 1000))
  await logStart(log, config, owner.db)
  return { url: config.appUrl, greeting: config.production ? undefined : greet(config, name, demo), log, stop }
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
