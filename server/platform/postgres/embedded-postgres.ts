import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openOwnDatabase } from '../db/database-setup.ts'
import { databaseAccount } from './postgres-account.ts'
import { prepareBinaries } from './postgres-binaries.ts'
import { ensureCluster } from './postgres-cluster.ts'
import { prepareFolder } from './postgres-folder.ts'
import { claimServer } from './postgres-users.ts'
import type { Postmaster } from './postmaster.ts'
import { answers, findPostmaster, type Launch, launch, type PostgresConnection, stopPostmaster } from './postmaster.ts'

interface Log {
  info(message: string): void
  warn(message: string): void
}

export interface EmbeddedPostgresOptions {
  /** Folder of the cluster, its socket and its log. Created if missing. */
  dataDir: string
  /** Binaries of another PostgreSQL (15 or newer) instead of the packaged ones. */
  binDir?: string | undefined
  log: Log
  settings?: Record<string, string | number>
}

export interface EmbeddedPostgres {
  /** The product's own database, as its owner. */
  connection: PostgresConnection
  /** The superuser, in a database that belongs to no one. */
  admin: PostgresConnection
  /** True if the server was already running: left by a killed process, or in use by another one. */
  adopted: boolean
  /** Stops the server, unless another program uses it. `force` always stops it. */
  stop(options?: { force?: boolean }): Promise<void>
}

/**
 * Milliseconds. A stopping server may hold its pid file for some seconds. Crash recovery reads all WAL since the last
 * checkpoint.
 */
const startPatience = 20_000
const recoveryPatience = 300_000

/** The app reports its own failed statements. The server's log would add personal data to them. */
const defaultSettings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: 100,
  shared_buffers: '128MB',
  synchronous_commit: 'on',
  timezone: 'UTC',
  jit: 'off',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
}

/** Starts an embedded PostgreSQL on a private socket. Errors say in one sentence what to do. */
export async function startEmbeddedPostgres({
  dataDir,
  binDir,
  log,
  settings,
}: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const account = databaseAccount(join(resolve(dataDir), 'postgres'))
  const folder = prepareFolder(resolve(dataDir), account)
  const binaries = prepareBinaries(binDir, folder.dataDir, account)
  ensureCluster(folder, binaries, account)

  const claim = claimServer(folder.dataDir)
  const start: Launch = { folder, account, binDir: binaries.binDir, settings: { ...defaultSettings, ...settings } }
  // a program that ends without a word to its database, by an exit or a fault, does not leave it behind
  const leaveAtOnce = () => {
    const running = claim.leave() ? undefined : findPostmaster(folder.cluster)
    if (running) process.kill(running.pid, 'SIGINT')
  }
  process.once('exit', leaveAtOnce)
  const first = await bringUp(start, log).catch((error) => {
    process.off('exit', leaveAtOnce)
    claim.leave()
    throw error
  })
  const letGo = keepUp(start, log)
  const connection = await openOwnDatabase(first.connection).catch(async (error) => {
    await letGo()
    process.off('exit', leaveAtOnce)
    leaveAtOnce()
    throw error
  })
  return {
    connection,
    admin: first.connection,
    adopted: first.adopted,
    async stop({ force = false } = {}) {
      await letGo()
      process.off('exit', leaveAtOnce)
      if (claim.leave() && !force) return log.warn('PostgreSQL keeps running: another program uses it')
      const running = findPostmaster(folder.cluster)
      if (running) await stopPostmaster(running.pid, folder.cluster)
    },
  }
}

/** Adopts a server that answers. Otherwise launches one and retries until it does. */
async function bringUp(start: Launch, log: Log): Promise<{ connection: PostgresConnection; adopted: boolean }> {
  const begin = Date.now()
  let child: ReturnType<typeof launch> | undefined
  let running: Postmaster | undefined
  while (Date.now() - begin < (running ? recoveryPatience : startPatience)) {
    running = findPostmaster(start.folder.cluster)
    if (running && (await answers(running.connection))) {
      return { connection: running.connection, adopted: running.pid !== child?.pid }
    }
    if (!running && child?.complaint) {
      log.warn(`PostgreSQL did not start (${child.complaint}), retrying`)
      await delay(500)
    }
    if (!running && (!child || child.complaint)) child = launch(start)
    await delay(20)
  }
  throw new Error(`PostgreSQL did not start (${child?.complaint ?? 'no answer'}): see ${start.folder.logFile}.`)
}

/** Restarts the server if it dies, for example through the kernel's OOM killer. */
function keepUp(start: Launch, log: Log): () => Promise<void> {
  let repair: Promise<unknown> | undefined
  const timer = setInterval(() => {
    if (repair || findPostmaster(start.folder.cluster)) return
    log.warn('PostgreSQL has stopped, starting it again')
    repair = bringUp(start, log)
      .catch((error: Error) => log.warn(error.message))
      .finally(() => {
        repair = undefined
      })
  }, 1_000).unref()
  return async () => {
    clearInterval(timer)
    await repair
  }
}
