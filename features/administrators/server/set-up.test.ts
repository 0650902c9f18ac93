import { expect, test } from 'vitest'
import { signInToConsole, startEnrolment } from '#features/sign-in/calls/console-sign-in.ts'
import type { GivenInput } from '#kernel/route.ts'
import { secrets, steppingClock } from '#server/testing/administrators.ts'
import { post } from '#server/testing/post.ts'
import { refused } from '#server/testing/refused.ts'
import { startTestServer, type TestServer } from '#server/testing/test-server.ts'
import { setUp } from '../calls/set-up.ts'
import { findSetUpLine } from './set-up.service.ts'

const appUrl = 'https://evac.school.test'
const lineOf = ({ db }: TestServer) => findSetUpLine(db, { key: secrets.setUp, appUrl })
const tokenOf = async (server: TestServer) => (await lineOf(server))?.split('#')[1] as string

type Body = GivenInput<typeof setUp>['body']
const school: Omit<Body, 'token'> = {
  organisation: { name: 'Harbour School', code: 'SCHOOL', country: 'NZ', timezone: 'Pacific/Auckland' },
  administrator: { first_name: 'Nora', last_name: 'Lind', email: 'nora@school.test', mobile: '021 123 4567' },
  password: 'nine lamps on the quay',
}
const make = (server: TestServer, token: string, over: Partial<Body> = {}) =>
  server.stranger(setUp, { body: { ...school, token, ...over } })

