import { expect } from 'vitest'
import type { GivenInput } from '#kernel/route.ts'
import { asAdministrator, givenAdministrator, givenGroup } from '#server/testing/administrators.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { downloadPeople, listPeople } from '../../calls/people.ts'

type Query = NonNullable<GivenInput<typeof listPeople>['query']>

/** Three people who stand in another order in each column, and an administrator without an address or a floor. */
async function threePeople(server: TestServer) {
  const org = await server.given.organisation()
  const admin = await givenAdministrator(server, org, { firstName: 'Zed', lastName: 'Zz' })
  const call = await asAdministrator(server, admin)
  const [low, high] = org.floors
  const made = [
    { code: 'A', firstName: 'Ann', lastName: 'Aa', primaryFloorUid: high, email: 'c@a.test', mobile: '61491000002' },
    { code: 'B', firstName: 'Ben', lastName: 'Bb', primaryFloorUid: low, email: 'a@a.test', mobile: '61491000003' },
    { code: 'C', firstName: 'Cy', lastName: 'Cc', primaryFloorUid: null, email: 'b@a.test', mobile: '61491000001' },
  ]
  const uids = []
  for (const person of made) {
    const values = { clientUid: org.clientUid, ...person } as never
    uids.push((await server.db.insertInto('person').values(values).returning('uid').executeTakeFirstOrThrow()).uid)
  }
  const names = async (query: Query) =>
    (await call(listPeople, { query })).rows.map(({ first_name }) => first_name).filter((name) => name !== 'Zed')
  return { org, call, names, uids: uids as [never, never, never] }
}

test('ORG-50 people are sorted by each column, upwards and downwards, and by name within', async ({ server }) => {
  const { org, names, uids } = await threePeople(server)
  await givenGroup(server, org, [uids[2], uids[0]])

  expect(await names({ sort: 'name' })).toEqual(['Ann', 'Ben', 'Cy'])
  expect(await names({ sort: '-name' })).toEqual(['Cy', 'Ben', 'Ann'])
  expect(await names({ sort: 'place' })).toEqual(['Cy', 'Ben', 'Ann'])
  expect(await names({ sort: '-place' })).toEqual(['Ann', 'Ben', 'Cy'])
  expect(await names({ sort: 'email' })).toEqual(['Ben', 'Cy', 'Ann'])
  expect(await names({ sort: '-mobile' })).toEqual(['Ben', 'Ann', 'Cy'])
  expect(await names({ sort: '-groups' })).toEqual(['Cy', 'Ann', 'Ben'])
  for (const sort of ['kind', 'wardens'] as const) expect(await names({ sort })).toEqual(['Ann', 'Ben', 'Cy'])
})

test('ORG-50 by sign-in who cannot stands first', async ({ server }) => {
  const { org, call } = await threePeople(server)
  const warden = await server.given.warden(org)
  await server.db
    .updateTable('account')
    .set({ passwordHash: null, mobile: null })
    .where('email', '=', warden.email)
    .execute()

  const { rows } = await call(listPeople, { query: { sort: 'sign_in' } })

  expect(rows[0]).toMatchObject({ uid: warden.personUid, sign_in: 'cannot' })
  expect(rows.map(({ sign_in }) => sign_in)).toEqual(['cannot', 'ready', 'none', 'none', 'none'])
})

test('ORG-50 ORG-30 pages of a sorted list lead there and back, and a key leads on in its own order only', async ({
  server,
}) => {
  const { org, call } = await threePeople(server)
  await server.given.occupants(org, 118, { prefix: 'Many' })
  const page = (query: Query) => call(listPeople, { query })
  const sort = '-place'

  const first = await page({ sort })
  const second = await page({ sort, after: first.more.after as string })
  const third = await page({ sort, after: second.more.after as string })
  const back = await page({ sort, before: third.more.before as string })

  const all = [first, second, third].flatMap(({ rows }) => rows.map(({ uid }) => uid))
  expect([all.length, new Set(all).size, third.more.after]).toEqual([122, 122, null])
  expect(back.rows).toEqual(second.rows)
  expect(third.rows.at(-1)?.place).toBeNull()
  expect(await refused(page({ sort: 'place', after: first.more.after as string }))).toEqual(['invalid_request'])
})

test('ORG-50 ORG-51 more than 10,000 people are sorted by name only, and are no file', async ({ server }) => {
  const { org, call, names } = await threePeople(server)
  await server.given.occupants(org, 10_001, { prefix: 'Many' })
  const sorted = (query: Query) => call(listPeople, { query }).catch((error) => error)

  expect(await sorted({ sort: 'email' })).toMatchObject({
    code: 'invalid_request',
    message: 'More than 10,000 people match. Choose filters to sort them by this column.',
    fields: ['sort'],
  })
  expect(await call(downloadPeople, { body: { columns: [] } }, withKey()).catch((error) => error)).toMatchObject({
    code: 'invalid_request',
    message: 'This list is too long for a file. Choose filters, or use Export everything.',
  })
  expect((await names({ sort: '-name' })).length).toBe(49)
  expect(await names({ sort: 'email', place: 'none' })).toEqual(['Cy'])
})

test('ORG-50 emails and mobiles are sent to who chose these columns', async ({ server }) => {
  const { call } = await threePeople(server)
  const ann = async (query: Query) => (await call(listPeople, { query: { ...query, q: 'Ann' } })).rows[0]

  expect(await ann({ contact: 'yes' })).toMatchObject({ email: 'c@a.test', mobile: '+61491000002' })
  expect(Object.keys((await ann({})) ?? {})).not.toContain('email')
})
