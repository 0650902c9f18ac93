import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { keepDemoAdministrators } from '#features/administrators/server/demo-administrators.service.ts'
import { listRescues } from '#features/administrators/server/owed-links.service.ts'
import { findSetUpLine } from '#features/administrators/server/set-up.service.ts'
import { openCells } from '#features/cells/server/directory/cells.ts'
import { demoAccounts } from '#features/directory/server/demo.ts'
import { openSigner } from '#features/log/server/signed-note.ts'
import { keepDemoDrill } from '#features/operation/server/demo-drill/demo-drill.service.ts'
import { writeDueRecords } from '#features/records/server/record-work.service.ts'
import { findAdministrator } from './administrators/live-console-session.ts'
import { buildApp } from './app.ts'
import { frontDoors } from './http/listeners.ts'
import { readTurns } from './http/read-turns.ts'
import type { Services } from './http/services.ts'
import { keepAssets } from './kept-assets.ts'
import { NodePulse, openPools, type Pools, prepareDatabase } from './node-database.ts'
import { meterNode } from './node-metrics.ts'
import { openRealtime } from './node-realtime.ts'
import { systemClock } from './platform/clock.ts'
import type { Config } from './platform/config/config.ts'
import { openBatches } from './platform/db/batches.ts'
import { type Connection, oneStatementOn } from './platform/db/db.ts'
import { openJobs } from './platform/db/jobs.ts'
import { refreshEventStatistics, refreshTextStatistics } from './platform/db/migrate.ts'
import { shareReads } from './platform/db/shared-reads.ts'
import type { DocumentStore } from './platform/documents/document-store.ts'
import { createLog } from './platform/observability/log.ts'
import { createMetrics, type Metrics } from './platform/observability/metrics.ts'
import { watchServices } from './platform/observability/watch-services.ts'
import { watchWrites } from './platform/observability/write-watch.ts'
import { openOutgoing } from './platform/outgoing.ts'
import { type Database, openDatabase } from './platform/postgres/database.ts'
import { deriveSecrets, keyring, loadSecretKey } from './platform/secrets.ts'
import { openContact } from './realtime/contact/phone-contact.ts'
import { logStart, readPostgresVersion } from './start-line.ts'
import { findActor } from './wardens/live-session.ts'
import { builtAssets } from './web-files.ts'
import { openWorker } from './worker.ts'

export interface RunningServer {
  /** For the person at the terminal. Undefined in production, where the log has it. */
  greeting: string | undefined
  /** For the person at the terminal, in production too: how to set up or to rescue an organisation. Never logged. */
  notices: string[]
  log: Logger
  url: string
  /** Answers 'not ready' for DRAIN_SECONDS, sends sockets elsewhere, lets requests finish, then stops jobs and database. */
  stop(): Promise<void>
}

