import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { findFreePorts } from '../scripts/lib/free-ports.ts'
import type { Settings } from './product.ts'
import { findProgram, Program } from './program.ts'

const run = promisify(execFile)
const project = resolve(import.meta.dirname, '..')

/** Where `npm run test:centrifugo` builds it. */
const built = join(project, '.runtime/go/bin/centrifugo')
const apiKey = 'key of the api, for tests alone'

export interface CentrifugoRig {
  centrifugo: Program
  /** Undefined without Debian's redis-server: then the memory of Centrifugo is its engine. */
  redis: Program | undefined
  /** Empties Redis. */
  flush: () => Promise<void>
  url: string
  apiKey: string
  /** Where phones connect. */
  socketUrl: string
  /** For the nodes of the product. */
  settings: Settings
  stop: () => Promise<void>
}

/**
 * A real Centrifugo with the configuration that the doctor prints for these settings, and Redis. `folder` gets configuration and
 * logs.
 */
export async function startCentrifugo(folder: string, settings: Settings): Promise<CentrifugoRig> {
  if (!existsSync(built)) throw new Error('Centrifugo is missing: npm run test:centrifugo builds it')
  const port = await findFreePorts(3)
  const redis = redisOn(port + 2, folder)
  const url = `http://127.0.0.1:${port + 1}`
  const own = { CENTRIFUGO_URL: url, CENTRIFUGO_API_KEY: apiKey }
  const config = await printConfig({ ...settings, ...own })
  config.http_server.port = port
  if (redis) config.engine.redis.address = [`redis://127.0.0.1:${port + 2}`]
  else config.engine = { type: 'memory' }
  const file = join(folder, 'centrifugo.json')
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 })
  const centrifugo = new Program({
    command: built,
    args: ['-c', file],
    logFile: join(folder, 'centrifugo.log'),
    isReady: async () => (await fetch(`${url}/health`, { signal: AbortSignal.timeout(1000) })).ok,
  })
  const socketUrl = `ws://127.0.0.1:${port}/connection/websocket`
  await redis?.start()
  await centrifugo.start()
  return {
    centrifugo,
    redis,
    flush: () => flushRedis(port + 2),
    url,
    apiKey,
    socketUrl,
    settings: { ...own, CENTRIFUGO_PUBLIC_URL: socketUrl },
    async stop() {
      await centrifugo.stop()
      await redis?.stop()
    },
  }
}

async function printConfig(settings: Settings) {
  const args = ['server/commands/doctor-main.ts', '--centrifugo-config']
  const { stdout } = await run(process.execPath, args, { cwd: project, env: { ...process.env, ...settings } })
  return JSON.parse(stdout)
}

/** Keeps nothing on disk: after a loss phones read everything again, and after half a loss they would not know of it. */
function redisOn(port: number, folder: string): Program | undefined {
  const command = findProgram('redis-server')
  if (!command) return undefined
  return new Program({
    command,
    args: ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder],
    logFile: join(folder, 'redis.log'),
    isReady: () => accepts(port),
  })
}

async function flushRedis(port: number) {
  const socket = connect(port, '127.0.0.1')
  socket.write('FLUSHALL\r\n')
  await once(socket, 'data')
  socket.destroy()
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } finally {
    socket.destroy()
  }
}
