import { expect } from 'vitest'
import { claimFloor, giveBackFloor } from '#features/coverage/calls/coverage.ts'
import { forget } from '#features/operation/server/retention/retention.service.ts'
import { logout } from '#features/sign-in/calls/sign-in.ts'
import type { FloorUid, SignInUid } from '#kernel/ids.ts'
import { test } from '#server/testing/server-test.ts'
import { getRecord } from '../calls/records.ts'
import { coverageOf, takenUntil } from './floor-shifts.ts'
import { givenDrilled, writeRecords } from './records.fixture.ts'

const ada = 'ada' as SignInUid
const bob = 'bob' as SignInUid
const [ground, above] = ['ground', 'above'] as FloorUid[] as [FloorUid, FloorUid]
const ofGround = [{ signInUid: ada, isSiteWarden: false, floorUids: [ground] }]
const change = (signInUid: SignInUid, at: number, to: string | null = 'on_duty') => ({ signInUid, at, to })

test('COV-02 AAR-15 a floor that was taken is covered for as long as its claim stands', () => {
  const attendance = [change(ada, 10), change(bob, 20), change(bob, 80, 'off_duty'), change(bob, 90)]
  const taken = takenUntil(
    [
      { signInUid: ada, floorUid: above, from: 30, to: 50 },
      { signInUid: bob, floorUid: above, from: 60, to: null },
    ],
    attendance,
  )

  const { steps, changes, floors } = coverageOf([ground, above], ofGround, attendance, taken)

  // COV-13: it ends with the duty of its warden, and does not begin again
  expect(taken.map(({ to }) => to)).toEqual([50, 80])
  expect(steps).toEqual([
    ...[
      [10, 1],
      [30, 2],
      [50, 1],
      [60, 2],
      [80, 1],
    ],
  ])
  expect(changes.filter(({ placeUid }) => placeUid === above).map(({ seconds }) => seconds)).toEqual([30, 50, 60, 80])
  expect(floors.get(above)).toMatchObject({ firstCovered: 30, lastCovered: 80, wardens: new Set([ada, bob]) })
})

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