/** Config → database → app → listen. The process has every role unless ROLES says otherwise. */
export async function startServer(config: Config): Promise<RunningServer> {
  const log = createLog(config.logLevel)
  const database = await openDatabase(config, log, { as: 'node' })
  const closing: Closing = [() => database.stop()]
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

/** What `stop` closes, the last entry first. */
type Closing = (() => Promise<unknown>)[]

interface Life {
  closing: Closing
  stop: () => Promise<void>
  isLeaving: () => boolean
}

/** What each step of the start uses. Each step adds to `life.closing` what it has opened. */
interface Node {
  config: Config
  connection: Connection
  pools: Pools
  pulse: NodePulse
  metrics: Metrics
  log: Logger
  onTrouble: (error: unknown) => void
  life: Life
}

async function assemble(config: Config, { connection, name }: Database, log: Logger, life: Life) {
  // 1. the database
  const node = openNode(config, connection, log, life)
  const { documents, isDemoLoaded } = await prepareDatabase(config, node.pools, log)

  // 2. what requests and jobs share
  const shared = await openShared(node)
  const { db: system } = node.pools.system
  if (isDemoLoaded) await keepDemoAdministrators(system, shared.secrets)
  const setUpLine = await findSetUpLine(system, { key: shared.secrets.setUp, appUrl: config.appUrl })
  const notices = [...(setUpLine ? [setUpLine] : []), ...(await listRescues(system, config))]

  if (config.roles.includes('api')) keepAssets(builtAssets, config.dataDir, log)

  // 3. the API, the pulse and real-time; sockets are accepted once the feed has its position
  const { app, realtime, doors } = await openApi(node, shared, documents)
  if (config.roles.includes('hub')) await realtime.start(app.server)

  if (isDemoLoaded) await keepDemoDrill(app, () => writeRecordsOf(node, shared, documents))

  // 4. the worker, and the services to watch
  const workerServices = shared.works ? await startWorker(node, shared, app) : []
  life.closing.push(watchServices([...realtime.services, ...workerServices], node.metrics, log))

  // 5. open for requests; nothing is awaited after `listen`, so that main.ts hears a signal from the first request on
  const postgresVersion = await readPostgresVersion(node.pools.owner.db)
  await doors.open(config)
  life.closing.push(() => delay(config.drainSeconds * 1000))
  logStart(log, config, postgresVersion)
  const greeting = config.production ? undefined : greet(config, name, isDemoLoaded)
  return { url: config.appUrl, greeting, notices, log, stop: life.stop }
}

/** The record of the demo's drill, before anyone looks. */
function writeRecordsOf(
  { config, pools, onTrouble }: Node,
  { secrets }: Shared,
  documents: DocumentStore,
): Promise<void> {
  const signer = openSigner(secrets.recordLog, config.appUrl)
  return writeDueRecords({ system: pools.system.db, signer, documents }, onTrouble, new AbortController().signal)
}

function openNode(config: Config, connection: Connection, log: Logger, life: Life): Node {
  const pulse = new NodePulse()
  const pools = openPools(connection)
  life.closing.push(inTime(patienceOf(pulse), () => Promise.all(Object.values(pools).map((pool) => pool.close()))))
  const metrics = createMetrics()
  const onTrouble = (error: unknown) => {
    metrics.workFailures.inc()
    log.warn({ err: error }, 'Background work failed')
  }
  return { config, connection, pools, pulse, metrics, log, onTrouble, life }
}

/** Secrets, what is metered, the watch on writes, and the jobs. */
async function openShared({ config, connection, pools, pulse, metrics, log, onTrouble, life }: Node) {
  const secrets = deriveSecrets(loadSecretKey(config.secretKey, config.dataDir), config.formerSecretKeys)
  const batches = openBatches(oneStatementOn(pools.hot), metrics)
  const writes = watchWrites(connection, log)
  life.closing.push(inTime(() => patienceMs.away, writes.stop))
  const textMetrics = meterNode(metrics, { config, pools, isDatabaseAway: pulse.isAway })
  const works = config.roles.includes('worker')
  // the gateways close after the jobs that use them
  const worker = { close: async (): Promise<unknown> => undefined }
  life.closing.push(() => worker.close())
  const jobs = await openJobs(connection, { works, onTrouble })
  life.closing.push(inTime(patienceOf(pulse), () => jobs.stop()))
  return { secrets, batches, writes, textMetrics, works, worker, jobs }
}
type Shared = Awaited<ReturnType<typeof openShared>>

async function openApi(node: Node, shared: Shared, documents: DocumentStore) {
  const { connection, pools, pulse, metrics, log, life } = node
  const { writes } = shared
  const contact = openContact({ db: pools.system.db, onTrouble: node.onTrouble })
  const services = apiServices(node, shared, documents, {
    announce: () => realtime.announce(),
    noteContact: contact.note,
  })
  const app = await buildApp(services, log)
  pulse.start(connection, pools, log)
  life.closing.push(pulse.stop)
  const realtime = openRealtime({
    config: node.config,
    connection,
    system: pools.system.db,
    log,
    metrics,
    keys: keyring(shared.secrets, 'realtime'),
    inBatch: shared.batches.inBatch,
    isDatabaseAway: pulse.isAway,
    contact,
  })
  metrics.watchDatabase(pulse.isAway)
  metrics.watchWrites(writes.takesWrites)
  metrics.watchSockets(realtime.sockets)
  // the feed announces what the last requests change, so it stops after them
  const stopFeed = inTime(() => patienceMs.away, realtime.stop)
  const doors = frontDoors(app)
  life.closing.push(
    inTime(() => patienceMs.away, contact.stop),
    stopFeed,
    doors.close,
    realtime.closeSockets,
  )
  return { app, realtime, doors }
}

const apiServices = (
  { config, pools: { owner, system, hot, tenant }, pulse, metrics, onTrouble, life }: Node,
  { secrets, batches, writes, jobs }: Shared,
  documents: DocumentStore,
  told: Pick<Services, 'announce' | 'noteContact'>,
): Services => ({
  config,
  clock: systemClock,
  secrets,
  metrics,
  documents,
  cells: openCells({ config, callOut: openOutgoing(config), clock: systemClock }),
  jobs,
  db: tenant.db,
  system: system.db,
  hot: hot.db,
  sharedRead: shareReads(),
  readInTurn: readTurns(),
  ...batches,
  findActor: (tokenHash) => findActor(batches.inBatch, tokenHash),
  findAdministrator: (tokenHash, use) => findAdministrator(hot.db, tokenHash, use),
  isDatabaseAway: pulse.isAway,
  isDatabaseAnswering: () => pulse.isAnswering() && writes.takesWrites(),
  noteFailure: writes.suspect,
  ...told,
  refreshStatistics: () => void refreshEventStatistics(owner.db).catch(onTrouble),
  isLeaving: life.isLeaving,
})

/** Returns the services to watch: the gateways and the mail server. */
async function startWorker({ config, connection, pools, log, onTrouble }: Node, shared: Shared, app: FastifyInstance) {
  const { jobs, secrets, textMetrics } = shared
  const refreshStatistics = () => void refreshTextStatistics(pools.owner.db).catch(onTrouble)
  const worker = openWorker({
    app,
    config,
    connection,
    jobs,
    log,
    onTrouble,
    pool: pools.worker,
    refreshStatistics,
    secrets,
    textMetrics,
  })
  shared.worker.close = worker.close
  await worker.start()
  return worker.services
}

/** How long to wait for texts at work with their gateways, and for a database that does not answer. */
const patienceMs = { usual: 20_000, away: 3_000 }
const patienceOf = (pulse: NodePulse) => () => (pulse.isAway() ? patienceMs.away : patienceMs.usual)

/** Stops waiting after the given time: a node that is told to stop stops. The database undoes what was not committed. */
const inTime = (patience: () => number, close: () => Promise<unknown>) => () =>
  Promise.race([close(), delay(patience())])

function greet(config: Config, database: string, isDemoLoaded: boolean): string {
  const lines = ['', `  Emergency Event Management is ready: ${config.appUrl}`, `  Database: ${database}`, '']
  if (isDemoLoaded)
    lines.push('  Demo accounts (password evacuate1):', ...demoAccounts.map((line) => `    ${line}`), '')
  if (config.smsGateways.includes('simulator'))
    lines.push(`  Texts go to the phone simulator, not to real phones: ${config.appUrl}/simulator`, '')
  if (config.mail === 'simulator') lines.push(`  Emails go there too: no mail server is set (SMTP_URL).`, '')
  return lines.join('\n')
}
