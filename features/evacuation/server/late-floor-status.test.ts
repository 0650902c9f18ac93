import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { createEvent, endEvent, makeEventLive } from '#features/events/calls/events.ts'
import { endInput, startInput } from '#server/testing/event-input.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { getFloorData, setFloorStatus, toggleRefusal } from '../calls/evacuation.ts'

/** Seconds ago by a phone whose clock is wrong by `clock` seconds. Sent `sentLate` seconds before it arrives. */
const seen = (ago: number, { clock = 0, sentLate = 0 } = {}) => {
  const at = (seconds: number) => new Date(Date.now() + (clock - seconds) * 1000).toISOString()
  return {
    headers: {
      'x-observed-at': at(ago + sentLate),
      'x-sent-at': at(sentLate),
      'idempotency-key': randomUUID(),
    },
  }
}

/** A drill that began an hour ago, with two wardens on duty on the first floor. */
async function onFloor(server: TestServer) {
  const org = await server.given.organisation()
  const [one, other] = [await server.given.warden(org), await server.given.warden(org)]
  const person = await server.given.occupant(org)
  const { eventUid, manager } = await server.runningEvent(org, { kind: 'drill' })
  const beganAt = new Date(Date.now() - 3_600_000)
  await server.db.updateTable('event').set({ beganAt }).where('uid', '=', eventUid).execute()
  const [call, colleague] = [await server.onDuty(one), await server.onDuty(other)]
  const set = (nth: 0 | 1, how: { headers?: Record<string, string> } = {}, by = call) =>
    by(setFloorStatus, { body: { floorId: org.floorUid, floorStatusId: org.statusUids[nth] } }, how)
  return {
    org,
    person,
    eventUid,
    manager,
    call,
    colleague,
    set,
    async stands() {
      const data = await call(getFloorData, {})
      return org.statusUids.findIndex((uid) => 'floors' in data && data.floors[0]?.status === uid)
    },
    told: async () => (await server.journalOf(org.floorUid)).filter(({ action }) => action === 'floor_status_set'),
  }
}
const secondsBetween = (from: Date | null | undefined, to: Date | undefined) =>
  ((to?.getTime() ?? 0) - (from?.getTime() ?? 0)) / 1000

test('AAR-44 the journal has when a floor status and a refusal were seen, whatever the clock of the phone says', async ({
  server,
}) => {
  const c = await onFloor(server)

  await c.set(1, seen(90, { clock: 7200 }))
  await c.call(toggleRefusal, { body: { person: c.person, floorId: c.org.floorUid } }, seen(300, { clock: -86_400 }))
  await c.call(toggleRefusal, { body: { person: c.person, floorId: c.org.floorUid } })

  const [status] = await c.told()
  expect(secondsBetween(status?.observedAt, status?.recordedAt)).toBeCloseTo(90, 0)
  const [refusal, takenBack] = await server.journalOf(c.person)
  expect(secondsBetween(refusal?.observedAt, refusal?.recordedAt)).toBeCloseTo(300, 0)
  expect(takenBack?.observedAt).toBeNull()
})

test('AAR-44 a floor status seen before the one that stands is journaled as overruled and changes nothing', async ({
  server,
}) => {
  const c = await onFloor(server)
  await c.set(1, seen(60), c.colleague)

  expect(await c.set(0, seen(120))).toEqual({ status: 'success', overruled: true })
  expect(await c.stands()).toBe(1)
  expect(await c.set(0, seen(30))).toEqual({ status: 'success', overruled: false })
  expect(await c.stands()).toBe(0)

  const [notStarted, evacuating] = c.org.statusUids
  expect((await c.told()).map(({ before, after }) => [before, after])).toEqual([
    [{ floor_status_uid: notStarted }, { floor_status_uid: evacuating }],
    [{ floor_status_uid: evacuating }, { floor_status_uid: notStarted, overruled: true }],
    [{ floor_status_uid: evacuating }, { floor_status_uid: notStarted }],
  ])
})

test('AAR-44 a repeat of an overruled status is answered alike and journaled once; without a time of sight it counts now', async ({
  server,
}) => {
  const c = await onFloor(server)
  await c.set(1)
  const late = seen(60)

  expect([await c.set(0, late), await c.set(0, late)]).toEqual(Array(2).fill({ status: 'success', overruled: true }))

  expect(await c.told()).toHaveLength(2)
  expect(await c.set(0)).toMatchObject({ overruled: false })
})

test('AAR-44 two statuses of one phone stand in the order of their taps, though the first request was slow', async ({
  server,
}) => {
  const c = await onFloor(server)

  // tapped 10 s ago and seven seconds on the way: the server takes it for seen 3 s ago
  await c.set(1, seen(3, { sentLate: 7 }))
  expect(await c.set(0, seen(5))).toMatchObject({ overruled: false })
  expect(await c.stands()).toBe(0)
  expect(await c.set(1, seen(5), c.colleague)).toMatchObject({ overruled: true })
})

test('AAR-44 what was seen before the event, or before a drill became live, is overruled', async ({ server }) => {
  const c = await onFloor(server)
  expect(await c.set(1, seen(7200))).toMatchObject({ overruled: true })
  expect(await c.set(1, seen(60))).toMatchObject({ overruled: false })

  await c.manager(makeEventLive, { body: { event: c.eventUid, message: 'THIS IS NOT A DRILL.' } })
  expect(await c.stands()).toBe(0)
  expect(await c.set(1, seen(30))).toMatchObject({ overruled: true })
  expect(await c.set(1)).toMatchObject({ overruled: false })
})

test('AAR-44 what was seen of a building before it came into the event again is overruled', async ({ server }) => {
  const c = await onFloor(server)
  const { org } = c
  const towerB = { buildings: [org.otherBuildingUid] }
  const ofTowerB = { body: { floorId: org.otherFloorUid, floorStatusId: org.statusUids[1] } }
  await c.manager(createEvent, startInput(org, towerB))
  expect(await c.call(setFloorStatus, ofTowerB, seen(120))).toMatchObject({ overruled: false })
  await c.manager(endEvent, endInput(org, towerB))
  await c.manager(createEvent, startInput(org, towerB))
  expect(await c.call(setFloorStatus, ofTowerB, seen(60))).toMatchObject({ overruled: true })
})

test('AAR-44 many at once: the newest sight of a floor stands, and the journal tells which were overruled', async ({
  server,
}) => {
  const c = await onFloor(server)
  const ages = Array.from({ length: 60 }, (_, n) => 100 + ((n * 37) % 60) * 50)

  const answers = await Promise.all(
    ages.map((ago, n) => c.set(ago === Math.min(...ages) ? 1 : 0, seen(ago), n % 2 ? c.call : c.colleague)),
  )

  expect(await c.stands()).toBe(1)
  const told = await c.told()
  expect(told).toHaveLength(60)
  const overruled = told.filter(({ after }) => (after as { overruled?: true }).overruled)
  expect(overruled).toHaveLength(answers.filter((answer) => answer.overruled).length)
  const counted = told.filter((entry) => !overruled.includes(entry)).map(({ observedAt }) => observedAt?.getTime() ?? 0)
  expect(counted).toEqual(counted.toSorted((a, b) => a - b))
})
