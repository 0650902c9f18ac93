import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import { endInput, startInput } from '../testing/event-input.ts'
import { test } from '../testing/server-test.ts'
import { startTestServer, type TestServer, testConfig } from '../testing/test-server.ts'

/** A signed-in event manager who sends what no regular client would. */
async function manager({ app, given, as }: TestServer) {
  const org = await given.organisation()
  const { token } = await as(await given.warden(org, { role: 'Chief Warden' }))
  const send = (request: InjectOptions) =>
    app.inject({ ...request, headers: { authorization: `Bearer ${token}`, ...request.headers } })
  const post = (url: string, payload: string | object, type = 'application/json') =>
    send({ method: 'POST', url, payload, headers: { 'content-type': type } })
  return { org, send, post }
}

/** Asserts an error reply: status, code, and nothing besides the envelope. */
function expectError(response: LightMyRequestResponse, status: number, error: string) {
  expect([response.statusCode, response.json()]).toMatchObject([status, { error, message: expect.any(String) }])
  expect(Object.keys(response.json()).filter((key) => !['error', 'message', 'fields'].includes(key))).toEqual([])
  expect(response.headers['content-type']).toMatch(/^application\/json/)
  expect(response.headers['cache-control']).toBe('no-store')
}

const create = '/api/v2/event/create'

test('API-71 AMB-147 each error has the status and the code given in the decisions', async ({ server }) => {
  const { org, send, post } = await manager(server)
  const { body } = startInput(org)
  const nobodys = '00000000-0000-4000-8000-000000000000'

  expectError(await post(create, '{'), 400, 'malformed_request')
  expectError(await server.app.inject({ url: '/api/user' }), 401, 'not_signed_in')
  expectError(await post('/api/warden/signin', { peer_email: 'nobody@evac.test' }), 403, 'forbidden')
  expectError(await post(create, { ...body, buildings: [nobodys] }), 404, 'not_found')
  expectError(await send({ url: '/api/nothing/here' }), 404, 'not_found')
  expectError(await post('/api/floor/evacuation/floor/change', { floor: nobodys }), 409, 'no_event')
  expectError(await post(create, { ...body, message: '' }), 422, 'invalid_request')
})

test('API-72 400 for a body that is not JSON', async ({ server }) => {
  const { post } = await manager(server)

  for (const text of ['{', '{"a":1,}', "{'a':1}", 'undefined', '\u0000'])
    expectError(await post(create, text), 400, 'malformed_request')
})

test('API-72 T6 400 for keys that could pollute prototypes', async ({ server }) => {
  const { org, post } = await manager(server)
  const { body } = startInput(org)
  const inside = JSON.stringify(body).slice(1)

  for (const text of [
    `{"__proto__":{"admin":true},${inside}`,
    `{"constructor":{"prototype":{"admin":true}},${inside}`,
    `{"userInput":{"__proto__":{},${inside}}`,
  ])
    expectError(await post(create, text), 400, 'malformed_request')

  expect(({} as { admin?: boolean }).admin).toBeUndefined()
})

test('API-72 404 for an unknown address or method', async ({ server }) => {
  const { send } = await manager(server)

  for (const [method, url] of [
    ['GET', '/api/nowhere'],
    ['GET', '/api/v2/auth/login'],
    ['PUT', '/api/user'],
    ['POST', '/api/health'],
    ['GET', '/api/user/1'],
  ] as const)
    expectError(await send({ method, url, headers: { accept: 'application/json' } }), 404, 'not_found')
})

test('API-72 413 for a body larger than the call allows', async ({ server }) => {
  const { post } = await manager(server)

  expectError(await post(create, { message: 'x'.repeat(30 * 1024) }), 413, 'body_too_large')
  expectError(await post('/api/warden/reportin', { message: 'x'.repeat(1024) }), 413, 'body_too_large')
})

test('API-72 T15 415 for a body that is not JSON, as a form or script on another site would send it', async ({
  server,
}) => {
  const { org, post } = await manager(server)
  const json = JSON.stringify(startInput(org).body)

  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/json',
  ])
    expectError(await post(create, json, type), 415, 'unsupported_media_type')
})

test('API-72 422 names the invalid field', async ({ server }) => {
  const { post, send } = await manager(server)

  const body = await post('/api/floor/evacuation/floor/status', { floorId: 'x', floorStatusId: 1 })
  const query = await send({ url: '/api/warden/reportInCardJson?signInMethod=Fax' })

  expectError(query, 422, 'invalid_request')
  expect(query.json().fields).toEqual(['querystring/signInMethod'])
  // without an event the duty policy answers first: a stranger to a route learns nothing about its body
  expectError(body, 409, 'no_event')
})

