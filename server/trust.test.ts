import { expect, test } from 'vitest'
import { startTestServer, testConfig } from './testing/test-server.ts'

test('TRUST-01 robots are asked to stay away, and security.txt names the contact for half a year', async () => {
  const config = { ...testConfig, appUrl: 'https://evac.example', securityContact: 'mailto:security@evac.example' }
  await using server = await startTestServer({ config, clock: { now: () => new Date('2026-11-27T20:05:00Z') } })

  const robots = await server.app.inject('/robots.txt')
  const security = await server.app.inject('/.well-known/security.txt')

  expect([robots.headers['content-type'], robots.body]).toEqual(['text/plain', 'User-agent: *\nDisallow: /\n'])
  expect(security.body).toBe(
    'Contact: mailto:security@evac.example\nExpires: 2027-05-26T00:00:00.000Z\nCanonical: https://evac.example/.well-known/security.txt\n',
  )
})

test('TRUST-01 without SECURITY_CONTACT there is no security.txt', async () => {
  await using server = await startTestServer()

  expect((await server.app.inject('/.well-known/security.txt')).statusCode).toBe(404)
})
