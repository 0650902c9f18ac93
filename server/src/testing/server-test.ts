import { test as base } from 'vitest'
import { startTestServer } from './test-server.ts'

/** A test with a real server, one for its file: what it makes belongs to an organisation of its own. */
// biome-ignore lint/correctness/noEmptyPattern: a fixture names what it needs, and this one needs nothing
export const test = base.extend('server', { scope: 'file' }, async ({}, { onCleanup }) => {
  const server = await startTestServer()
  onCleanup(() => server[Symbol.asyncDispose]())
  return server
})
