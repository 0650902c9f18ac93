import { expect } from 'vitest'
import { changeRole, listRoles } from '#features/assignments/calls/wardens.ts'
import { retirePlace } from '#features/places/calls.ts'
import { givenConsole } from '#server/testing/console-organisation.ts'
import { eventsOf, isFreeMeanwhile } from '#server/testing/free-row.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { getCoverage } from '../../calls/coming-days.ts'

test('PPL-27 rows are floors, columns roles; names, numbers, and the building and site wardens of the day', async ({
  server,
}) => {
  const { org, call } = await givenConsole(server)
  const { given } = server
  await given.warden(org, { firstName: 'Ada' })
  await given.warden(org, { firstName: 'Ben' })
  await given.warden(org, { status: 'Offered' })
  await given.warden(org, { floorUid: org.floors[1], dateTo: '2021-12-31' })
  await given.warden(org, { role: 'Building Warden', firstName: 'Bea' })
  await given.warden(org, { role: 'Chief Warden', firstName: 'Cid' })

  const today = await call(getCoverage, { query: { site: org.siteUid } })
  const before = await call(getCoverage, { query: { site: org.siteUid, day: '2021-12-31' } })

  const [role] = today.roles
  expect(today.roles).toEqual([{ uid: role?.uid, name: 'Floor Warden' }])
  expect(today.floors.map(({ name }) => name)).toEqual(['Ground', 'Level 1', 'Level 2', 'Ground'])
  expect(today.floors[0]?.cells).toEqual([
    { role: role?.uid, accepted: [expect.stringMatching(/^Ada /), expect.stringMatching(/^Ben /)], offered: 1 },
  ])
  expect(today.floors[1]?.cells).toEqual([])
  expect(before.floors[1]?.cells).toHaveLength(1)
  expect(today.wardens).toEqual([
    { name: expect.stringMatching(/^Cid /), role: 'Chief Warden', building: null },
    { name: expect.stringMatching(/^Bea /), role: 'Building Warden', building: org.buildingUid },
  ])
})

test('PPL-27 14 days tell how many floors no one has accepted, from today at the site', async ({ server }) => {
  const { org, call } = await givenConsole(server)
  const { days: empty } = await call(getCoverage, { query: { site: org.siteUid } })
  const [today = '', tomorrow = ''] = empty.map(({ day }) => day)
  await server.given.warden(org, { dateFrom: tomorrow, dateTo: tomorrow })
  await server.given.warden(org, { floorUid: org.floors[1], status: 'Offered' })

  const { days, day } = await call(getCoverage, { query: { site: org.siteUid } })

  expect(day).toBe(today)
  expect(days).toHaveLength(14)
  expect(days.slice(0, 3).map(({ without }) => without)).toEqual([4, 3, 4])
})

test('PPL-22 PPL-27 a retired floor is in no coverage, and a building is asked for alone', async ({ server }) => {
  const { org, call, ofSite } = await givenConsole(server)
  await call(retirePlace, { params: { uid: org.floors[2] } })
  const away = await server.given.site(org)

  const { floors } = await call(getCoverage, { query: { site: org.siteUid } })
  const one = await call(getCoverage, { query: { site: org.siteUid, building: org.otherBuildingUid } })

  expect(floors.map(({ name }) => name)).toEqual(['Ground', 'Level 1', 'Ground'])
  expect([one.floors.length, one.days[0]?.without]).toEqual([1, 1])
  const ask = (await ofSite(away.siteUid))(getCoverage, { query: { site: org.siteUid } })
  expect(await refused(ask, call(getCoverage, { query: { site: org.siteUid, building: away.buildingUid } }))).toEqual([
    'not_found',
    'not_found',
  ])
})

test('PPL-27 over 500 floors the coverage is read building by building', async ({ server }) => {
  const { org, call } = await givenConsole(server)
  const rows = Array.from({ length: 497 }, (_, n) => ({
    clientUid: org.clientUid,
    buildingUid: org.buildingUid,
    code: `X${n}`,
    name: `Floor ${n}`,
    level: n + 3,
  }))
  await server.db.insertInto('floor').values(rows).execute()

  const { by_building, floors } = await call(getCoverage, { query: { site: org.siteUid } })
  const other = await call(getCoverage, { query: { site: org.siteUid, building: org.otherBuildingUid } })

  expect([by_building, floors.length, other.floors.length]).toEqual([true, 500, 1])
})

test('PPL-23 ORG-41 a role that loses its module waits for the end of an event before it keeps the posts', async ({
  server,
}) => {
  const { org, call } = await givenConsole(server)
  const { signInUid } = await server.runningEvent(org)
  await server.db.updateTable('wardenSignIn').set({ onDuty: false }).where('uid', '=', signInUid).execute()
  const role = (await call(listRoles, {})).rows.find(({ modules }) => modules.includes('Event_Management'))
  if (!role) throw new Error('No one manages events.')
  const { uid, version, name, domain } = role

  const isFree = await isFreeMeanwhile(server, {
    held: eventsOf(org.siteUid),
    row: ['warden_sign_in', signInUid],
    act: () =>
      refused(call(changeRole, { params: { uid }, body: { version, name, domain, modules: [], in_use: true } })),
  })

  expect(isFree).toBe(true)
})
