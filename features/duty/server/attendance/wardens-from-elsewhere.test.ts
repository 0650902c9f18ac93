import { expect } from 'vitest'
import type { BuildingUid } from '#kernel/ids.ts'
import type { AssignmentOver } from '#server/testing/given-wardens.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { groupsOf, onDutyOf, statusOf } from './wardens-on-duty.fixture.ts'

/** An event manager of Tower B, alone or with a floor, who works in Tower A. */
async function managerOfTowerB(server: TestServer, role: AssignmentOver['role']) {
  const org = await server.given.organisation()
  const mia = await server.given.warden(org, {
    firstName: 'Mia',
    role,
    modules: ['Module_Event_Management'],
    buildingUid: org.otherBuildingUid,
    floorUid: org.otherFloorUid,
    deskFloorUid: org.floorUid,
  })
  return { org, mia }
}
const nothing = { on_duty: 0, unknown: 0, not_available: 0, off_duty: 0 }

test.for(['Building Warden', 'Floor Warden'] as const)(
  'FWS-20 DUTY-16 AMB-095 AMB-105 an event manager (%s) of a building that is not in the event is counted by attendance',
  async (role, { server }) => {
    const { org, mia } = await managerOfTowerB(server, role)
    const { manager, eventUid } = await server.runningEvent(org)

    const { selected_building, buildings } = await statusOf(manager)
    const { roles } = await onDutyOf(manager)

    expect(await server.evacueeOf(eventUid, mia.personUid)).toBeUndefined()
    expect(groupsOf({ selected_building })).toMatchObject({ 'Tower A (whole building)': ['Chief', 'Mia'], Ground: [] })
    expect(selected_building.wardens).toEqual({ ...nothing, total: 2, on_duty: 1, unknown: 1 })
    expect(buildings.map(({ name, total }) => [name, total])).toEqual([
      ['Tower A', { ...nothing, on_duty: 1, unknown: 1 }],
    ])
    expect(roles.flatMap(({ wardens }) => wardens).find(({ id }) => id === mia.assignmentUid)).toMatchObject({
      status: 'Unknown',
      areas: [{ name: expect.stringContaining('Tower B') }],
    })
  },
)

test('FWS-20 AMB-095 once their building is in the event they are listed there alone', async ({ server }) => {
  const { org, mia } = await managerOfTowerB(server, 'Building Warden')
  const { manager } = await server.runningEvent(org, { buildings: [org.buildingUid, org.otherBuildingUid] })

  const [a, b] = [await onDutyOf(manager, org.buildingUid), await onDutyOf(manager, org.otherBuildingUid)]

  const idsOf = ({ roles }: typeof a) => roles.flatMap(({ wardens }) => wardens.map(({ id }) => id))
  expect(idsOf(a)).not.toContain(mia.assignmentUid)
  expect(idsOf(b)).toContain(mia.assignmentUid)
  expect(a.buildings.map(({ total }) => total)).toEqual([
    { ...nothing, on_duty: 1 },
    { ...nothing, on_duty: 1, unknown: 1 },
  ])
})

test('FWS-20 AMB-095 in an event of several other buildings they are counted in each, as wardens of the site are', async ({
  server,
}) => {
  const { org, mia } = await managerOfTowerB(server, 'Building Warden')
  const tower = { clientUid: org.clientUid, siteUid: org.siteUid, code: 'TC', name: 'Tower C' }
  const { uid } = await server.db.insertInto('building').values(tower).returning('uid').executeTakeFirstOrThrow()
  const towerC = uid as BuildingUid
  const { manager } = await server.runningEvent(org, { buildings: [org.buildingUid, towerC] })

  const answers = [await onDutyOf(manager, org.buildingUid), await onDutyOf(manager, towerC)]

  for (const { roles, buildings } of answers) {
    expect(roles.flatMap(({ wardens }) => wardens.map(({ id }) => id))).toContain(mia.assignmentUid)
    expect(buildings.map(({ total }) => total)).toEqual(Array(2).fill({ ...nothing, on_duty: 1, unknown: 1 }))
  }
})
