import { expect } from 'vitest'
import { listAdministrators } from '#features/administrators/calls/administrators.ts'
import { offerRole } from '#features/assignments/calls/wardens.ts'
import { chooseBuilding, getBuildingStatus } from '#features/duty/calls/attendance.ts'
import { listEventSites } from '#features/events/calls/events.ts'
import { listFloorChoices, listPeopleChoices } from '#features/people/calls/people.ts'
import { changePeople } from '#features/people/calls/people-bulk.ts'
import type { WardenRoleUid } from '#kernel/ids.ts'
import { givenConsole } from '#server/testing/console-organisation.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { retirePlace } from '../calls.ts'

test('PPL-22 a retired building and floor are in no event checklist, event and selector', async ({ server }) => {
  const { org, call } = await givenConsole(server)
  const chief = await server.as(await server.given.warden(org, { role: 'Chief Warden' }))
  const before = JSON.stringify(await chief(listEventSites, {}))
  await call(retirePlace, { params: { uid: org.otherBuildingUid } })
  await call(retirePlace, { params: { uid: org.floors[2] } })

  const after = JSON.stringify(await chief(listEventSites, {}))
  const { eventUid, manager } = await server.runningEvent(org)

  expect([before.includes('Tower B'), after.includes('Tower B'), after.includes('Tower A')]).toEqual([
    true,
    false,
    true,
  ])
  const floors = await server.db.selectFrom('eventFloor').select('floorUid').where('eventUid', '=', eventUid).execute()
  expect(floors.map(({ floorUid }) => floorUid).sort()).toEqual([org.floors[0], org.floors[1]].sort())
  await manager(chooseBuilding, { body: { buildingId: org.buildingUid } })
  const shown = JSON.stringify(await manager(getBuildingStatus, {}))
  expect([shown.includes('Level 1'), shown.includes('Level 2')]).toEqual([true, false])
})

test('PPL-22 a retired place is in no selector of the console, and no one is moved or offered there', async ({
  server,
}) => {
  const { org, call } = await givenConsole(server)
  const warden = await server.given.warden(org)
  const { roleUid } = await server.db
    .selectFrom('wardenAssignment')
    .select('roleUid')
    .where('uid', '=', warden.assignmentUid)
    .executeTakeFirstOrThrow()
  const old = await server.given.site(org, { name: 'Old Depot', buildingName: 'Shed' })
  const [, , retired] = org.floors
  const selectors = async () => [
    (await call(listPeopleChoices, {})).sites.map(({ name }) => name),
    (await call(listPeopleChoices, {})).buildings.map(({ name }) => name),
    (await call(listFloorChoices, { query: { building: org.buildingUid } })).map(({ name }) => name),
    (await call(listAdministrators, {})).sites.map(({ name }) => name),
  ]
  const before = await selectors()

  for (const uid of [org.otherBuildingUid, retired, ...old.floors, old.buildingUid, old.siteUid])
    await call(retirePlace, { params: { uid } })

  const gone = ['Tower B', 'Level 2', 'Old Depot', 'Shed']
  expect(before.flatMap((names) => names.filter((name) => gone.includes(name)))).toHaveLength(5)
  expect(await selectors()).toEqual(before.map((names) => names.filter((name) => !gone.includes(name))))
  const offer = { people: [warden.personUid], role: roleUid as WardenRoleUid, site: org.siteUid, places: [retired] }
  const days = { from: '2026-01-01', to: '2099-12-31', accepted: false, tell: false }
  const body = { people: [warden.personUid], act: 'move' as const, place: retired }
  expect(await refused(call(offerRole, { body: { ...offer, ...days } }), call(changePeople, { body }))).toEqual([
    'not_found',
    expect.stringMatching(/not_found|invalid_request/),
  ])
})

test('PPL-21 PPL-02 who waits five seconds for the start or the end of an event is to try again', async ({
  server,
}) => {
  const { org, call } = await givenConsole(server)
  const held = await server.hold('site', org.siteUid, 'no key update')

  const outcomes = await refused(call(retirePlace, { params: { uid: org.floors[2] } }))
  await held.release()

  expect(outcomes).toEqual(['busy'])
})
