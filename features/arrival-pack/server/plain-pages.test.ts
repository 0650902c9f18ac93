import Fastify from 'fastify'
import { expect } from 'vitest'
import { guardRoutes } from '#server/http/guard.ts'
import { test } from '#server/testing/server-test.ts'
import { startTestServer, withKey } from '#server/testing/test-server.ts'
import { noteHazard } from '../calls.ts'
import { eventWithPack, expectSealed, visitorOf } from './pack.fixture.ts'

test('T42 PACK-02 PACK-08 each page allows its own style and form alone, and is in no frame, index or referrer', async ({
  server,
}) => {
  const { make, visitor, pathOf, enter } = await eventWithPack(server)
  const { url } = await make()
  const pages = [await visitor.get(pathOf(url)), await visitor.get(await enter(url)), await visitor.get('/p/unknown')]

  for (const visited of pages) expectSealed(visited)
})

test('T42 scripts, marks of direction and emoji are text, and a form has limits', async ({ server }) => {
  const { make, visitor, pathOf, manager, enter } = await eventWithPack(server)
  const { url } = await make()
  const hostile = `"><script>alert(1)</script> \u202Egnp 🔥 'x' \`y\``
  await manager(noteHazard, { body: { text: hostile } }, withKey())

  const { body } = await visitor.get(await enter(url, hostile))
  expect(body).toContain(
    '<bdi>&#34;&#62;&#60;script&#62;alert(1)&#60;/script&#62; \u202Egnp 🔥 &#39;x&#39; &#96;y&#96;</bdi>',
  )

  const start = pathOf(url)
  const answers = [
    await visitor.post(start, { name: 'a\u0000b' }),
    await visitor.post(start, { name: 'x'.repeat(61) }),
    await visitor.post(start, { name: 'x'.repeat(5000) }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([422, 422, 413])
  const json = await server.app.inject({ method: 'POST', url: start, payload: { name: 'Kim' } })
  expect([json.statusCode, json.headers['content-type']]).toEqual([415, 'text/html; charset=utf-8'])
})

test('T41 PACK-02 of 25 wrong addresses of a network 20 read 410, the others 429; the right one opens for all that', async () => {
  await using server = await startTestServer()
  const { make, pathOf, enter } = await eventWithPack(server)
  const { url } = await make()
  const own = await enter(url)
  const guesser = visitorOf(server, '192.0.2.9')

  const answers = await Promise.all(
    Array.from({ length: 25 }, (_, nth) => guesser.get(`/p/${String(nth).padStart(22, 'x')}`)),
  )

  expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(20).fill(410), ...Array(5).fill(429)])
  expect(answers.find(({ status }) => status === 429)?.body).toContain('Too many requests. Try again in a minute.')
  expect([(await guesser.get(pathOf(url))).status, (await guesser.get(own)).status]).toEqual([200, 200])
  expect((await visitorOf(server, '192.0.2.10').get('/p/unknown')).status).toBe(410)
})

test('T5 a page for strangers that is not listed keeps the server from starting', () => {
  const app = Fastify({ exposeHeadRoutes: false })
  guardRoutes(
    app,
    () => Promise.resolve(undefined),
    () => Promise.resolve(undefined),
  )

  expect(() => app.get('/p/:token', () => '')).not.toThrow()
  expect(() => app.get('/x/:token', () => '')).toThrow('GET /x/:token is not listed in kernel/plain-pages.ts')
})
