import { urlOf } from '@evac/contract/client.ts'
import { getChannelToken } from '@evac/contract/realtime.ts'
import { type ModuleFlag, moduleFlags } from '@evac/contract/vocabulary.ts'
import Fastify from 'fastify'
import { expect } from 'vitest'
import { contractCalls, type NamedCall } from '../testing/contract-calls.ts'
import { test } from '../testing/server-test.ts'
import type { TestServer } from '../testing/test-server.ts'
import { guardRoutes } from './guard.ts'
import { newToken } from './secrets.ts'

const calls = await contractCalls()
const signedIn = calls.filter(({ policy }) => policy.access !== 'public')
const flagOf = ({ policy }: NamedCall) => (policy.access === 'public' ? undefined : policy.flag)
const flagged = signedIn.filter((call) => flagOf(call) !== undefined)
const onDuty = calls.filter(({ policy }) => policy.access === 'duty' && policy.withoutEvent === 'refuse')

/** What is served under /api without being a call of ours: files behind signed addresses. */
const outside = ['GET /api/documents/:uid']

/** Makes the call with input that says nothing; answers '401 not_signed_in' and the like. */
async function ask({ app }: TestServer, call: NamedCall, authorization?: string): Promise<string> {
  const names = call.path.match(/:\w+/g) ?? []
  const params = Object.fromEntries(names.map((name) => [name.slice(1), 'x']))
  const response = await app.inject({
    method: call.method,
    url: urlOf(call, { params }),
    headers: authorization === undefined ? {} : { authorization },
    ...(call.method === 'POST' && { payload: {} }),
  })
  const { error } = response.json()
  return `${response.statusCode} ${error}`
}

/** Calls that were answered otherwise than expected, and how. */
async function exceptions(among: readonly NamedCall[], expected: string, asked: (call: NamedCall) => Promise<string>) {
  const wrong: string[] = []
  for (const call of among) {
    const answer = await asked(call)
    if (answer !== expected) wrong.push(`${call.name}: ${answer}`)
  }
  return wrong
}

test('AUTH-02 the contract has calls of every kind', () => {
  expect(signedIn.length).toBeGreaterThan(20)
  expect(flagged.length).toBeGreaterThan(9)
  expect(onDuty.length).toBeGreaterThan(6)
})

test('API-28 every call of the contract is served', async ({ server }) => {
  const missing = calls.filter(({ method, path }) => !server.app.hasRoute({ method, url: path }))

  expect(missing.map(({ name }) => name)).toEqual([])
})

test('API-28 every address under /api is in the contract', async ({ server }) => {
  const { paths } = (await server.app.inject('/api/docs/json')).json()
  const served = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  )

  const known = new Set([...calls.map(({ method, path }) => `${method} ${path}`), ...outside])
  const strays = served.filter((route) => route.includes(' /api/') && !known.has(route) && !route.startsWith('HEAD '))
  expect(strays).toEqual([])
})

test('T6 no call takes a field that its body does not name', () => {
  const open = calls.filter(
    ({ body }) => body && objectsIn(body).some((schema) => schema.additionalProperties !== false),
  )

  expect(calls.filter(({ body }) => body).length).toBeGreaterThan(8)
  expect(open.map(({ name }) => name)).toEqual([])
})

test('T5 an API route without a policy does not boot', async () => {
  const app = Fastify()
  guardRoutes(app, async () => undefined)

  expect(() => app.get('/api/open', async () => 'x')).toThrow('GET /api/open has no policy')
  expect(() => app.get('/health/open', async () => 'x')).not.toThrow()
})

test.for([
  ['no token', () => undefined],
  ['an empty header', () => ''],
  ['garbage', () => 'Bearer garbage'],
  ['a token that nobody has', () => `Bearer ${newToken()}`],
  ['a token without its type', (token: string) => token],
  ['another type', (token: string) => `Basic ${token}`],
  ['a token and a bit', (token: string) => `Bearer ${token}x`],
  ['a token in other letters', (token: string) => `Bearer ${token.toUpperCase()}`],
] as const)('SESSION-20 T2 with %s every call but the public ones is 401', async ([, header], { server }) => {
  const { token } = await server.as(await server.given.warden(await server.given.organisation()))

  expect(await exceptions(signedIn, '401 not_signed_in', (call) => ask(server, call, header(token)))).toEqual([])
})

