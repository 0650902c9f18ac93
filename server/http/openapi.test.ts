import { expect } from 'vitest'
import { idempotencyKeyHeader, observedAtHeader, sentAtHeader } from '#kernel/write-headers.ts'
import { readConfig } from '../platform/config/config.ts'
import { contractCalls } from '../testing/contract-calls.ts'
import { test } from '../testing/server-test.ts'
import { secretKey, startTestServer, testConfig } from '../testing/test-server.ts'

const calls = await contractCalls()

test('API-01 the description is OpenAPI 3.1 and names every call of the contract with its summary', async ({
  server,
}) => {
  const response = await server.app.inject('/api/docs/json')

  const document = response.json()
  expect(document.openapi).toMatch(/^3\.1\./)
  expect(document.info.version).toBe((await server.app.inject('/version')).json().version)
  const missing = calls.filter(({ path, method, summary }) => {
    const operation = document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
    return operation?.summary !== summary
  })
  expect(missing.map(({ name }) => name)).toEqual([])
})

test('API-02 the description says which calls need a sign-in', async ({ server }) => {
  const document = (await server.app.inject('/api/docs/json')).json()

  const isLocked = ({ path, method }: (typeof calls)[number]) =>
    document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]?.security !== undefined
  const wrong = calls.filter((call) => isLocked(call) === (call.policy.access === 'public'))
  expect(wrong.map(({ name }) => name)).toEqual([])
  expect(document.components.securitySchemes.session).toEqual({ type: 'http', scheme: 'bearer' })
})

test('API-01 the description names the headers for idempotency and for the time of an observation', async ({
  server,
}) => {
  const { info } = (await server.app.inject('/api/docs/json')).json()

  for (const header of [idempotencyKeyHeader, observedAtHeader, sentAtHeader])
    expect(info.description.toLowerCase()).toContain(`\`${header}\``)
})

test('API-01 the description is readable in a browser', async ({ server }) => {
  const page = await server.app.inject({ url: '/api/docs/', headers: { accept: 'text/html' } })

  expect([page.statusCode, page.headers['content-type']]).toEqual([200, expect.stringMatching(/^text\/html/)])
  expect(page.headers['content-security-policy']).not.toMatch(/unsafe-eval/)
})

test('API-01 in production the description is not there unless API_DOCS is on', async () => {
  const production = { NODE_ENV: 'production', APP_URL: 'https://evac.example', SECRET_KEY: secretKey }
  const statuses: number[] = []
  for (const env of [production, { ...production, API_DOCS: 'on' }]) {
    await using server = await startTestServer({ config: { ...testConfig, apiDocs: readConfig(env).apiDocs } })
    for (const url of ['/api/docs', '/api/docs/', '/api/docs/json', '/api/docs/static/index.html'])
      statuses.push((await server.app.inject(url)).statusCode)
  }

  expect(statuses.slice(0, 4)).toEqual([404, 404, 404, 404])
  expect(statuses.slice(4)).not.toContain(404)
})