test('ORG-01 ORG-02 ORG-04 the printed address sets up an organisation with everything an event needs', async () => {
  await using server = await startTestServer()
  const { db } = server
  const line = await lineOf(server)

  const reply = await make(server, await tokenOf(server))

  expect(line).toMatch(/^No organisation yet\. Set up: https:\/\/evac\.school\.test\/console\/set-up#[\w-]{43}$/)
  expect(reply).toEqual({ ticket: expect.any(String), step: 'enrol' })
  const { ticket } = reply as { ticket: string }
  expect((await server.stranger(startEnrolment, { body: { ticket } })).uri).toContain('Harbour%20School')
  const [client] = await db.selectFrom('client').selectAll().execute()
  expect(client).toMatchObject({
    code: 'SCHOOL',
    country: 'NZ',
    timezone: 'Pacific/Auckland',
    contactEmail: 'nora@school.test',
  })
  const names = async (table: 'floorStatus' | 'wardenRole') =>
    (await db.selectFrom(table).select('name').execute()).map(({ name }) => name)
  expect(await names('floorStatus')).toEqual(['Not Started', 'Evacuating', 'Evacuated', 'Assistance Required'])
  expect(await names('wardenRole')).toHaveLength(8)
  expect((await db.selectFrom('eventType').select('type').execute()).length).toBe(5)
  expect(await db.selectFrom('person').select(['code', 'mobile', 'firstName']).execute()).toEqual([
    { code: 'P-000001', mobile: '64211234567', firstName: 'Nora' },
  ])
  expect(await db.selectFrom('administrator').select(['reach', 'seesPlans', 'grantedByPersonUid']).execute()).toEqual([
    { reach: 'organisation', seesPlans: true, grantedByPersonUid: null },
  ])
  // the second factor follows by the ticket of the set-up, or by a link
  expect(
    await refused(server.stranger(signInToConsole, { body: { name: 'nora@school.test', password: school.password } })),
  ).toEqual(['use_link'])
})

test('ORG-01 ORG-03 once there is an organisation nothing is printed, and the token opens nothing', async () => {
  await using server = await startTestServer()
  const token = await tokenOf(server)
  await make(server, token)

  const again = await post(server, setUp.path, { ...school, token })

  expect(await lineOf(server)).toBeUndefined()
  expect(again).toEqual({
    status: 409,
    body: { error: 'already_set_up', message: 'This installation is set up. Sign in instead.' },
  })
  expect(await refused(make(server, 'guessed'))).toEqual(['already_set_up'])
})

test('ORG-03 of eight set-ups at once one makes an organisation', async () => {
  await using server = await startTestServer()
  const token = await tokenOf(server)

  const outcomes = await refused(
    ...Array.from({ length: 8 }, (_, n) =>
      make(server, token, { organisation: { ...school.organisation, code: `S${n}` } }),
    ),
  )

  expect(outcomes.toSorted()).toEqual([...Array(7).fill('already_set_up'), 'answered'])
  expect(await server.db.selectFrom('client').select('uid').execute()).toHaveLength(1)
})

test('ORG-02 ORG-03 a wrong token makes nothing; ten of a network stop it for 15 minutes, others not', async () => {
  const clock = steppingClock()
  await using server = await startTestServer({ clock })
  await using other = await startTestServer()
  const token = await tokenOf(server)
  const [here, there] = ['203.0.113.1', '203.0.113.2']
  const ask = async (token: string, from: string) => (await post(server, setUp.path, { ...school, token }, from)).status
  const statuses: number[] = []
  for (let n = 0; n < 11; n++) statuses.push(await ask(n === 0 ? await tokenOf(other) : `${token}x`, here))

  expect(statuses).toEqual([...Array(10).fill(403), 429])
  expect(await server.db.selectFrom('client').select('uid').execute()).toEqual([])
  expect(await tokenOf(server)).toBe(token)
  expect(await ask(token, there)).toBe(200)
})

test.for([
  ['Email is not an email address', 'email', { administrator: { ...school.administrator, email: 'nora' } }],
  ['Email is empty', 'email', { administrator: { ...school.administrator, email: ' ' } }],
  [
    'Enter a first name or a last name.',
    'first_name',
    { administrator: { ...school.administrator, first_name: '', last_name: ' ' } },
  ],
  [
    'Time zone is not a time zone such as Australia/Sydney',
    'timezone',
    { organisation: { ...school.organisation, timezone: 'Mars/Base' } },
  ],
  ['Country is not one of AU, NZ, US, UK', 'country', { organisation: { ...school.organisation, country: 'XX' } }],
  ['Code is empty', 'code', { organisation: { ...school.organisation, code: '' } }],
] as const)('ORG-04 %s', async ([message, field, over]) => {
  await using server = await startTestServer()

  const { status, body } = await post(server, setUp.path, { ...school, ...over, token: await tokenOf(server) })

  const problems = expect.arrayContaining([{ field, row: 1, message }])
  expect({ status, body }).toEqual({
    status: 422,
    body: { error: 'invalid_request', message, fields: [field], problems },
  })
})

test('ORG-04 ORG-46 all that is wrong is told at once, and makes nothing', async () => {
  await using server = await startTestServer()
  const token = await tokenOf(server)
  const problemsOf = async (over: Partial<Body>) => {
    const { status, body } = await post(server, setUp.path, { ...school, ...over, token })
    return [status, ...body.problems.map(({ field, message }: Record<string, string>) => [field, message])]
  }

  expect(
    await problemsOf({
      organisation: { ...school.organisation, name: '' },
      administrator: { ...school.administrator, email: 'nora', mobile: '12' },
      password: 'short',
      again: 'shorter',
    }),
  ).toEqual([
    422,
    ['name', 'Name is empty'],
    ['email', 'Email is not an email address'],
    ['mobile', expect.stringMatching(/^Mobile /)],
    ['password', 'Password must be at least 15 characters long.'],
    ['again', 'The two passwords differ.'],
  ])
  expect(await problemsOf({ password: 'nora@school.test' })).toEqual([
    422,
    ['password', 'A name or an email alone is too easy to guess. Please choose another.'],
  ])
  expect(await problemsOf({ again: 'nine lamps on the key' })).toEqual([422, ['again', 'The two passwords differ.']])
  expect(await lineOf(server)).toContain(token)
})

test('RESP-12 set-up takes the event types of the kind of place beside the usual ones', async () => {
  await using server = await startTestServer()
  await make(server, await tokenOf(server), { set: 'school_us' })
  const rows = await server.db.selectFrom('eventType').select(['type', 'action']).orderBy('type').execute()
  expect(rows.filter(({ action }) => action !== 'evacuate').map(({ type, action }) => [type, action])).toEqual([
    ['Hold', 'hold'],
    ['Lockdown', 'lockdown'],
    ['Secure', 'secure'],
    ['Shelter', 'shelter'],
  ])
  expect(rows).toHaveLength(10)
})
