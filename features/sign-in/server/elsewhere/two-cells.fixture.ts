import { randomBytes } from 'node:crypto'
import { openCells } from '#features/cells/server/directory/cells.ts'
import { startDirectory } from '#features/cells/server/directory/directory.ts'
import { feedDirectory } from '#features/cells/server/directory/feed.service.ts'
import { hashOfKey } from '#features/cells/server/directory/names.ts'
import { systemClock } from '#server/platform/clock.ts'
import { type CallOut, openOutgoing } from '#server/platform/outgoing.ts'
import { startTestServer, type TestServer, testConfig } from '#server/testing/test-server.ts'
import { findFreePort } from '../../../../scripts/lib/free-ports.ts'

const newKey = () => randomBytes(33).toString('base64')
export const patienceMs = 700

export interface Cell {
  url: string
  server: TestServer
  /** Tells the directory its names. */
  feed(): Promise<void>
  /** What it has called since the start, with its bodies. */
  called: { url: string; body: string }[]
}

/** Two installations, each with a database, and their directory: real connections between them. */
export async function startCells() {
  const [directoryPort, ...ports] = [await findFreePort(), await findFreePort(), await findFreePort()]
  const keys = [newKey(), newKey()]
  const nameKey = newKey()
  const urlOf = (port: number) => `http://127.0.0.1:${port}`
  const directoryCells = ports.map((port, n) => ({
    address: urlOf(port),
    keyHash: hashOfKey(keys[n] as string),
  }))
  const config = { ...testConfig, port: directoryPort, directoryCells }
  const directory = { running: await startDirectory(config) }
  const restart = async () => {
    directory.running = await startDirectory(config)
  }
  const startCell = async (port: number, key: string, over: { nameKey?: string } = {}): Promise<Cell> => {
    const called: Cell['called'] = []
    const out = openOutgoing({ outgoingProxy: '' })
    const callOut: CallOut = (asked) => {
      called.push({ url: asked.url, body: String(asked.body) })
      return out(asked)
    }
    const settings = { url: urlOf(directoryPort), key, nameKey: over.nameKey ?? nameKey }
    const cellConfig = { ...testConfig, appUrl: urlOf(port), port, directory: settings }
    const cells = openCells({ config: cellConfig, callOut, clock: systemClock, patienceMs })
    const server = await startTestServer({ config: cellConfig, cells })
    await server.app.listen({ port, host: '127.0.0.1' })
    const feed = () => feedDirectory({ system: server.database.system.db, callOut, directory: settings })
    return { url: urlOf(port), server, feed, called }
  }
  const [one, two] = await Promise.all(ports.map((port, n) => startCell(port, keys[n] as string)))
  return {
    one: one as Cell,
    two: two as Cell,
    directory: { url: urlOf(directoryPort), stop: () => directory.running.stop(), restart },
    keys,
    async [Symbol.asyncDispose]() {
      await directory.running.stop()
      for (const cell of [one, two]) await cell?.server[Symbol.asyncDispose]()
    },
  }
}
