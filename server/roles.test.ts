import { expect, test } from 'vitest'
import { startTestServer, testConfig } from './testing/test-server.ts'

test('a process without the role api answers for its health, and no page or call', async () => {
  await using server = await startTestServer({ config: { ...testConfig, roles: ['hub', 'worker'] } })
  const get = async (url: string) => (await server.app.inject({ method: 'GET', url })).statusCode

  expect([await get('/health/live'), await get('/health/ready'), await get('/metrics')]).toEqual([200, 200, 200])
  for (const url of ['/', '/login', '/api/docs', '/api/user', '/api/simulator/phones'])
    expect(await get(url), url).toBe(404)
})