test('API-72 T6 422 for fields that the call does not have', async ({ server }) => {
  const { org, post, send } = await manager(server)
  const { body } = endInput(org)

  for (const extra of [{ client_uid: org.clientUid }, { ended_at: null }, { userInput: body }])
    expectError(await post('/api/v2/event/end', { ...body, ...extra }), 422, 'invalid_request')
  expectError(await post('/api/v2/auth/login', { email: 'a', password: 'b', admin: true }), 422, 'invalid_request')
  expectError(await send({ url: '/api/warden/reportInCardJson?signInMethod=Email&all=1' }), 422, 'invalid_request')
  expectError(
    await send({ url: '/api/warden/reportInCardJson?signInMethod=Email&signInMethod=Email' }),
    422,
    'invalid_request',
  )
})

test('API-72 422 for values that the database cannot store: a zero byte, a uid in another notation', async ({
  server,
}) => {
  const { org, post } = await manager(server)
  const { body } = startInput(org)

  expectError(await post('/api/v2/auth/login', { email: 'a\u0000b', password: 'evacuate1' }), 422, 'invalid_request')
  expectError(await post('/api/warden/signin', { peer_email: 'a\u0000@evac.test' }), 422, 'invalid_request')
  expectError(await post(create, { ...body, message: 'Run\u0000' }), 422, 'invalid_request')
  const urn = `urn:uuid:${org.buildingUid}`
  expectError(await post('/api/v2/warden/reportin', { Warden_Sign_In_UID: urn }), 422, 'invalid_request')
})

test('API-03 API-19 a JSON content type without a body is accepted if no body is needed, otherwise 422', async ({
  server,
}) => {
  const { post, send } = await manager(server)

  expect((await post('/api/warden/reportin', '')).statusCode).toBe(200)
  expect((await post('/api/warden/signin', '')).statusCode).toBe(200)
  expect((await send({ method: 'POST', url: '/api/warden/signin' })).statusCode).toBe(200)
  expect(
    (await send({ method: 'DELETE', url: '/api/auth/logout', headers: { 'content-type': 'application/json' } }))
      .statusCode,
  ).toBe(200)
})

test('T24 T31 a deeply nested body does no harm, whether or not the call needs one', async ({ server }) => {
  const { post, send } = await manager(server)
  const payload = '['.repeat(400) + ']'.repeat(400)
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'deep' }

  expectError(await send({ method: 'POST', url: '/api/warden/reportin', payload, headers }), 422, 'invalid_request')
  expectError(await post('/api/warden/signin', `{"peer_email":${payload}}`), 422, 'invalid_request')
  expectError(await post(create, payload), 422, 'invalid_request')
})

test('API-72 422 for a missing body', async ({ server }) => {
  const { post, send } = await manager(server)

  expectError(await post(create, ''), 422, 'invalid_request')
  expectError(await send({ method: 'POST', url: create }), 422, 'invalid_request')
  for (const value of ['null', '[]', '1', '"x"']) expectError(await post(create, value), 422, 'invalid_request')
})

test('API-72 429 for too many requests from one address, with the time to retry', async () => {
  await using server = await startTestServer({ config: { ...testConfig, requestsPerMinute: 3 } })

  const answers = []
  for (let i = 0; i < 4; i++)
    answers.push(await server.app.inject({ url: '/api/health', remoteAddress: '203.0.113.9' }))
  const other = await server.app.inject({ url: '/api/health', remoteAddress: '198.51.100.9' })

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 429])
  expectError(answers[3] as LightMyRequestResponse, 429, 'too_many_requests')
  expect(Number(answers[3]?.headers['retry-after'])).toBeGreaterThan(0)
  expect(other.statusCode).toBe(200)
})

test('T11 T24 addresses spelt differently and forged senders count towards the same limit', async () => {
  await using server = await startTestServer({ config: { ...testConfig, requestsPerMinute: 3 } })
  const ask = (url: string, headers = {}) => server.app.inject({ url, headers, remoteAddress: '203.0.113.9' })

  const answers = [
    await ask('/api/health'),
    await ask('/%61pi/health'),
    await ask('/api/health/', { 'x-forwarded-for': '198.51.100.1' }),
    await ask('/%61pi/health', { 'x-forwarded-for': '198.51.100.2', forwarded: 'for=198.51.100.2' }),
  ]

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 429])
  for (const { headers } of answers) expect(headers['cache-control']).toBe('no-store')
})

