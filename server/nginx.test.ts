import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { localhost } from '#features/texts/server/gateways/localhost.fixture.ts'
import { findFreePort, findFreePorts } from '../scripts/lib/free-ports.ts'
import { socketPath } from './realtime/realtime.ts'
import { openTestDatabase } from './testing/database.ts'
import { hasNginx, startNginx } from './testing/nginx.ts'
import { startNode } from './testing/nodes.ts'

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

test.skipIf(!hasNginx)(
  'HUB-07 RT-23 behind an nginx that knows of no WebSockets, the log says what is wrong and calls work',
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
