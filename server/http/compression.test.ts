import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { contractCalls } from '../testing/contract-calls.ts'
import { compressAnswers, holdsToken } from './compression.ts'

const long = JSON.stringify({ names: 'Grace Hopper '.repeat(300) })

function startApp(mayCompress: boolean) {
  const app = Fastify()
  compressAnswers(app)
  const config = { mayCompress }
  app.get('/long', { config }, (_, reply) => reply.type('application/json').send(long))
  app.get('/short', { config }, () => ({ ok: true }))
  return (url: string, encoding: string) => app.inject({ url, headers: { 'accept-encoding': encoding } })
}

test('a long answer is compressed with the encoding the browser accepts, and its content is unchanged', async () => {
  const ask = startApp(true)
  const [br, gzip] = [await ask('/long', 'gzip, deflate, br'), await ask('/long', 'gzip')]

  expect([br.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual(['br', 'gzip'])
  expect(String(brotliDecompressSync(br.rawPayload))).toBe(long)
  expect(String(gunzipSync(gzip.rawPayload))).toBe(long)
  expect(br.rawPayload.length).toBeLessThan(long.length / 10)
  expect((await ask('/long', 'identity')).body).toBe(long)
  for (const unwanted of ['br;q=0', 'br;q=0.0', 'gzip;q=x', 'brx', ''])
    expect((await ask('/long', unwanted)).body).toBe(long)
  expect((await ask('/long', 'br;q=0.5')).headers['content-encoding']).toBe('br')
  expect((await ask('/short', 'br')).body).toBe('{"ok":true}')
})

test('T11 an answer that contains a token is never compressed', async () => {
  const calls = await contractCalls()
  const without = calls.filter((call) => holdsToken(call)).map(({ name }) => name)

  expect(without).toEqual(expect.arrayContaining(['login', 'rejoin', 'getChannelToken', 'listReportInCards']))
  expect(without).not.toEqual(expect.arrayContaining(['getFloorData']))
  expect((await startApp(false)('/long', 'br')).body).toBe(long)
})
