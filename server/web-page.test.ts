import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { test as base, expect } from 'vitest'
import { secureHeaders } from './http/security-headers.ts'
import { readPage } from './web-page.ts'

/** A built page, and a server that answers with it. */
// biome-ignore lint/correctness/noEmptyPattern: a fixture names what it needs, and this one needs nothing
const test = base.extend('serve', async ({}, { onCleanup }) => {
  const dist = mkdtempSync(join(tmpdir(), 'evac-page-'))
  onCleanup(() => rmSync(dist, { recursive: true }))
  return (html: string, resetBy = 'mail') => {
    writeFileSync(join(dist, 'index.html'), html)
    const page = readPage(resetBy, dist)
    if (!page) throw new Error('No page')
    const app = Fastify()
    secureHeaders(app, ['https://evac.test'], page.inline)
    app.get('*', (request, reply) => page.send(request, reply))
    return (headers: Record<string, string> = {}, url = '/login') => app.inject({ url, headers })
  }
})
const built = '<html><head><script>first()</script><style>a{}</style><script src="/a.js"></script></head></html>'
const source = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

test('UX-70 the page comes compressed as the browser accepts it, and not at all to one that has it', async ({
  serve,
}) => {
  const get = serve(built)
  const [plain, br, gzip] = [
    await get(),
    await get({ 'accept-encoding': 'gzip, br' }),
    await get({ 'accept-encoding': 'gzip' }),
  ]

  expect(plain.body).toContain('<meta name="password-reset" content="mail"></head>')
  expect(String(brotliDecompressSync(br.rawPayload))).toBe(plain.body)
  expect(String(gunzipSync(gzip.rawPayload))).toBe(plain.body)
  const again = await get({ 'if-none-match': String(br.headers.etag) })
  expect([again.statusCode, again.body]).toEqual([304, ''])
  expect(again.headers).toMatchObject({ 'cache-control': 'private, max-age=86400', vary: 'accept-encoding' })
})

test('UX-70 the version in the page is that of the build: other settings are no newer version, but another page', async ({
  serve,
}) => {
  const [one, settings, newer] = [
    await serve(built)(),
    await serve(built, 'administrator')(),
    await serve(`${built} `)(),
  ]
  const versionOf = ({ body }: { body: string }) => /name="version" content="([\w-]{16})"/.exec(body)?.[1]

  expect(versionOf(one)).toBeTruthy()
  expect(versionOf(settings)).toBe(versionOf(one))
  expect(settings.headers.etag).not.toBe(one.headers.etag)
  expect(versionOf(newer)).not.toBe(versionOf(one))
})

test('T13 of what stands in the page itself, the policy lets exactly the built scripts and styles run', async ({
  serve,
}) => {
  const { headers } = await serve(built)()

  const policy = String(headers['content-security-policy'])
  expect(policy).toContain(`script-src 'self' ${source('first()')};`)
  expect(policy).toContain(`style-src 'self' ${source('a{}')};`)
})

test('TRUST-01 ROUTE-27 an address outside the page table gets the page with 404, which no browser keeps', async ({
  serve,
}) => {
  const table = { '/login': {}, '/floor/{floorUID}/evacuation': {} }
  const get = serve(`<html><head><meta name="page-files" content='${JSON.stringify(table)}' /></head></html>`)
  const statusOf = async (url: string) => (await get({}, url)).statusCode

  const pages = [
    '/',
    '/login',
    '/login/',
    '/login?a=/b',
    '/floor/12/evacuation',
    '/console',
    '/console/people/1',
    '/simulator',
  ]
  expect(await Promise.all(pages.map(statusOf))).toEqual(pages.map(() => 200))
  const none = [
    '/healthz',
    '/nothing',
    '/login/x',
    '/Login',
    '/floor//evacuation',
    '/floor/1/2/evacuation',
    '/consoles',
    '/wp-login.php',
  ]
  expect(await Promise.all(none.map(statusOf))).toEqual(none.map(() => 404))
  const lost = await get({ 'if-none-match': String((await get()).headers.etag) }, '/nothing')
  expect([lost.statusCode, lost.headers['cache-control']]).toEqual([404, 'no-store'])
  expect(lost.body).toContain('<meta name="password-reset"')
})
