import { spawn, spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, readlinkSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Account } from './postgres-account.ts'
import { postgresEnvironment } from './postgres-cluster.ts'
import { type PostgresFolder, processExists } from './postgres-folder.ts'

export interface PostgresConnection {
  /** The folder of the socket: `pg` accepts a path as host. */
  host: string
  port: number
  user: string
  database: string
}

export interface Launch {
  folder: PostgresFolder
  binDir: string
  account: Account | undefined
  settings: Record<string, string | number>
}

export interface Postmaster {
  pid: number
  connection: PostgresConnection
}

const largestLog = 5_000_000

/** The running server of this cluster, whoever started it. It may still be recovering or already stopping. */
export function findPostmaster(cluster: string): Postmaster | undefined {
  const claim = readClaim(cluster)
  if (!claim || !isPostmaster(claim.pid, cluster)) return undefined
  return { pid: claim.pid, connection: { host: claim.socketDir, port: 5432, user: 'postgres', database: 'postgres' } }
}

/**
 * A pid file outlives a crash, and its pid may belong to another program by now. Only a process that works in the
 * cluster counts.
 */
function isPostmaster(pid: number, cluster: string): boolean {
  if (!processExists(pid)) return false
  if (process.platform !== 'linux') return spawnSync('ps', ['-o', 'command=', '-p', `${pid}`]).stdout.includes(cluster)
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === cluster
  } catch {
    return false // a zombie has no working directory; another account's is hidden
  }
}

export async function answers(connection: PostgresConnection): Promise<boolean> {
  return query(connection, 'select 1').then(
    () => true,
    () => false,
  )
}

async function query(connection: PostgresConnection, text: string) {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 2_000 })
  client.on('error', () => undefined) // the server may stop between the answer and end()
  try {
    await client.connect()
    return await client.query(text)
  } finally {
    await client.end()
  }
}

/**
 * Starts the server detached, because ^C must reach the app first. The log is a file because a pipe would close with
 * this process. `complaint` is set once the server has given up.
 */
export function launch({ folder, binDir, account, settings }: Launch): { pid: number | undefined; complaint?: string } {
  const { cluster, logFile, socketDir } = folder
  const logStart = keepLogSmall(logFile)
  const log = openSync(logFile, 'a', 0o600)
  const child = spawn(
    join(binDir, 'postgres'),
    ['-D', cluster, ...switches({ ...settings, unix_socket_directories: socketDir })],
    {
      ...account,
      env: { ...postgresEnvironment, ...staleClaim(cluster) },
      stdio: ['ignore', log, log],
      detached: true,
    },
  )
  closeSync(log)
  child.unref()
  const launched: ReturnType<typeof launch> = { pid: child.pid }
  child.once('error', (error) => Object.assign(launched, { complaint: error.message }))
  child.once('exit', () => Object.assign(launched, { complaint: lastComplaint(logFile, logStart) }))
  return launched
}

/** SIGINT is PostgreSQL's fast shutdown. SIGQUIT stops without a checkpoint, which costs a recovery but no data. */
export async function stopPostmaster(pid: number, cluster: string): Promise<void> {
  for (const [signal, patience] of [
    ['SIGINT', 30_000],
    ['SIGQUIT', 10_000],
  ] as const) {
    if (!isPostmaster(pid, cluster)) return
    process.kill(pid, signal)
    for (const end = Date.now() + patience; Date.now() < end && isPostmaster(pid, cluster); ) await delay(10)
  }
}

function readClaim(cluster: string): { pid: number; socketDir: string } | undefined {
  try {
    const [pid, , , , socketDir = ''] = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: Number(pid), socketDir }
  } catch {
    return undefined
  }
}

/**
 * PostgreSQL does not start while any process has the pid of a stale pid file. It ignores the pid of its grandparent,
 * so the pid is passed as that.
 */
function staleClaim(cluster: string): { PG_GRANDPARENT_PID?: string } {
  const claim = readClaim(cluster)
  if (!claim || !processExists(claim.pid) || isPostmaster(claim.pid, cluster)) return {}
  return { PG_GRANDPARENT_PID: String(claim.pid) }
}

function switches(settings: Record<string, string | number>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** Returns the length of the log that stays. */
function keepLogSmall(logFile: string): number {
  const { size } = statSync(logFile, { throwIfNoEntry: false }) ?? { size: 0 }
  if (size <= largestLog) return size
  renameSync(logFile, `${logFile}.1`)
  return 0
}

function lastComplaint(logFile: string, start: number): string {
  if (!existsSync(logFile)) return 'the log folder is gone'
  const written = readFileSync(logFile).subarray(start).toString()
  return written.match(/(?:FATAL|PANIC|error):.*/g)?.at(-1) ?? `no reason in ${logFile}`
}
