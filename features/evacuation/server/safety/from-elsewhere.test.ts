import { expect } from 'vitest'
import { endEvent } from '#features/events/calls/events.ts'
import { defaultFilters } from '#kernel/kinds.ts'
import { endInput } from '#server/testing/event-input.ts'
import { test } from '#server/testing/server-test.ts'
import { filterEvacuees, listAreaFloors } from '../../calls/safety.ts'

test('SAFE-34 AMB-095 AMB-120 an event manager whose building has left the event has all of it as their area', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const mia = await server.given.warden(org, {
    role: 'Building Warden',
    modules: ['Module_Event_Management', 'Module_Evacuee_Safety'],
    buildingUid: org.otherBuildingUid,
  })
  const [inA, inB] = [
    await server.given.occupant(org),
    await server.given.occupant(org, { floorUid: org.otherFloorUid }),
  ]
  const buildings = [org.buildingUid, org.otherBuildingUid]
  const { manager } = await server.runningEvent(org, { buildings })
  const call = await server.onDuty(mia)
  const mine = async () => {
    const { evacuees } = await call(filterEvacuees, { query: {}, body: defaultFilters })
    const { floors } = await call(listAreaFloors, { query: { area: 'my area' } })
    return [evacuees.map(({ id }) => id), floors.map(({ name }) => name)]
  }
  expect(await mine()).toEqual([[inB], ['Tower B']])

  await manager(endEvent, endInput(org, { buildings: [org.otherBuildingUid] }))

  expect(await mine()).toEqual([[inA], ['Tower A']])
})
