import Fastify from 'fastify'
import { expect } from 'vitest'
import { guardRoutes } from '../../http/guard.ts'
import type { NamedCall } from '../../testing/contract-calls.ts'
import { test } from '../../testing/server-test.ts'
import { calls, signedInCalls } from './ask.fixture.ts'

const flagOf = ({ policy }: NamedCall) => (policy.access === 'public' ? undefined : policy.flag)
const flagged = signedInCalls.filter((call) => flagOf(call) !== undefined)
const onDuty = calls.filter(({ policy }) => policy.access === 'duty' && policy.withoutEvent === 'refuse')

/** Served under /api but not a call of the contract: files at signed addresses. */
const outside = ['GET /api/console/export/:uid/:nth', 'GET /api/documents/:uid', 'GET /api/exports/:uid']

test('AUTH-02 the contract has calls of every kind', () => {
  expect(signedInCalls.length).toBeGreaterThan(20)
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

const pathsOfThe = (documents: string, under = '/api') => documents.split(' ').map((path) => `${under}/${path}`)

test('API-67 the paths named in the specification exist', async () => {
  const served: string[] = calls.map(({ path }) => path)
  const named = pathsOfThe(
    'v2/event/create v2/event/end event/buildings v2/event/buildings event/building/change v2/warden/onduty building/evacuation/data v2/warden/send-report-in-links',
  )

  expect(named.filter((path) => !served.includes(path))).toEqual([])
  for (const start of pathsOfThe('floor/evacuation/ evacuee/safety/'))
    expect(served.filter((path) => path.startsWith(start)).length, start).toBeGreaterThan(2)
})

test('API-68 the messaging paths named in the specification exist', () => {
  const served: string[] = calls.map(({ path }) => path)
  const named = pathsOfThe(
    'data filter/data cspd/filter/data templates/data warden/data warden/send warden/poll warden/group/send evacuee/data evacuee/send evacuee/poll evacuee/group/data evacuee/group/send',
    '/api/message',
  )

  expect(named.filter((path) => !served.includes(path))).toEqual([])
})

/** Part 2 of the decisions, rows 1 to 21. The only addresses in tests: every other test calls through the contract. */
const ofSignIn = {
  login: 'POST /v2/auth/login',
  loginByMobile: 'POST /v2/auth/login-by-mobile',
  verifyLoginByMobile: 'POST /v2/auth/verify-login-by-mobile',
  verifyLoginReportIn: 'POST /v2/auth/verify-login-report-in',
  rejoin: 'POST /v2/auth/rejoin',
  getProfile: 'GET /user',
  logout: 'DELETE /auth/logout',
  listReportInCards: 'GET /warden/reportInCardJson',
  getReportInCardByLink: 'GET /v2/warden/singleReportInCardJson',
  getReportData: 'POST /reportin/index',
  getRole: 'GET /reportin/index',
  markOnDuty: 'POST /v2/warden/reportin',
  markNotAvailable: 'POST /v2/warden/reportna',
  reportIn: 'POST /warden/reportin',
  reportNotAvailable: 'POST /warden/reportna',
  logSignIn: 'POST /warden/signin',
  listAssignmentPeeps: 'GET /v2/warden/peep/:wardenAssignmentUID',
  updateAssignmentStatus: 'POST /v2/warden/updateAssignmentStatus',
  listDocuments: 'GET /v2/warden/documents',
  getChannels: 'GET /v2/warden/channels',
  getChannelToken: 'GET /v2/warden/channel-token',
  pollEvent: 'GET /v2/warden/eventpoll',
}

test('API-28 AMB-051 each sign-in and report-in call has the address given in the specification', () => {
  const served = calls
    .filter(({ name }) => Object.hasOwn(ofSignIn, name))
    .map(({ name, method, path }) => [name, `${method} ${path.replace('/api', '')}`])

  expect(Object.fromEntries(served)).toEqual(ofSignIn)
})

test('T6 no call accepts a field that its body does not name', () => {
  const open = calls.filter(
    ({ body }) => body && objectsIn(body).some((schema) => schema.additionalProperties !== false),
  )

  expect(calls.filter(({ body }) => body).length).toBeGreaterThan(8)
  expect(open.map(({ name }) => name)).toEqual([])
})

test('T5 an API route without a policy does not boot', async () => {
  const app = Fastify()
  const nobody = async () => undefined
  guardRoutes(app, nobody, nobody)

  expect(() => app.get('/api/open', async () => 'x')).toThrow('GET /api/open has no policy')
  expect(() => app.get('/health/open', async () => 'x')).not.toThrow()
})

interface AnySchema {
  type?: string
  anyOf?: AnySchema[]
  items?: AnySchema
  properties?: Record<string, AnySchema>
  additionalProperties?: boolean
}

/** All object schemas within a schema, including itself. */
function objectsIn(schema: AnySchema): AnySchema[] {
  const inside = [
    ...(schema.anyOf ?? []),
    ...Object.values(schema.properties ?? {}),
    ...(schema.items ? [schema.items] : []),
  ]
  return [...(schema.type === 'object' ? [schema] : []), ...inside.flatMap(objectsIn)]
}
