import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { isPublic, openOutgoing } from './outgoing.ts'

const none = { outgoingProxy: '' }
const callOut = openOutgoing(none)
const get = (url: string, setBy: 'operator' | 'organisation' = 'operator', call = callOut) =>
  call({ url, setBy, method: 'GET' })
const reasonOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'answered',
    (error: Error & { code?: string }) => error.code ?? error.message,
  )

async function serving(handle: RequestListener) {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    handle(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    server,
    seen,
    port,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

test('OUT-01 an answer comes whole, and a redirect is followed nowhere', async () => {
  await using inside = await serving((_, response) => response.end('secret'))
  await using server = await serving(({ url }, response) => {
    if (url === '/fine') return response.writeHead(201, { 'x-own': 'yes' }).end('body')
    response.writeHead(Number(url?.slice(1)), { location: inside.url }).end('x'.repeat(100))
  })

  const fine = await get(`${server.url}/fine`)
  const reasons = await Promise.all([301, 302, 303, 307, 308].map((code) => reasonOf(get(`${server.url}/${code}`))))

  expect([fine.status, fine.headers['x-own'], String(fine.body)]).toEqual([201, 'yes', 'body'])
  expect(new Set(reasons)).toEqual(new Set([`127.0.0.1:${server.port} answered with a redirect.`]))
  expect(inside.seen).toEqual([])
})

test('OUT-01 an answer that says it is large, one that has no end and a packed one stop at 256 kB', async () => {
  let sent = 0
  await using server = await serving(({ url }, response) => {
    if (url === '/said') return response.writeHead(200, { 'content-length': 10 ** 9 }).write('x')
    response.writeHead(200, url === '/packed' ? { 'content-encoding': 'gzip' } : {})
    const block = Buffer.alloc(65_536)
    const more = () => {
      sent += block.length
      if (!response.destroyed && sent < 200 * 2 ** 20) response.write(block, () => setImmediate(more))
    }
    more()
  })

  const tooMuch = `127.0.0.1:${server.port} answered with more than 256 kB.`
  expect(await reasonOf(get(`${server.url}/endless`))).toBe(tooMuch)
  expect(sent).toBeLessThan(20 * 2 ** 20)
  expect(await reasonOf(get(`${server.url}/packed`))).toBe(tooMuch)
})

test('OUT-01 a server that says nothing is left after 5 s, one that drips after 10 s', {
  timeout: 30_000,
}, async () => {
  await using server = await serving(({ url }, response) => {
    if (url === '/silent') return
    response.writeHead(200)
    const timer = setInterval(() => response.write('.'), 200)
    response.on('close', () => clearInterval(timer))
  })
  const timed = async (path: string) => {
    const start = performance.now()
    const reason = await reasonOf(get(server.url + path))
    return { reason, seconds: (performance.now() - start) / 1000 }
  }

  const [silent, dripping] = await Promise.all([timed('/silent'), timed('/dripping')])

  expect(silent.reason).toBe('UND_ERR_HEADERS_TIMEOUT')
  expect(silent.seconds).toBeLessThan(8)
  expect(dripping.reason).not.toBe('answered')
  expect(dripping.seconds).toBeGreaterThan(9)
  expect(dripping.seconds).toBeLessThan(13)
})

test('OUT-02 an address set by an organisation is https and public, whatever its spelling; the operator may name any', async () => {
  await using server = await serving((_, response) => response.end('inside'))
  const { port } = server
  const literals = [
    ...['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '127.1', '[::1]', '[::ffff:127.0.0.1]', '[::127.0.0.1]'],
    ...['[64:ff9b::7f00:1]', '[2002:7f00:1::]', '10.1.2.3', '169.254.169.254', '100.64.0.1', '[fd00::1]', '[fe80::1]'],
  ]

  for (const host of literals)
    expect([host, await reasonOf(get(`https://${host}:${port}/`, 'organisation'))]).toEqual([
      host,
      expect.stringContaining('is not a public address.'),
    ])
  // a name that resolves to this machine, as one that was bound anew does
  expect(await reasonOf(get(`https://localhost:${port}/`, 'organisation'))).toBe('localhost is not a public address.')
  expect(await reasonOf(get(`http://localhost:${port}/`, 'organisation'))).toBe(
    'The address does not begin with https://.',
  )
  expect(server.seen).toEqual([])
  const excepted = openOutgoing({ ...none, outgoingPrivateHosts: ['localhost'] })
  // it connects, and finds no TLS there
  expect(await reasonOf(get(`https://localhost:${port}/`, 'organisation', excepted))).toMatch(/SSL|EPROTO/)
  expect(String((await get(`http://localhost:${port}/`)).body)).toBe('inside')
})

test('OUT-02 addresses are public as IPv4, as IPv6, and as an IPv6 form of a public IPv4 address', () => {
  const all = ['1.1.1.1', '2606:4700::1111', '::ffff:1.1.1.1', '64:ff9b::101:101', '2002:101:101::']
  expect(all.filter(isPublic)).toEqual(all)
})

test('OUT-02 OUTGOING_PROXY takes every call and resolves the names, within the same limits', async () => {
  const tunnels: string[] = []
  await using proxy = await serving((request, response) => {
    if (!request.url?.endsWith('/large')) return response.end('by proxy')
    response.end(Buffer.alloc(2 ** 20))
  })
  proxy.server.on('connect', ({ url }, socket) => {
    tunnels.push(String(url))
    socket.end('HTTP/1.1 502 No\r\n\r\n')
  })
  const call = openOutgoing({ ...none, outgoingProxy: proxy.url })
  const known = 'only.the.proxy.knows.test'

  const { body } = await get(`http://${known}/`, 'operator', call)
  const reasons = [
    await reasonOf(get(`http://${known}/large`, 'operator', call)),
    await reasonOf(get('https://10.0.0.1/', 'organisation', call)),
    await reasonOf(get(`https://${known}/`, 'organisation', call)),
  ]

  expect(String(body)).toBe('by proxy')
  expect(proxy.seen).toEqual([`GET http://${known}/`, `GET http://${known}/large`])
  expect(reasons.slice(0, 2)).toEqual([`${known} answered with more than 256 kB.`, '10.0.0.1 is not a public address.'])
  expect(reasons[2]).not.toBe('answered')
  expect(tunnels).toEqual([`${known}:443`])
})
