import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './support/test.ts'

/** Where nothing may be held in a frame, guessed at, or told of where it was opened. */
const everywhere = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
}

test('T13 T16 every answer says what browsers may do with it: pages, files, calls, errors', async ({ product }) => {
  const page = await (await fetch(`${product.url}/login`)).text()
  const [asset] = /\/assets\/[^"]+\.js/.exec(page) ?? []
  const paths = ['/', '/login', '/no/such/page', '/icon.svg', '/manifest.webmanifest', String(asset), '/assets/none.js']
  const calls = [
    '/api/health',
    '/api/user',
    '/api/none',
    '/api/documents/none',
    '/api/docs',
    '/health/live',
    '/metrics',
  ]

  for (const path of [...paths, ...calls, '/connection/websocket']) {
    const { headers } = await fetch(product.url + path)
    const policy = headers.get('content-security-policy') ?? ''
    expect.soft(Object.fromEntries(headers), path).toMatchObject(everywhere)
    expect.soft(policy, path).toContain("frame-ancestors 'none'")
    expect.soft(policy, path).not.toMatch(/unsafe|\*|https?:/)
    // the page about the calls is a foreign program, which writes its pages itself and opens no socket
    if (!path.startsWith('/api/docs')) {
      expect.soft(policy, path).toMatch(/connect-src 'self' wss?:\/\/[^ ;/]+;/)
      expect.soft(policy, path).toContain("require-trusted-types-for 'script';trusted-types evac-alerts")
    }
    expect.soft(headers.has('x-powered-by') || headers.has('set-cookie') || headers.has('server'), path).toBe(false)
    expect.soft(headers.has('access-control-allow-origin'), path).toBe(false)
    if (path.startsWith('/api/') && !path.startsWith('/api/docs'))
      expect.soft(headers.get('cache-control'), path).toBe('no-store')
  }
})

test('UX-70 the page may be kept for a day, whatever the query, and the assets of the former build are still served', async ({
  product,
}) => {
  const { headers } = await fetch(`${product.url}/evacuee/safety?message=unread`)
  expect(Object.fromEntries(headers)).toMatchObject({
    'cache-control': 'private, max-age=86400',
    'no-vary-search': 'params',
    vary: 'accept-encoding',
  })
  const again = { headers: { 'If-None-Match': headers.get('etag') ?? '' } }
  expect((await fetch(`${product.url}/evacuee/safety`, again)).status).toBe(304)

  writeFileSync(join(String(product.settings.DATA_DIR), 'assets', 'former-1.js'), 'export {}')
  const former = await fetch(`${product.url}/assets/former-1.js`)
  expect([former.status, former.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
  expect(former.headers.get('content-type')).toMatch('javascript')
  expect((await fetch(`${product.url}/assets/.last-build`)).status).toBe(404)
  expect((await fetch(`${product.url}/assets/never-1.js`)).status).toBe(404)
})
