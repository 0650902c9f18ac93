import { test as base } from 'vitest'
import { openTestDatabase } from './database.ts'
import { startTestServer } from './test-server.ts'

/** Tests with a real server, one for their file: what each makes belongs to an organisation of its own. */
export const testsWithServer = (
  over?: Parameters<typeof startTestServer>[0],
  database?: Parameters<typeof openTestDatabase>[0],
) =>
  // biome-ignore lint/correctness/noEmptyPattern: a fixture names what it needs, and this one needs nothing
  base.extend('server', { scope: 'file' }, async ({}, { onCleanup }) => {
    const server = await startTestServer(over, await openTestDatabase(database))
    onCleanup(() => server[Symbol.asyncDispose]())
    return server
  })

export const test = testsWithServer()

/** Where many wait for one row at once: with as many connections as a node has. */
export const crowdedTest = testsWithServer({}, { crowded: true })
