import { expect } from 'vitest'
import type { FloorStatusUid, FloorUid } from '#kernel/ids.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { getFloorData, setFloorStatus } from '../calls/evacuation.ts'

async function onFloor(server: TestServer) {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  const { eventUid } = await server.runningEvent(org)
  const call = await server.onDuty(warden)
  const set = (floorId: FloorUid, floorStatusId: FloorStatusUid) =>
    call(setFloorStatus, { body: { floorId, floorStatusId } })
  const told = async (floorUid: string) =>
    (await server.journalOf(floorUid)).map(({ action, before, after }) => ({ action, before, after }))
  return { org, warden, eventUid, call, set, told }
}

test('FLOOR-28 API-41 a floor status is set, with who did it, and the change stands in the journal', async ({
  server,
}) => {
  const { org, set, call, told, warden, eventUid } = await onFloor(server)
  const [notStarted, evacuating] = org.statusUids

  expect(await set(org.floors[1], evacuating)).toEqual({ status: 'success', overruled: false })

  const data = await call(getFloorData, {})
  expect('floors' in data && data.floors.map(({ status }) => status)).toEqual([notStarted, evacuating, notStarted])
  const row = server.db.selectFrom('eventFloor').selectAll().where('eventUid', '=', eventUid)
  expect(await row.where('floorUid', '=', org.floors[1]).executeTakeFirst()).toMatchObject({
    updatedByPersonUid: warden.personUid,
  })
  expect(await told(org.floors[1])).toEqual([
    {
      action: 'floor_status_set',
      before: { floor_status_uid: notStarted },
      after: { floor_status_uid: evacuating },
    },
  ])
})

test('AMB-111 a status out of use is turned down, unless the floor has it', async ({ server }) => {
  const { org, set, told } = await onFloor(server)
  const [, evacuating, retired] = org.statusUids
  await set(org.floorUid, evacuating)
  await server.db.updateTable('floorStatus').set({ inUse: false }).where('uid', '=', evacuating).execute()

  const codes = await refused(set(org.floorUid, retired), set(org.floors[1], evacuating), set(org.floorUid, evacuating))

  expect(codes).toEqual(['not_found', 'not_found', 'answered'])
  expect(await told(org.floors[1])).toEqual([])
})

test('T1 T2 floors and statuses that are not of this event are 404, and nothing changes', async ({ server }) => {
  const { org, set, told } = await onFloor(server)
  const other = await onFloor(server)
  const unknown = '00000000-0000-4000-8000-000000000000'
  const [, evacuating] = org.statusUids

  const codes = await refused(
    ...[org.otherFloorUid, other.org.floorUid, unknown as FloorUid].map((floor) => set(floor, evacuating)),
    ...[other.org.statusUids[1], unknown as FloorStatusUid].map((status) => set(org.floorUid, status)),
    set(other.org.floorUid, other.org.statusUids[1]),
  )

  expect(codes).toEqual(Array(6).fill('not_found'))
  expect([...(await told(org.floorUid)), ...(await told(other.org.floorUid))]).toEqual([])
})

test('API-41 forty changes of one floor at once: each builds on the one before', async ({ server }) => {
  const { org, set, told } = await onFloor(server)

  await Promise.all(Array.from({ length: 40 }, (_, i) => set(org.floorUid, org.statusUids[i % 2 === 0 ? 1 : 0])))

  const changes = await told(org.floorUid)
  const uidOf = (value: unknown) => (value as { floor_status_uid: string }).floor_status_uid
  expect(changes).toHaveLength(40)
  const chain = [org.statusUids[0], ...changes.map(({ after }) => uidOf(after))]
  expect(changes.map(({ before }) => uidOf(before))).toEqual(chain.slice(0, 40))
})
