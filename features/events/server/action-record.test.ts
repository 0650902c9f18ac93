import { expect } from 'vitest'
import { setFloorStatus } from '#features/evacuation/calls/evacuation.ts'
import { listTimeline } from '#features/records/calls/records.ts'
import { givenDrilled, writeRecords } from '#features/records/server/records.fixture.ts'
import type { Action } from '#kernel/actions.ts'
import { test } from '#server/testing/server-test.ts'
import { withKey } from '#server/testing/test-server.ts'
import { changeAction } from '../calls/events.ts'
import { floorOf } from './actions.fixture.ts'

test('RESP-08 a record says to what the action changed, and a floor that was cleared before is done only once it is locked', async ({
  server,
}) => {
  const { org, manager, start, end, record, warden } = await givenDrilled(server)
  const eventUid = await start({ kind: 'live' })
  const ada = await warden()
  const [ground, level1] = org.floors
  await ada.clear(ground)
  await ada.clear(level1)
  const body = {
    event: eventUid,
    buildings: [org.buildingUid],
    message: 'Hide.',
    broadcastMessage: 'no',
    again: 'yes',
  } as const
  const change = async (action: Action, base: string | null) =>
    (await manager(changeAction, { body: { ...body, buildings: [org.buildingUid], action, base } }, withKey())).change
  const locked = await change('lockdown', null)
  const set = async (name: string) => {
    const { floor_status } = await floorOf(ada.call, ground)
    const floorStatusId = floor_status.find((one) => one.name === name)?.id as never
    await ada.call(setFloorStatus, { body: { floorId: ground, floorStatusId } })
  }
  await set('Locked')
  await change('release', locked)
  await set('Released')
  await end()
  await writeRecords(server)

  const written = await record(eventUid)
  const rows = 'record' in written && written.record ? written.record.floors.rows : []
  const clear = (name: string) => rows.find((row) => row.name === name)?.clear
  expect([clear('Ground'), clear('Level 1')]).toEqual([expect.any(Number), null])
  const timeline = await manager(listTimeline, { params: { eventUid }, query: {} } as never)
  expect(JSON.stringify(timeline)).toContain('Changed the action to Lockdown: “Hide.”')
})
