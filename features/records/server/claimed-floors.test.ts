import { expect } from 'vitest'
import { claimFloor, giveBackFloor } from '#features/coverage/calls/coverage.ts'
import { forget } from '#features/operation/server/retention/retention.service.ts'
import { logout } from '#features/sign-in/calls/sign-in.ts'
import type { FloorUid } from '#kernel/ids.ts'
import { test } from '#server/testing/server-test.ts'
import { getRecord } from '../calls/records.ts'
import { givenDrilled, writeRecords } from './records.fixture.ts'

test('COV-02 COV-13 AAR-42 the record says who took which floor from when to when, until its event is deleted', async ({
  server,
}) => {
  const { org, ada: warden, start, end, record, warden: onDuty, manager } = await givenDrilled(server)
  const [, level1, level2] = org.floors
  const eventUid = await start()
  const { call } = await onDuty()
  await call(claimFloor, { body: { floorId: level1 } })
  await call(giveBackFloor, { body: { floorId: level1 } })
  await call(claimFloor, { body: { floorId: level1 } })
  await call(claimFloor, { body: { floorId: level2 } })
  await call(logout, {})
  const again = await server.onDuty(warden)
  await again(claimFloor, { body: { floorId: level2 } })
  await end()
  await writeRecords(server)

  const { wardens, floors } = (await record(eventUid)).record ?? {}

  const by = { name: expect.stringMatching(/^Ada /), role: 'Floor Warden' }
  const told = wardens?.taken ?? []
  expect(told).toMatchObject([
    { floor: level1, name: 'Level 1', building_name: 'Tower A', by },
    { floor: level1, by },
    { floor: level2, by },
    { floor: level2, by, to: null },
  ])
  const times = told.slice(0, 3).flatMap(({ from, to }) => [from, to as number])
  expect(times).not.toContain(null)
  for (const { from, to } of told.slice(0, 3)) expect(to).toBeGreaterThan(from)
  expect(wardens?.never_covered).toBe(0)
  const rowOf = (floor: FloorUid) => floors?.rows.find(({ id }) => id === floor)
  expect(rowOf(level1)).toMatchObject({ wardens: 1, first_covered: told[0]?.from, last_covered: told[1]?.to })
  expect(rowOf(level2)).toMatchObject({ wardens: 1, first_covered: told[2]?.from, last_covered: null })

  await server.db
    .updateTable('event')
    .set({ endedAt: new Date(Date.now() - 400 * 86_400_000) })
    .where('uid', '=', eventUid)
    .execute()
  await forget(server.database.system, { messages: undefined, events: 365, audit: undefined, peeps: undefined })
  const reduced = await manager(getRecord, { params: { eventUid } })
  expect(reduced.record?.wardens.taken).toEqual([])
  expect(JSON.stringify(reduced)).not.toContain('Ada ')
})
