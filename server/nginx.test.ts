/** @module-tag long */
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { localhost } from '#features/texts/server/gateways/localhost.fixture.ts'
import { openUpload } from '#features/uploads/calls.ts'
import { findFreePort, findFreePorts } from '../scripts/lib/free-ports.ts'
import { socketPath } from './realtime/realtime.ts'
import { givenConsole } from './testing/console-organisation.ts'
import { openTestDatabase } from './testing/database.ts'
import { hasNginx, startNginx } from './testing/nginx.ts'
import { startNode } from './testing/nodes.ts'
import { startTestServer } from './testing/test-server.ts'

/** What a socket through the proxy comes to: the code it was closed with after a made-up token, or the refusal. */
function shakeHands(url: string, origin: string): Promise<number | string> {
  const socket = new WebSocket(url, { origin, ca: localhost.cert })
  return new Promise((done) => {
    socket.on('open', () => socket.send(JSON.stringify({ id: 1, connect: { token: 'made up' } })))
    socket.on('close', done)
    socket.on('error', ({ message }) => done(message))
  })
}

/** The shipped site, with this machine's ports, certificate and folders. */
function shippedSite(folder: string, ports: { http: number; https: number; evac: number }): string {
  for (const kind of ['key', 'cert'] as const) writeFileSync(`${folder}/${kind}`, localhost[kind])
  const site = readFileSync(new URL('../docs/operations/nginx.conf', import.meta.url), 'utf8')
  return site
    .replaceAll(/listen \[::\].*\n/g, '')
    .replace('listen 80;', `listen 127.0.0.1:${ports.http};`)
    .replace('listen 443 ', `listen 127.0.0.1:${ports.https} `)
    .replace('127.0.0.1:8080;', `127.0.0.1:${ports.evac};`)
    .replaceAll('evac.example;', 'localhost;')
    .replace(/ssl_certificate .*/, `ssl_certificate ${folder}/cert;`)
    .replace(/ssl_certificate_key .*/, `ssl_certificate_key ${folder}/key;`)
    .replaceAll('/var/log/nginx', folder)
}

test.skipIf(!hasNginx)(
  'HUB-07 T25 behind the nginx.conf that we ship, live updates work and no token is logged',
  { timeout: 120_000 },
  async () => {
    await using database = await openTestDatabase()
    const http = await findFreePorts(2)
    const https = http + 1
    const url = `https://localhost:${https}`
    await using node = await startNode(database, { APP_URL: url, TRUST_PROXY: '1', LOG_LEVEL: 'warn' })
    await using nginx = await startNginx(https, (folder) => shippedSite(folder, { http, https, evac: node.port }))
    const socketUrl = `${url.replace('https', 'wss')}${socketPath}`

    expect(await shakeHands(socketUrl, url)).toBe(3500) // the hub itself turned the token down
    expect(await shakeHands(socketUrl, 'https://elsewhere.test')).toMatch('403')
    await expect.poll(node.said).toContain('its page matches neither APP_URL')
    const plain = await fetch(`http://127.0.0.1:${http}/login?token=hidden`, { redirect: 'manual' })
    expect(plain.headers.get('location')).toBe('https://127.0.0.1/login?token=hidden')
    await expect.poll(() => nginx.read('evac.log')).toContain('"GET /login" 301')
    expect(nginx.read('evac.log')).not.toContain('hidden')
  },
)

test('OPS-05 behind the nginx.conf that we ship, a part of 4 MB and a document of 20 MB pass, and other bodies do not', {
  skip: !hasNginx,
  timeout: 120_000,
}, async () => {
  await using server = await startTestServer()
  const { call } = await givenConsole(server)
  const http = await findFreePorts(2)
  const https = http + 1
  const url = `https://localhost:${https}`
  await using node = await startNode(server.database, { APP_URL: url, TRUST_PROXY: '1', LOG_LEVEL: 'warn' })
  await using nginx = await startNginx(https, (folder) => shippedSite(folder, { http, https, evac: node.port }))
  const post = (path: string, bytes: Buffer) => postTo(`${url}${path}`, call.token, bytes)
  const { uid } = await call(openUpload, {})

  const part = await post(`/api/console/uploads/${uid}/files/people.csv?part=1`, Buffer.alloc(4 * 1024 * 1024, 'a'))
  expect(part).toEqual([200, { kept: true, reason: null }])
  const pdf = Buffer.alloc(20 * 1024 * 1024, ' ')
  pdf.write('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n')
  pdf.write('%%EOF\n', pdf.length - 6)
  expect(await post('/api/console/lists/documents/file', pdf)).toMatchObject([200, { bytes: pdf.length }])
  expect((await post('/api/console/lists/documents/file', Buffer.alloc(22 * 1024 * 1024)))[0]).toBe(413)
  expect((await post('/api/login', Buffer.alloc(300 * 1024)))[0]).toBe(413)

  await node.kill()
  expect((await post('/api/login', Buffer.alloc(10)))[0]).toBe(502)
  await expect.poll(() => nginx.read('evac-error.log')).toContain('connect() failed (111: Connection refused)')
})

/** Status and body of a post with that certificate's trust. */
function postTo(url: string, token: string, bytes: Buffer): Promise<[number, unknown]> {
  return new Promise((done, fail) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/octet-stream',
      'content-length': bytes.length,
    }
    const asked = request(url, { method: 'POST', headers, ca: localhost.cert }, async (answer) => {
      const body = await text(answer)
      done([answer.statusCode ?? 0, body.startsWith('{') ? JSON.parse(body) : body])
    })
    // after a 413 nginx reads no further
    asked.on('error', fail)
    asked.end(bytes)
  })
}

test.skipIf(!hasNginx)(
  'HUB-07 RT-23 behind an nginx that knows of no WebSockets, the log says what is wrong and calls work',
  { timeout: 120_000 },
  async () => {
    await using database = await openTestDatabase()
    const port = await findFreePort()
    const url = `http://127.0.0.1:${port}`
    await using node = await startNode(database, { APP_URL: url, LOG_LEVEL: 'warn' })
    const site = `server { listen 127.0.0.1:${port}; location / { proxy_pass ${node.url}; } }`
    await using _ = await startNginx(port, () => site)

    expect(await shakeHands(`${url.replace('http', 'ws')}${socketPath}`, url)).toMatch('426')
    await expect.poll(node.said).toContain('drops the Upgrade header (docs/operations/nginx.conf)')
    expect((await fetch(`${url}/health/ready`)).status).toBe(200)
  },
)
