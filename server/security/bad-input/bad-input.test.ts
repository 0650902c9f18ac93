import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { test as base } from '../../testing/server-test.ts'
import { barrage } from './barrage.fixture.ts'
import { askRaw } from './raw-ask.fixture.ts'

/** The app on its own port, because requests must go over the wire unchanged. */
const test = base.extend('listening', { scope: 'file' }, async ({ server }) => {
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  return (server.app.server.address() as AddressInfo).port
})

/** `npm run test:fuzz` sends more requests, under a seed of its own. */
const count = Number(process.env.FUZZ_REQUESTS ?? 1000)
const seed = Number(process.env.FUZZ_SEED ?? 1)

test(`API-72 T18 T24 T42 T46 ${count} malformed requests under seed ${seed}: each is answered or rejected, and none breaks anything`, {
  timeout: 60_000 + count * 50 + (process.env.FUZZ_REQUESTS ? 300_000 : 0),
}, async ({ server, listening }) => {
  const { finds, statuses, ofPages } = await barrage(server, listening, seed, count)

  if (process.env.FUZZ_REQUESTS)
    console.log(`seed ${seed}, answers:`, statuses, 'of these by pages without script:', ofPages)
  expect(finds).toEqual([])
  // most get past the guard, because this tests the reading of input
  expect(statuses[200]).toBeGreaterThan(count / 10)
  expect(statuses[422]).toBeGreaterThan(count / 5)
  expect(ofPages[200]).toBeGreaterThan(count / 50)
  expect(ofPages[422]).toBeGreaterThan(count / 1000)
})

test.for([
  ['a header that is too long', `GET /api/health HTTP/1.1\r\nHost: x\r\nX-Filler: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
  ['an invalid header', 'GET /api/health HTTP/1.1\r\nHost: x\r\n\u0001: y\r\n\r\n', 400],
  ['not HTTP at all', 'hello\r\n\r\n', 400],
  [
    'two lengths',
    'POST /api/warden/reportin HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 4\r\n\r\n{}',
    400,
  ],
  [
    'a length in addition to chunks',
    'POST /api/warden/reportin HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n',
    400,
  ],
  ['an unknown expectation', 'GET /api/user HTTP/1.1\r\nHost: x\r\nExpect: 200-ok\r\nConnection: close\r\n\r\n', 401],
] as const)('API-72 T24 %s is an error like any other', async ([, text, status], { listening }) => {
  const answer = await askRaw(listening, Buffer.from(text))

  expect(answer.status).toBe(status)
  expect(JSON.parse(answer.body)).toEqual({ error: expect.stringMatching(/^[a-z_]+$/), message: expect.any(String) })
})
