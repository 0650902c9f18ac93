import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { ProductNode } from '../../rig/product.ts'
import { findProgram, isServing, Program } from '../../rig/program.ts'
import { drainSeconds, writeHaproxyConfig } from './haproxy.ts'

export interface ClusterOptions {
  /** Of the balancer; the nodes and Redis take those after it. */
  port: number
  /** For logs and the configuration of haproxy. */
  folder: string
  withRedis: boolean
  /** Further settings of the nodes; what is in the environment holds, too. */
  env?: Record<string, string>
}

export interface Cluster {
  url: string
  nodes: readonly [ProductNode, ProductNode]
  redis: Program | undefined
  stop(): Promise<void>
}

/** What is missing on this machine, and how to get it; undefined when everything is there. */
export function findMissing({ withRedis }: Pick<ClusterOptions, 'withRedis'>): string | undefined {
  const needed = ['haproxy', ...(withRedis ? ['redis-server'] : [])]
  const missing = needed.filter((name) => !findProgram(name))
  return missing.length ? `This needs ${missing.join(' and ')}: apt-get install ${missing.join(' ')}` : undefined
}

/** Two nodes with all roles on one database, Redis between them if wanted, haproxy before them, on this machine. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { port, folder, withRedis } = options
  mkdirSync(folder, { recursive: true })
  const url = `http://127.0.0.1:${port}`
  const redis = withRedis ? redisOn(port + 3, folder) : undefined
  const nodes = [nodeOn(1, url, options), nodeOn(2, url, options)] as const
  const haproxy = haproxyOn(port, folder)
  const all = [haproxy, ...nodes, ...(redis ? [redis] : [])]
  async function stop() {
    // the last node that leaves stops the database, so one after the other
    for (const program of all) await program.stop()
  }
  try {
    await redis?.start()
    // the first brings up the database and fills it
    for (const node of nodes) await node.start()
    await haproxy.start()
  } catch (error) {
    await stop()
    throw error
  }
  return { url, nodes, redis, stop }
}

/** The same database, data folder and secret for all: a session, a link or a document of one is good at every other. */
function nodeOn(at: number, appUrl: string, { port, folder, withRedis, env }: ClusterOptions) {
  return new ProductNode({
    port: port + at,
    settings: {
      HOST: '127.0.0.1',
      APP_URL: appUrl,
      TRUST_PROXY: '1',
      DRAIN_SECONDS: String(drainSeconds),
      ...(withRedis && { REDIS_URL: `redis://127.0.0.1:${port + 3}` }),
      ...env,
    },
    logFile: join(folder, `node${at}.log`),
  })
}

/** It carries notices and keeps nothing. */
function redisOn(port: number, folder: string) {
  return new Program({
    command: findProgram('redis-server') as string,
    args: ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder],
    logFile: join(folder, 'redis.log'),
    isReady: () => accepts(port),
  })
}

function haproxyOn(port: number, folder: string) {
  const file = join(folder, 'haproxy.cfg')
  writeHaproxyConfig(file, port, [port + 1, port + 2])
  return new Program({
    command: findProgram('haproxy') as string,
    args: ['-db', '-f', file],
    logFile: join(folder, 'haproxy.log'),
    isReady: () => isServing(`http://127.0.0.1:${port}`),
  })
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
