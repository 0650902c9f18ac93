import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { untilReady } from '../scripts/lib/until-ready.ts'
import { secretKey } from './access-tokens.ts'

export interface Product {
  url: string
  pool: pg.Pool
  database: pg.PoolConfig
  server: ChildProcess
  /** Settings that make another process a node beside it. */
  env: Record<string, string>
  stop(): Promise<void>
}

/** The product as `npm start` runs it, on a database of its own in a temporary folder. */
export async function startProduct(port: number, over: Record<string, string> = {}): Promise<Product> {
  const folder = mkdtempSync(join(tmpdir(), 'evac-bench-'))
  await chmod(folder, 0o711)
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir)
  const url = `http://127.0.0.1:${port}`
  const env = {
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    DEMO: 'off',
    APP_URL: url,
    REQUESTS_PER_MINUTE: '1000000',
    SECRET_KEY: secretKey,
    ...over,
  }
  const server = spawn(process.execPath, ['server/src/main.ts'], {
    env: { ...process.env, ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await untilReady(url, server)
  const database = process.env.DATABASE_URL
    ? { connectionString: process.env.DATABASE_URL }
    : { host: join(dataDir, 'socket'), port: 5432, user: 'postgres', database: 'evac' }
  const pool = new pg.Pool({ ...database, max: 4 })
  return {
    url,
    pool,
    database,
    server,
    env,
    async stop() {
      await pool.end()
      if (server.exitCode === null) {
        server.kill('SIGTERM')
        await once(server, 'exit')
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A process with its own event loop that listens on a port; ready when it answers. */
export async function startPeer(file: string, url: string, env: Record<string, string>): Promise<ChildProcess> {
  const peer = spawn(process.execPath, [file], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await untilReady(url, peer)
  return peer
}
