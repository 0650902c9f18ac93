import { sql } from 'kysely'
import { expect } from 'vitest'
import type { ClientUid, PersonUid } from '#kernel/ids.ts'
import type { GivenInput } from '#kernel/route.ts'
import { within } from '#server/administrators/reach.ts'
import { inClients } from '#server/platform/db/db.ts'
import { asAdministrator, givenAdministrator, givenGroup } from '#server/testing/administrators.ts'
import { refused } from '#server/testing/refused.ts'
import { rowsRead } from '#server/testing/rows-read.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { listPeople, listPeopleChoices } from '../calls/people.ts'
import { countPeople } from './people.queries.ts'

type Query = NonNullable<GivenInput<typeof listPeople>['query']>

/** An organisation with an administrator of everything, whose name is last of all. */
async function administered(server: TestServer) {
  const org = await server.given.organisation()
  const admin = await givenAdministrator(server, org, { firstName: 'Nora', lastName: 'Zz' })
  const call = await asAdministrator(server, admin)
  const page = (query: Query = {}) => call(listPeople, { query })
  const names = async (query: Query = {}) => (await page(query)).rows.map((row) => `${row.first_name} ${row.last_name}`)
  return { org, admin, call, page, names }
}

const insert = async (
  { db }: TestServer,
  clientUid: ClientUid,
  person: { code: string; firstName: string; lastName: string; email?: string; mobile?: string },
): Promise<PersonUid> =>
  (
    await db
      .insertInto('person')
      .values({ clientUid, ...person })
      .returning('uid')
      .executeTakeFirstOrThrow()
  ).uid

test('PPL-04 ORG-30 by last, then first name, accents and case aside, page by page there and back', async ({
  server,
}) => {
  const { org, page } = await administered(server)
  await server.given.occupants(org, 118, { prefix: 'Many' })
  for (const [code, lastName] of [
    ['M1', 'Émile'],
    ['M2', 'emil'],
    ['M3', 'Zola'],
  ] as const)
    await insert(server, org.clientUid, { code, firstName: 'A', lastName })

  const first = await page()
  const second = await page({ after: first.more.after as string })
  const third = await page({ after: second.more.after as string })
  const back = await page({ before: third.more.before as string })

  expect([first, second, third].map(({ rows }) => rows.length)).toEqual([50, 50, 22])
  expect([first.total, first.more.before, third.more.after]).toEqual([122, null, null])
  expect(third.rows.slice(-4).map(({ last_name }) => last_name)).toEqual(['emil', 'Émile', 'Zola', 'Zz'])
  expect(back.rows).toEqual(second.rows)
  expect((await page({ before: second.more.before as string })).rows).toEqual(first.rows)
  expect((await page({ before: second.more.before as string })).more.before).toBeNull()
})

test('ORG-30 a spoilt key, one of another organisation, and two at once are refused', async ({ server }) => {
  const { org, page } = await administered(server)
  const other = await administered(server)
  await server.given.occupants(org, 60)
  const after = (await page()).more.after as string
  const spoilt = ['x', 'A'.repeat(60), `${after.slice(0, -3)}AAA`, `${after}A`, after.slice(4)]

  expect(await refused(...spoilt.map((key) => page({ after: key })))).toEqual(spoilt.map(() => 'invalid_request'))
  expect(await refused(other.page({ after }), page({ after, before: after }))).toEqual([
    'invalid_request',
    'invalid_request',
  ])
})

test('PPL-05 the words stand in a name, or the text begins a code, an e-mail or a mobile, without case and accents', async ({
  server,
}) => {
  const { org, names, page } = await administered(server)
  const { clientUid } = org
  await insert(server, clientUid, { code: 'K-7', firstName: 'Zoë', lastName: 'Müller', email: 'zm@a.test' })
  await insert(server, clientUid, { code: 'K-8', firstName: 'Mulan', lastName: 'Zobel', mobile: '61491000001' })
  await insert(server, clientUid, { code: 'X%_', firstName: 'Ann', lastName: 'Mu' })

  expect(await names({ q: 'MULL' })).toEqual(['Zoë Müller'])
  expect(await names({ q: 'ller' })).toEqual(['Zoë Müller'])
  expect(await names({ q: ' zo  mul ' })).toEqual(['Zoë Müller', 'Mulan Zobel'])
  expect(await names({ q: 'zoe müller' })).toEqual(['Zoë Müller'])
  expect(await names({ q: 'k-' })).toEqual(['Zoë Müller', 'Mulan Zobel'])
  expect(await names({ q: 'ZM@a' })).toEqual(['Zoë Müller'])
  for (const q of ['0491 000', '+61 491 000 001', '61491000', '0491000001'])
    expect(await names({ q })).toEqual(['Mulan Zobel'])
  for (const q of ['04910', '%', '_', "'", 'zo x']) expect([q, await names({ q })]).toEqual([q, []])
  expect(await names({ q: 'x%_' })).toEqual(['Ann Mu'])
  expect((await page({ q: 'mul' })).total).toBe(2)
})

test('PPL-05 over 200 matches the search has no rows, and says how it stands', async ({ server }) => {
  const { org, page } = await administered(server)
  await server.given.occupants(org, 201, { prefix: 'Same' })

  expect(await page({ q: 'same' })).toMatchObject({ rows: [], total: 201, more: { before: null, after: null } })
  expect((await page({ q: 'same 00' })).total).toBe(101)
})

