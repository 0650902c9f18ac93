import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ProductNode } from '../../rig/product.ts'
import { findProgram, isServing, Program } from '../../rig/program.ts'
import { drainSeconds, writeHaproxyConfig } from './haproxy.ts'

export interface ClusterOptions {
  /** The port of the load balancer. The nodes use the next two. */
  port: number
  /** Holds the logs and the configuration of haproxy. */
  folder: string
  /** Further settings of the nodes, in addition to the environment. */
  env?: Record<string, string>
}

export interface Cluster {
  url: string
  nodes: readonly [ProductNode, ProductNode]
  stop(): Promise<void>
}

/** What is missing on this machine and how to install it. Undefined if nothing is. */
export const findMissing = (): string | undefined =>
  findProgram('haproxy') ? undefined : 'This needs haproxy: apt-get install haproxy'

/** Two nodes with all roles on one database, behind haproxy on this machine. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { port, folder } = options
  mkdirSync(folder, { recursive: true })
  const url = `http://127.0.0.1:${port}`
  const nodes = [nodeOn(1, url, options), nodeOn(2, url, options)] as const
  const haproxy = haproxyOn(port, folder)
  const all = [haproxy, ...nodes]
  async function stop() {
    // one after the other, because the last node stops the database
    for (const program of all) await program.stop()
  }
  try {
    // the first node starts the database and migrates it
    for (const node of nodes) await node.start()
    await haproxy.start()
  } catch (error) {
    await stop()
    throw error
  }
  return { url, nodes, stop }
}

/** All nodes share database, data folder and secret, so that a session, link or document works at every node. */
function nodeOn(at: number, appUrl: string, { port, folder, env }: ClusterOptions) {
  return new ProductNode({
    port: port + at,
    settings: {
      HOST: '127.0.0.1',
      APP_URL: appUrl,
      TRUST_PROXY: '1',
      DRAIN_SECONDS: String(drainSeconds),
      ...env,
    },
    logFile: join(folder, `node${at}.log`),
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
