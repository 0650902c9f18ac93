import { mkdirSync, rmSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import type { NetConnectOpts } from 'node:net'
import { join } from 'node:path'
import pg, { type ClientConfig } from 'pg'
import { killPostgres } from '../rig/kill-postgres.ts'
import {
  embeddedDatabase,
  importFolder,
  makeTemporaryFolder,
  ProductNode,
  type Settings,
  testSettings,
} from '../rig/product.ts'
import type { Random } from '../rig/random.ts'
import { Line } from '../rig/tcp-proxy.ts'
import { findFreePorts } from '../scripts/lib/free-ports.ts'
import { type Disk, mountDisk } from './disk.ts'
import type { Copy } from './evidence/history.ts'
import { SmscSimulator } from './smsc-simulator.ts'

/** Everything that a run consists of. `keeper` keeps the embedded database up and does nothing else. */
export interface Stage {
  url: string
  socketUrl: string
  keeper: ProductNode
  api: ProductNode
  worker: ProductNode
  lines: Record<'phones' | 'apiToDatabase' | 'workerToDatabase' | 'provider', Line>
  smsc: SmscSimulator
  disk: Disk
  /** Past the lines, as the superuser: the run breaks things, and the checker reads everything. */
  database: ClientConfig
  /** Copies the logs to a folder that outlives the run. Returns that folder. */
  keepLogs(): Promise<string>
  killDatabase(): void
  /** Makes the database need room for its log at once. Without room it stops. */
  useUpLog(): Promise<void>
  /** Loads a folder of CSV with the product's own command. */
  import(folder: string): Promise<void>
  stop(): Promise<void>
}

/**
 * API and worker as separate processes. Each has its own line to a real PostgreSQL. The phones reach the API by a line,
 * and the worker reaches the provider by a line. `people`: of the upload.
 */
export async function setUpStage(random: Random, copies: Copy[], people: number): Promise<Stage> {
  const folder = makeTemporaryFolder('evac-faults-')
  const disk = await mountDisk(join(folder, 'disk'), people)
  const dataDir = join(disk.folder, 'data')
  const database = embeddedDatabase(dataDir)
  const ports = await choosePorts()
  const lines = await openLines(ports, database.host, random)
  const smsc = new SmscSimulator(copies)
  await smsc.listen(ports.smsc)
  const nodes = nodesIn(folder, dataDir, ports)
  const { keeper, api, worker } = nodes
  const killDatabase = () => killPostgres(join(dataDir, 'postgres'))
  process.on('exit', killDatabase)
  for (const node of [keeper, api, worker]) await node.start()
  return {
    url: urlOf(ports),
    socketUrl: `ws://127.0.0.1:${ports.phonesLine}/connection/websocket`,
    ...nodes,
    lines,
    smsc,
    disk,
    database,
    keepLogs: () => keepLogs(folder, join(dataDir, 'postgres.log')),
    killDatabase,
    useUpLog: () => useUpLog({ ...database, database: 'postgres' }),
    import: (csv) => importFolder(csv, { ...testSettings, DATA_DIR: dataDir }),
    async stop() {
      for (const line of Object.values(lines)) await line.close()
      await api.kill()
      await worker.kill()
      await keeper.stop()
      await smsc.close()
      await disk.unmount()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function choosePorts() {
  const first = await findFreePorts(8)
  return {
    api: first,
    worker: first + 1,
    keeper: first + 2,
    smsc: first + 3,
    phonesLine: first + 4,
    apiLine: first + 5,
    workerLine: first + 6,
    providerLine: first + 7,
  }
}
type Ports = Awaited<ReturnType<typeof choosePorts>>

const urlOf = ({ phonesLine }: Ports) => `http://127.0.0.1:${phonesLine}`

/** A line to each program. */
async function openLines(ports: Ports, socketFolder: string, random: Random) {
  const postgres = { path: join(socketFolder, '.s.PGSQL.5432') }
  const open = async (port: number, target: NetConnectOpts, name: string) => {
    const line = new Line(target, random.fork(name))
    await line.listen(port)
    return line
  }
  return {
    phones: await open(ports.phonesLine, { host: '127.0.0.1', port: ports.api }, 'phones'),
    apiToDatabase: await open(ports.apiLine, postgres, 'api database'),
    workerToDatabase: await open(ports.workerLine, postgres, 'worker database'),
    provider: await open(ports.providerLine, { host: '127.0.0.1', port: ports.smsc }, 'provider'),
  }
}

/** The keeper starts the embedded database. API and worker use it as a foreign one, by their lines. */
function nodesIn(folder: string, dataDir: string, ports: Ports) {
  const common = {
    ...testSettings,
    APP_URL: urlOf(ports),
    SMS_GATEWAY: 'smpp',
    SMPP_URL: `smpp://evac:secret@127.0.0.1:${ports.providerLine}`,
    SMPP_FROM: '61400000000',
  }
  const node = (name: 'keeper' | 'api' | 'worker', settings: Settings) =>
    new ProductNode({
      port: ports[name],
      settings: { ...common, ...settings },
      logFile: join(logFolderIn(folder), `${name}.log`),
      hasShiftableClock: true,
    })
  const by = (line: number) => ({ DATA_DIR: folder, DATABASE_URL: `postgres://evac@127.0.0.1:${line}/evac` })
  mkdirSync(logFolderIn(folder))
  return {
    keeper: node('keeper', { ROLES: 'hub', DATA_DIR: dataDir }),
    api: node('api', { ROLES: 'api,hub', ...by(ports.apiLine) }),
    worker: node('worker', { ROLES: 'worker', ...by(ports.workerLine) }),
  }
}

const logFolderIn = (folder: string) => join(folder, 'logs')

async function keepLogs(folder: string, postgresLog: string): Promise<string> {
  const kept = makeTemporaryFolder('evac-faults-logs-')
  await cp(logFolderIn(folder), kept, { recursive: true })
  await cp(postgresLog, join(kept, 'postgres.log'))
  return kept
}

/** Each switch begins another segment of the log; ready-made ones are soon used up. */
async function useUpLog(database: ClientConfig): Promise<void> {
  const client = new pg.Client({ ...database, connectionTimeoutMillis: 2_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    for (let n = 0; n < 12; n++)
      await client.query(`select pg_switch_wal(), pg_logical_emit_message(false, 'faults', 'full')`)
  } catch {
    // it has stopped, as was wanted
  } finally {
    await client.end().catch(() => undefined)
  }
}
