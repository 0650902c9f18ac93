import { chooseBuilding, getBuildingStatus } from '@evac/contract/calls/attendance.ts'
import { retirePlace } from '@evac/contract/calls/console/places.ts'
import { listEventSites } from '@evac/contract/calls/events.ts'
import { expect } from 'vitest'
import { givenConsole } from '../../testing/console-organisation.ts'
import { refused } from '../../testing/refused.ts'
import { test } from '../../testing/server-test.ts'

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

test('PPL-21 PPL-02 who waits five seconds for the start or the end of an event is to try again', async ({
  server,
}) => {
  const { org, call } = await givenConsole(server)
  const held = await server.hold('site', org.siteUid, 'no key update')

  const outcomes = await refused(call(retirePlace, { params: { uid: org.floors[2] } }))
  await held.release()

  expect(outcomes).toEqual(['busy'])
})