test('PPL-04 a person stands with place, kind, groups, roles and sign-in; the filters take each', async ({
  server,
}) => {
  const { org, names, page } = await administered(server)
  const { given, db } = server
  const { clientUid } = org
  const away = await given.site(org, { name: 'Away' })
  const here = await given.occupant(org, { firstName: 'Here', lastName: 'A' })
  await given.occupant(away, { firstName: 'There', lastName: 'B' })
  await given.visitor(org, { floorUid: null, firstName: 'Visitor' })
  await given.occupant(org, { firstName: 'Left', lastName: 'C', active: false })
  const nowhere = await insert(server, clientUid, { code: 'N', firstName: 'Nowhere', lastName: 'D' })
  const warden = await given.warden(org, { firstName: 'Warden' })
  const mute = await given.warden(org, { firstName: 'Mute' })
  await db.updateTable('person').set({ lastName: 'E' }).where('uid', '=', warden.personUid).execute()
  await db.updateTable('person').set({ lastName: 'F', accountUid: null }).where('uid', '=', mute.personUid).execute()
  const group = await givenGroup(server, org, [here, nowhere])

  expect((await page({ q: 'warden e' })).rows).toMatchObject([
    { active: true, kind: 'staff', roles: ['Floor Warden'], sign_in: 'ready', groups: [] },
  ])
  expect((await page({ q: 'here a' })).rows).toMatchObject([
    {
      place: expect.stringMatching(/^.+ - .+$/),
      groups: [expect.stringMatching(/^Group/)],
      roles: [],
      sign_in: 'none',
    },
  ])
  const everybody = ['Here A', 'There B', 'Nowhere D', 'Warden E', 'Mute F', 'Nora Zz']
  expect((await names()).filter((name) => !name.startsWith('Visitor'))).toEqual(everybody)
  expect(await names({ place: 'none' })).toEqual(['Nowhere D', 'Nora Zz'])
  expect(await names({ place: away.siteUid })).toEqual(['There B'])
  expect(await names({ place: away.buildingUid })).toEqual(['There B'])
  expect(await names({ place: away.floorUid })).toEqual(['There B'])
  expect(await names({ group })).toEqual(['Here A', 'Nowhere D'])
  expect(await names({ kind: 'visitor' })).toEqual([expect.stringMatching(/^Visitor/)])
  expect(await names({ state: 'inactive' })).toEqual(['Left C'])
  expect(await names({ wardens: 'yes' })).toEqual(['Warden E', 'Mute F'])
  expect(await names({ sign_in: 'cannot' })).toEqual(['Mute F'])
  expect(await names({ sign_in: 'cannot', q: 'here' })).toEqual([])
  const unreached = await names({ reach: 'cannot' })
  expect(unreached).not.toContain('Warden E')
  expect(unreached).toContain('Nowhere D')
})

test('PPL-04 PPL-02 the filter by a place counts whom it finds, and reads no one else', async ({ server }) => {
  const { org, admin } = await administered(server)
  await server.given.occupants(org, 5000)
  const [, , floorUid] = org.floors
  await server.given.occupants(org, 30, { floorUid })
  await server.given.visitor(org, { floorUid })
  await sql`analyze person`.execute(server.database.owner.db)
  const all = within({ ...admin, reach: { kind: 'organisation' } })

  const { count, read } = await inClients(server.app.db, [org.clientUid], async (tx) => {
    const before = await rowsRead(tx, 'person')
    return {
      count: await countPeople(tx, org.clientUid, all, { place: floorUid }),
      read: (await rowsRead(tx, 'person')) - before,
    }
  })

  expect(count).toBe(31)
  expect(read).toBeLessThan(200)
})

test('UX-82 PPL-04 buildings to choose from are listed as people count', async ({ server }) => {
  const { org, call } = await administered(server)
  for (const n of [10, 2, 1]) await server.given.building(org, { name: `Block ${n}`, floorNames: [] })

  const { buildings } = await call(listPeopleChoices, {})

  const blocks = buildings.map(({ name }) => name).filter((name) => name.startsWith('Block'))
  expect(blocks).toEqual(['Block 1', 'Block 2', 'Block 10'])
})

test('ORG-10 PPL-04 a site and a group see their own people, and choices within reach', async ({ server }) => {
  const { org } = await administered(server)
  const away = await server.given.site(org, { name: 'Away' })
  const here = await server.given.occupant(org, { firstName: 'Here', lastName: 'A' })
  await server.given.occupant(away, { firstName: 'There', lastName: 'B' })
  const groupUid = await givenGroup(server, org, [here])
  await givenGroup(server, org)
  const asked = async (over: Parameters<typeof givenAdministrator>[2]) => {
    const call = await asAdministrator(server, await givenAdministrator(server, org, over))
    const [{ rows, total }, { sites, groups }] = [await call(listPeople, {}), await call(listPeopleChoices, {})]
    const searched = (await call(listPeople, { query: { q: 'there' } })).total
    return {
      people: rows.map(({ first_name }) => first_name),
      total,
      searched,
      sites: sites.length,
      groups: groups.length,
    }
  }

  expect(await asked({ reach: 'site', siteUid: away.siteUid })).toEqual({
    people: ['There'],
    total: 1,
    searched: 1,
    sites: 1,
    groups: 2,
  })
  expect(await asked({ reach: 'group', groupUid })).toEqual({
    people: ['Here'],
    total: 1,
    searched: 0,
    sites: 2,
    groups: 1,
  })
})
