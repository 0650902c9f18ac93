import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg, { type ClientConfig } from 'pg'
import { importFolder } from '../rig/import-folder.ts'
import { killPostgres } from '../rig/kill-postgres.ts'
import { Line } from '../rig/line.ts'
import { ProductProcess } from '../rig/product-process.ts'
import type { Random } from '../rig/random.ts'
import { findFreePort, findFreePorts } from '../scripts/lib/free-ports.ts'
import { type Disk, mountDisk } from './disk.ts'
import type { Copy } from './evidence/history.ts'
import { TextCentre } from './text-centre.ts'

/** Everything the run consists of. `keeper` only keeps the embedded database up; `api` and `worker` reach it by a line each. */
export interface Stage {
  url: string
  socketUrl: string
  keeper: ProductProcess
  api: ProductProcess
  worker: ProductProcess
  lines: Record<'phones' | 'apiToDatabase' | 'workerToDatabase' | 'provider', Line> & { redis?: Line }
  centre: TextCentre
  disk: Disk
  /** Past the lines, for the checker. */
  database: ClientConfig
  /** Moves the logs to where they stay, and says where. */
  keepLogs(): Promise<string>
  killDatabase(): void
  /** Lets the database need room for its log at once; without room it stops. */
  useUpLog(): Promise<void>
  /** Loads a folder of CSV with the product's own command. */
  import(folder: string): Promise<void>
  stop(): Promise<void>
}

/** API and worker as processes of their own, each with its own line to a real PostgreSQL, phones and provider behind lines too. */
export async function setUpStage(random: Random, copies: Copy[]): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'evac-faults-'))
  chmodSync(folder, 0o711)
  const disk = await mountDisk(join(folder, 'disk'))
  const dataDir = join(disk.folder, 'data')
  const socketDir = join(dataDir, 'socket')
  const first = await findFreePorts(8)
  const programs = { api: first, worker: first + 1, keeper: first + 2, centre: first + 3 }
  const lineTo = { phones: first + 4, apiToDatabase: first + 5, workerToDatabase: first + 6, provider: first + 7 }
  const url = `http://127.0.0.1:${lineTo.phones}`

  const postgres = { path: join(socketDir, '.s.PGSQL.5432') }
  const lines: Stage['lines'] = {
    phones: new Line({ host: '127.0.0.1', port: programs.api }, random.fork('phones')),
    apiToDatabase: new Line(postgres, random.fork('api database')),
    workerToDatabase: new Line(postgres, random.fork('worker database')),
    provider: new Line({ host: '127.0.0.1', port: programs.centre }, random.fork('provider')),
  }
  await lines.phones.listen(lineTo.phones)
  await lines.apiToDatabase.listen(lineTo.apiToDatabase)
  await lines.workerToDatabase.listen(lineTo.workerToDatabase)
  await lines.provider.listen(lineTo.provider)
  const redis = await lineToRedis(random)
  if (redis) lines.redis = redis.line
  const centre = new TextCentre(copies)
  await centre.listen(programs.centre)

  const common = {
    HOST: '127.0.0.1',
    APP_URL: url,
    DEMO: 'off',
    SECRET_KEY: 'the fault run keeps one key for all its processes',
    REQUESTS_PER_MINUTE: '1000000',
    SMS_GATEWAY: 'smpp',
    SMPP_URL: `smpp://evac:secret@127.0.0.1:${lineTo.provider}`,
    SMPP_FROM: '61400000000',
    ...(redis && { REDIS_URL: redis.url }),
  }
  const at = (port: number) => ({ DATABASE_URL: `postgres://evac@127.0.0.1:${port}/evac` })
  const logFolder = join(folder, 'logs')
  mkdirSync(logFolder)
  const process_ = (name: string, env: { PORT: string } & Record<string, string>) =>
    new ProductProcess(name, { ...common, ...env }, join(logFolder, `${name}.log`))
  const keeper = process_('keeper', { PORT: String(programs.keeper), ROLES: 'hub', DATA_DIR: dataDir })
  const api = process_('api', {
    PORT: String(programs.api),
    ROLES: 'api,hub',
    DATA_DIR: folder,
    ...at(lineTo.apiToDatabase),
  })
  const worker = process_('worker', {
    PORT: String(programs.worker),
    ROLES: 'worker',
    DATA_DIR: folder,
    ...at(lineTo.workerToDatabase),
  })
  process.on('exit', () => {
    for (const one of [api, worker, keeper]) one.abandon()
    killPostgres(join(dataDir, 'postgres'))
  })
  await keeper.start()
  await api.start()
  await worker.start()

  return {
    url,
    socketUrl: `${url.replace('http', 'ws')}/connection/websocket`,
    keeper,
    api,
    worker,
    lines,
    centre,
    disk,
    // as the server's superuser, who may break things
    database: { host: socketDir, port: 5432, user: 'postgres', database: 'evac' },
    keepLogs: () => keepLogs(logFolder, join(dataDir, 'postgres.log')),
    killDatabase: () => killPostgres(join(dataDir, 'postgres')),
    useUpLog: () => useUpLog({ host: socketDir, user: 'postgres', database: 'postgres' }),
    async import(csv) {
      await importFolder(csv, { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '' })
    },
    async stop() {
      for (const line of Object.values(lines)) await line.close()
      await api.kill()
      await worker.kill()
      await keeper.stop()
      await centre.close()
      await disk.unmount()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function keepLogs(folder: string, postgresLog: string): Promise<string> {
  const kept = mkdtempSync(join(tmpdir(), 'evac-faults-logs-'))
  await cp(folder, kept, { recursive: true })
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

/** Where Redis is used, there is a line to it. */
async function lineToRedis(random: Random): Promise<{ line: Line; url: string } | undefined> {
  const given = process.env.REDIS_URL
  if (!given) return undefined
  const url = new URL(given)
  const line = new Line({ host: url.hostname, port: Number(url.port || 6379) }, random.fork('redis'))
  const port = await findFreePort()
  await line.listen(port)
  url.host = `127.0.0.1:${port}`
  return { line, url: url.href }
}
