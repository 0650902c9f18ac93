import { sql } from 'kysely'
import { expect } from 'vitest'
import { givenGroup } from '../testing/administrators.ts'
import { test } from '../testing/server-test.ts'
import type { Administrator, Reach } from './administrator.ts'
import { mayUse, rightsOf } from './administrator.ts'
import { within } from './reach.ts'

test('ORG-10 each reach sees its own people, assignments, places and documents', async ({ server }) => {
  const { given, db } = server
  const org = await given.organisation()
  const { clientUid } = org
  const away = await given.site(org, { name: 'Away' })
  const here = await given.occupant(org, { firstName: 'Here' })
  const there = await given.occupant(away, { firstName: 'There' })
  const visitor = await given.visitor(org, { floorUid: null, firstName: 'Visitor' })
  const warden = await given.warden(org, { firstName: 'Warden' })
  const chief = await given.warden(away, { role: 'Chief Warden', firstName: 'Chief' })
  const groupUid = await givenGroup(server, org, [there, warden.personUid, chief.personUid])
  for (const [code, siteUid] of [
    ['HERE', org.siteUid],
    ['AWAY', away.siteUid],
  ] as const)
    await db.insertInto('document').values({ clientUid, code, name: code, url: 'https://a.test/', siteUid }).execute()

  const seenBy = async (reach: Reach) => {
    const is = within({ clientUid, reach })
    const names = async (query: ReturnType<typeof sql<{ name: string }>>) =>
      (await query.execute(db)).rows.map(({ name }) => name).sort()
    return {
      people: await names(
        sql`select first_name as name from person p where p.client_uid = ${clientUid} and ${is.person}`,
      ),
      assignments: await names(sql`select r.name from warden_assignment a
        join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
        where a.client_uid = ${clientUid} and ${is.assignment}`),
      sites: await names(sql`select st.name from site st where st.client_uid = ${clientUid} and ${is.site}`),
      buildings: (await names(sql`select b.name from building b where b.client_uid = ${clientUid} and ${is.building}`))
        .length,
      documents: await names(
        sql`select d.code as name from document d where d.client_uid = ${clientUid} and ${is.document}`,
      ),
    }
  }

  expect(visitor && here).toBeTruthy()
  expect(await seenBy({ kind: 'organisation' })).toEqual({
    people: ['Chief', 'Here', 'There', 'Visitor', 'Warden'],
    assignments: ['Chief Warden', 'Floor Warden'],
    sites: ['Away', org.siteName].sort(),
    buildings: 3,
    documents: ['AWAY', 'HERE'],
  })
  expect(await seenBy({ kind: 'site', siteUid: org.siteUid })).toEqual({
    people: ['Here', 'Visitor', 'Warden'],
    assignments: ['Floor Warden'],
    sites: [org.siteName],
    buildings: 2,
    documents: ['HERE'],
  })
  expect(await seenBy({ kind: 'group', groupUid })).toEqual({
    people: ['Chief', 'There', 'Warden'],
    assignments: ['Floor Warden'],
    sites: ['Away', org.siteName].sort(),
    buildings: 3,
    documents: [],
  })
})

test('ORG-10 the rights of a grant: plans need the mark, a group only reads places', () => {
  const uid = 'c0000000-0000-4000-8000-000000000000' as never
  const reaches: Reach[] = [{ kind: 'organisation' }, { kind: 'site', siteUid: uid }, { kind: 'group', groupUid: uid }]
  const rights = (reach: Reach, seesPlans = false) => rightsOf({ reach, seesPlans }).join(' ')

  expect(reaches.map((reach) => rights(reach))).toEqual([
    'people wardens places lists tables records organisation',
    'people wardens places lists tables records',
    'people wardens places tables',
  ])
  expect(reaches.map((reach) => rights(reach, true).includes('plans'))).toEqual([true, true, true])
  const places = reaches.map((reach) =>
    [true, false].map((isRead) => mayUse({ reach, seesPlans: false } as Administrator, 'places', isRead)),
  )
  expect(places).toEqual([
    [true, true],
    [true, true],
    [true, false],
  ])
})