test.for([
  ['expired', { expiresAt: new Date(Date.now() - 1) }],
  ['revoked', { revokedAt: new Date() }],
] as const)('SESSION-20 T2 with a token that is %s every call is 401, on duty or not', async ([, over], { server }) => {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org, { role: 'Chief Warden' })
  await server.runningEvent(org)
  await server.onDuty(warden)
  const { token } = await server.as(warden, over)

  expect(await exceptions(signedIn, '401 not_signed_in', (call) => ask(server, call, `Bearer ${token}`))).toEqual([])
})

test('T12 the real-time token opens no call', async ({ server }) => {
  const { manager } = await server.runningEvent(await server.given.organisation())
  const { token } = await manager(getChannelToken, {})

  expect(await exceptions(signedIn, '401 not_signed_in', (call) => ask(server, call, `Bearer ${token}`))).toEqual([])
})

test('API-69 T5 each call is 403 for a role that has every flag but its own', async ({ server }) => {
  const org = await server.given.organisation()
  await server.runningEvent(org)
  const tokens = new Map<ModuleFlag, string>()
  for (const flag of moduleFlags) {
    const modules = moduleFlags.filter((other) => other !== flag)
    const call = await server.onDuty(await server.given.warden(org, { modules }))
    tokens.set(flag, `Bearer ${call.token}`)
  }

  const asked = (call: NamedCall) => ask(server, call, tokens.get(flagOf(call) as ModuleFlag))
  expect(await exceptions(flagged, '403 forbidden', asked)).toEqual([])
})

test('API-69 T5 with its flag alone no call is 401 or 403', async ({ server }) => {
  const org = await server.given.organisation()
  const wardens = new Map<string, Awaited<ReturnType<TestServer['given']['warden']>>>()
  for (const flag of moduleFlags) wardens.set(flag, await server.given.warden(org, { modules: [flag] }))
  await server.runningEvent(org)

  for (const call of flagged) {
    const { token } = await server.onDuty(wardens.get(flagOf(call) as string) as never)
    expect(`${call.name}: ${await ask(server, call, `Bearer ${token}`)}`).not.toMatch(/: (401|403|5\d\d) /)
  }
})

test('AUTH-05 without an event each duty call is no_event', async ({ server }) => {
  const warden = await server.given.warden(await server.given.organisation(), { role: 'Chief Warden' })
  const { token } = await server.as(warden)

  expect(await exceptions(onDuty, '409 no_event', (call) => ask(server, call, `Bearer ${token}`))).toEqual([])
})

test('AUTH-05 who is not on duty gets not_on_duty from each duty call', async ({ server }) => {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org, { role: 'Chief Warden' })
  await server.runningEvent(org)
  const { token } = await server.as(warden)

  expect(await exceptions(onDuty, '409 not_on_duty', (call) => ask(server, call, `Bearer ${token}`))).toEqual([])
})

test.for(['account', 'person', 'client'] as const)(
  'T2 whose %s was switched off gets 401 from each call',
  async (table, { server }) => {
    const org = await server.given.organisation()
    const warden = await server.given.warden(org, { role: 'Chief Warden' })
    await server.runningEvent(org)
    const { token } = await server.onDuty(warden)
    const uid = { account: warden.accountUid, person: warden.personUid, client: warden.clientUid }[table]
    await server.db.updateTable(table).set({ active: false }).where('uid', '=', uid).execute()

    expect(await exceptions(signedIn, '401 not_signed_in', (call) => ask(server, call, `Bearer ${token}`))).toEqual([])
  },
)

interface AnySchema {
  type?: string
  anyOf?: AnySchema[]
  items?: AnySchema
  properties?: Record<string, AnySchema>
  additionalProperties?: boolean
}

/** Every object schema within a schema, itself included. */
function objectsIn(schema: AnySchema): AnySchema[] {
  const inside = [
    ...(schema.anyOf ?? []),
    ...Object.values(schema.properties ?? {}),
    ...(schema.items ? [schema.items] : []),
  ]
  return [...(schema.type === 'object' ? [schema] : []), ...inside.flatMap(objectsIn)]
}
