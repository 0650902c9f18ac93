import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { ProductNode } from '../../rig/product.ts'
import { findProgram, isServing, Program } from '../../rig/program.ts'
import { drainSeconds, writeHaproxyConfig } from './haproxy.ts'

export interface ClusterOptions {
  /** The port of the load balancer. Nodes and Redis use the next three. */
  port: number
  /** Holds the logs and the configuration of haproxy. */
  folder: string
  withRedis: boolean
  /** Further settings of the nodes, in addition to the environment. */
  env?: Record<string, string>
}

export interface Cluster {
  url: string
  nodes: readonly [ProductNode, ProductNode]
  redis: Program | undefined
  stop(): Promise<void>
}

/** What is missing on this machine and how to install it. Undefined if nothing is. */
export function findMissing({ withRedis }: Pick<ClusterOptions, 'withRedis'>): string | undefined {
  const needed = ['haproxy', ...(withRedis ? ['redis-server'] : [])]
  const missing = needed.filter((name) => !findProgram(name))
  return missing.length ? `This needs ${missing.join(' and ')}: apt-get install ${missing.join(' ')}` : undefined
}

/** Two nodes with all roles on one database, behind haproxy on this machine, with Redis between them if wanted. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { port, folder, withRedis } = options
  mkdirSync(folder, { recursive: true })
  const url = `http://127.0.0.1:${port}`
  const redis = withRedis ? redisOn(port + 3, folder) : undefined
  const nodes = [nodeOn(1, url, options), nodeOn(2, url, options)] as const
  const haproxy = haproxyOn(port, folder)
  const all = [haproxy, ...nodes, ...(redis ? [redis] : [])]
  async function stop() {
    // one after the other, because the last node stops the database
    for (const program of all) await program.stop()
  }
  try {
    await redis?.start()
    // the first node starts the database and migrates it
    for (const node of nodes) await node.start()
    await haproxy.start()
  } catch (error) {
    await stop()
    throw error
  }
  return { url, nodes, redis, stop }
}

/** All nodes share database, data folder and secret, so that a session, link or document works at every node. */
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

/** Redis carries notifications and stores nothing. */
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
