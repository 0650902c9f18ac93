import { expect } from 'vitest'
import type { BuildingUid, FloorStatusUid, FloorUid } from '#kernel/ids.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { changeBuilding, type FloorData, getFloorData, setFloorStatus } from '../calls/evacuation.ts'

async function inBothTowers(server: TestServer) {
  const org = await server.given.organisation()
  const wardens = []
  for (let n = 0; n < 4; n++) wardens.push(await server.given.warden(org))
  await server.runningEvent(org, { buildings: [org.buildingUid, org.otherBuildingUid] })
  const calls = await Promise.all(wardens.map((warden) => server.onDuty(warden)))
  const [call] = calls as [(typeof calls)[number]]
  return { org, calls, call, data: async () => (await call(getFloorData, {})) as FloorData }
}

test('API-36 API-45 the product asks for the floors of the shown building only; everything else is the same', async ({
  server,
}) => {
  const { org, call, data } = await inBothTowers(server)
  const ofTowerA = { floors: 'building' } as const
  const whole = await data()
  const other = { building: org.otherBuildingUid }

  const own = (await call(getFloorData, { query: ofTowerA })) as FloorData
  const changed = await call(changeBuilding, { body: { ...other, ...ofTowerA } })
  const after = await data()

  const floorsOf = (all: FloorData, building: BuildingUid) => all.floors.filter((one) => one.building.id === building)
  expect(new Set(whole.floors.map(({ building }) => building.id)).size).toBe(2)
  expect(own).toEqual({ ...whole, floors: floorsOf(whole, org.buildingUid) })
  expect(changed).toEqual({ ...after, floors: floorsOf(after, org.otherBuildingUid) })
})

test('F35 among many reads that share their answer each shows the change that was answered before it', async ({
  server,
}) => {
  const { org, calls } = await inBothTowers(server)
  const phone = async (call: (typeof calls)[number], floorId: FloorUid) => {
    const shown: boolean[] = []
    for (let n = 0; n < 6; n++) {
      const floorStatusId = org.statusUids[(n + 1) % 2] as FloorStatusUid
      await call(setFloorStatus, { body: { floorId, floorStatusId } })
      const { floors } = (await call(getFloorData, {})) as FloorData
      shown.push(floors.find(({ id }) => id === floorId)?.status === floorStatusId)
    }
    return shown
  }

  const shown = await Promise.all(calls.slice(1).map((call, n) => phone(call, org.floors[n] as FloorUid)))

  expect(shown.flat()).toEqual(Array.from({ length: 18 }, () => true))
})
