import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callerOf } from '#kernel/client/fetch-caller.ts'
import { ProductNode, testSettings } from '../../rig/product.ts'
import { findFreePort } from '../../scripts/lib/free-ports.ts'
import type { TestDatabase } from './database.ts'
import { databaseUrl } from './run-command.ts'
import { secretKey } from './test-server.ts'

/** A node as it runs in production: a process of its own, beside others on the same database. */
export async function startNode(database: TestDatabase, over: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'evac-node-'))
  const logFile = join(folder, 'node.log')
  const settings = {
    ...testSettings,
    DATABASE_URL: databaseUrl(database),
    SECRET_KEY: secretKey,
    DATA_DIR: folder,
    LOG_LEVEL: process.env.TEST_LOG ?? 'silent',
    ...over,
  }
  const node = new ProductNode({ port: Number(over.PORT ?? (await findFreePort())), settings, logFile })
  await node.start()
  return {
    url: node.url,
    port: node.port,
    call: (token: string) => callerOf(node.url, token),
    kill: node.kill,
    /** Everything it has written so far: its log. */
    said: () => readFileSync(logFile, 'utf8'),
    /** Answers the code it ends with. */
    stop: node.stop,
    async [Symbol.asyncDispose]() {
      await node.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** One address for several nodes: a connection goes to the first of them that takes it. */
export async function startBalancer(ports: readonly number[]) {
  const open = new Set<Socket>()
  const server = createServer((client) => {
    open.add(client)
    client.on('error', () => undefined)
    client.on('close', () => open.delete(client))
    passOn(client, ports)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    call: (token: string) => callerOf(url, token),
    async [Symbol.asyncDispose]() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

function passOn(client: Socket, [port, ...others]: readonly number[]) {
  if (port === undefined) return void client.destroy()
  const node = connect(port, '127.0.0.1')
  const tryNext = () => passOn(client, others)
  node.once('error', tryNext)
  node.once('connect', () => {
    node.off('error', tryNext)
    node.on('error', () => client.destroy())
    node.on('close', () => client.destroy())
    client.on('close', () => node.destroy())
    node.pipe(client).pipe(node)
  })
}