test('T11 behind a proxy the sender is the one named by the proxy, not by the caller', async () => {
  await using server = await startTestServer({ config: { ...testConfig, requestsPerMinute: 3, trustedProxies: 1 } })
  const ask = (by: string) => server.app.inject({ url: '/api/health', headers: { 'x-forwarded-for': by } })

  const answers = []
  for (const claimed of ['198.51.100.1', '198.51.100.2', '10.0.0.1, 198.51.100.3', '127.0.0.1'])
    answers.push((await ask(`${claimed}, 203.0.113.9`)).statusCode)

  expect(answers).toEqual([200, 200, 200, 429])
  expect((await ask('203.0.113.9, 198.51.100.9')).statusCode).toBe(200)
})

test('API-72 500 reveals nothing about the cause', async () => {
  await using server = await startTestServer()
  const { send } = await manager(server)
  await server.database.owner.pg.query('alter table person rename to persons')

  const answer = await send({ url: '/api/warden/reportInCardJson?signInMethod=Email' })

  expectError(answer, 500, 'server_error')
  expect(answer.body).not.toMatch(/person|relation|select/i)
})

test('API-72 503 when the database goes away during a request: nothing was done, try again', async ({ server }) => {
  const { org, post } = await manager(server)
  const hold = await server.hold('site', org.siteUid)
  const request = post(create, startInput(org).body)
  await hold.waiting(1)

  await server.database.owner.pg.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  await hold.release()

  expectError(await request, 503, 'unavailable')
  const events = server.db.selectFrom('event').select('uid').where('siteUid', '=', org.siteUid)
  expect(await events.execute()).toEqual([])
})

test('API-72 F5 503 when the connection breaks without notice: nothing was done, try again', async () => {
  await using server = await startTestServer()
  const { org, post } = await manager(server)
  const hold = await server.hold('site', org.siteUid)
  const request = post(create, startInput(org).body)
  await hold.waiting(1)

  server.database.tenant.cut()
  await hold.release()

  const answer = await request
  expectError(answer, 503, 'unavailable')
  expect(answer.headers['retry-after']).toBe('2')
})

test('API-72 F18 503 while the disk is full: nothing was done, try again', async () => {
  await using server = await startTestServer()
  const { org, post } = await manager(server)
  await server.database.owner.pg.query(`
    create function disk_is_full() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$;
    create trigger disk_is_full before insert on event for each statement execute function disk_is_full()`)

  const answer = await post(create, startInput(org).body)

  expectError(answer, 503, 'unavailable')
})

test('API-72 F34 503 from a standby, which is read-only: nothing was done, try again', async () => {
  await using server = await startTestServer()
  const { org, post } = await manager(server)
  await server.database.owner.pg.query(
    `do $$ begin execute format('alter database %I set default_transaction_read_only = on', current_database()); end $$`,
  )
  server.database.tenant.cut()

  const answer = await post(create, startInput(org).body)

  expectError(answer, 503, 'unavailable')
})

test('API-72 no-store and the security headers are on every answer of the API', async ({ server }) => {
  const { send } = await manager(server)

  for (const url of ['/api/user', '/api/health', '/api/nowhere']) {
    const { headers } = await send({ url })
    expect(headers['cache-control']).toBe('no-store')
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    })
    expect(headers['content-security-policy']).toMatch(/default-src 'self'.*frame-ancestors 'none'/)
    expect(headers['content-security-policy']).not.toMatch(/unsafe|\*/)
    expect(headers).not.toHaveProperty('x-powered-by')
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  }
})

test('API-01 a trailing slash does no harm', async ({ server }) => {
  const { send } = await manager(server)

  expect((await send({ url: '/api/user/' })).json()).toEqual((await send({ url: '/api/user' })).json())
  expectError(await send({ url: '/api/user//x' }), 404, 'not_found')
})

test('API-72 an undecodable address is an error like any other', async ({ server }) => {
  const { send } = await manager(server)

  expectError(await send({ url: '/api/floor/evacuation/search/%E0%A4%A' }), 400, 'malformed_request')
  expectError(await send({ url: '/api/%zz' }), 400, 'malformed_request')
})
