import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callerOf } from '@evac/contract/client/fetch-caller.ts'
import { findFreePort } from '../../../scripts/lib/free-ports.ts'
import { untilReady } from '../../../scripts/lib/until-ready.ts'
import type { TestDatabase } from './database.ts'
import { databaseUrl } from './run-command.ts'
import { secretKey } from './test-server.ts'

/** A node as it runs in production: a process of its own, beside others on the same database. */
export async function startNode(database: TestDatabase, over: Record<string, string> = {}) {
  const port = Number(over.PORT ?? (await findFreePort()))
  const url = `http://127.0.0.1:${port}`
  const folder = mkdtempSync(join(tmpdir(), 'evac-node-'))
  const node = spawn(process.execPath, [join(import.meta.dirname, '../main.ts')], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl(database),
      SECRET_KEY: secretKey,
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: folder,
      DEMO: 'off',
      LOG_LEVEL: process.env.TEST_LOG ?? 'silent',
      REQUESTS_PER_MINUTE: '1000000',
      ...over,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said: string[] = []
  for (const stream of [node.stdout, node.stderr]) stream.setEncoding('utf8').on('data', (text) => said.push(text))
  node.stderr.pipe(process.stderr, { end: false })
  const exited = once(node, 'exit')
  await untilReady(url, node)

  /** Nothing is flushed and nobody is told. */
  async function kill() {
    node.kill('SIGKILL')
    await exited
  }
  return {
    url,
    port,
    call: (token: string) => callerOf(url, token),
    kill,
    /** Everything it has written so far: its log. */
    said: () => said.join(''),
    /** Answers the code it ends with. */
    async stop() {
      node.kill('SIGTERM')
      const [code] = await exited
      return code as number | null
    },
    async [Symbol.asyncDispose]() {
      await kill()
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
