import { expect } from 'vitest'
import { endEvent } from '#features/events/calls/events.ts'
import type { PersonUid } from '#kernel/ids.ts'
import { endInput } from '#server/testing/event-input.ts'
import { wrongTallies } from '#server/testing/recount.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { startTestServer, type TestServer, withKey } from '#server/testing/test-server.ts'
import { setFloorStatus, setPersonStatus, toggleRefusal } from '../calls/evacuation.ts'

/** Wardens on duty in an event of both towers, with people on the first floor. */
async function inEvent(server: TestServer, { wardens, people }: { wardens: number; people: number }) {
  const org = await server.given.organisation()
  const made = await Promise.all(Array.from({ length: wardens }, () => server.given.warden(org)))
  const persons = await server.given.occupants(org, people)
  const both = { buildings: [org.buildingUid, org.otherBuildingUid] }
  const { eventUid, manager } = await server.runningEvent(org, both)
  const calls = await Promise.all(made.map((warden) => server.onDuty(warden)))
  const callOf = (nth: number) => calls[nth % calls.length] as (typeof calls)[number]
  const toggle = (nth: number, person = persons[nth % people] as PersonUid, key = withKey()) =>
    callOf(nth)(toggleRefusal, { body: { person, floorId: org.floorUid } }, key)
  const setFloor = (nth: number, floorId = org.floors[nth % 3] as (typeof org.floors)[0], key = withKey()) =>
    callOf(nth)(setFloorStatus, { body: { floorId, floorStatusId: org.statusUids[nth % 2] as never } }, key)
  return { org, persons, eventUid, manager, callOf, toggle, setFloor }
}

/** How many statements were made for how many records of a kind. */
async function sharing({ app }: TestServer, kind: string) {
  const { values } = await app.metrics.batchRecords.get()
  const sumOf = (end: string) =>
    values.find(({ metricName, labels }) => metricName?.endsWith(end) && labels.kind === kind)?.value
  return { statements: sumOf('_count'), records: sumOf('_sum') }
}

test('F35 FLOOR-50 forty refusals at once share few statements; each is answered, stored and journaled as if alone', async () => {
  await using server = await startTestServer()
  const { persons, eventUid, toggle } = await inEvent(server, { wardens: 20, people: 40 })

  const answers = await Promise.all(persons.map((_, i) => toggle(i)))

  expect(answers).toEqual(persons.map(() => ({ status: 'success', action: 'add' })))
  for (const person of persons) {
    expect(await server.evacueeOf(eventUid, person)).toMatchObject({ refused: true, status: 'unknown' })
    expect(await server.journalOf(person)).toMatchObject([
      { action: 'evacuee_refusal_set', before: { refused: false }, after: { refused: true } },
    ])
  }
  const { statements, records } = await sharing(server, 'toggle_refusal')
  expect(records).toBe(40)
  expect(statements).toBeLessThan(20)
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
})

test('F35 FLOOR-28 statuses of all floors at once share statements; those of one floor follow each other', async () => {
  await using server = await startTestServer()
  const { org, setFloor } = await inEvent(server, { wardens: 15, people: 1 })

  const answers = await Promise.all(Array.from({ length: 60 }, (_, i) => setFloor(i)))

  expect(answers).toEqual(Array(60).fill({ status: 'success', overruled: false }))
  for (const floor of org.floors) {
    const told = (await server.journalOf(floor)).map(({ before, after }) => [uidOf(before), uidOf(after)] as const)
    expect(told).toHaveLength(20)
    expect(told.slice(1).map(([before]) => before)).toEqual(told.slice(0, -1).map(([, after]) => after))
  }
  const { statements, records } = await sharing(server, 'floor_status')
  expect(records).toBe(60)
  expect(statements).toBeLessThan(50)
})

test('F35 F12 one key at once for two people or two floors: one is recorded, the other is a conflict', async ({
  server,
}) => {
  const { org, persons, toggle, setFloor } = await inEvent(server, { wardens: 1, people: 2 })
  const [one, other] = [withKey(), withKey()]

  const refusals = await refused(...persons.map((person, i) => toggle(i, person, one)))
  const floors = await refused(setFloor(1, org.floors[0], other), setFloor(1, org.floors[1], other))

  expect([refusals, floors].map((codes) => codes.toSorted())).toEqual(
    Array(2).fill(['answered', 'idempotency_conflict']),
  )
  const told = await Promise.all([...persons, ...org.floors].map((uid) => server.journalOf(uid)))
  expect(told.flat()).toHaveLength(2)
})

test('F7 I2 a floor status sent again after the event has ended still gets the first answer', async ({ server }) => {
  const { org, setFloor, manager } = await inEvent(server, { wardens: 1, people: 1 })
  const key = withKey()
  const first = await setFloor(1, org.floorUid, key)
  await manager(endEvent, endInput(org, { buildings: [org.buildingUid, org.otherBuildingUid] }))

  expect(await setFloor(1, org.floorUid, key)).toEqual(first)

  expect(await refused(setFloor(1, org.floorUid))).toEqual(['no_event'])
  expect(await server.journalOf(org.floorUid)).toHaveLength(1)
})

test('F35 a refusal that the database rejects fails alone; those of its statement are stored once', async ({
  server,
}) => {
  const { persons, toggle, eventUid, callOf, org } = await inEvent(server, { wardens: 12, people: 12 })
  const body = { personId: persons[3] as PersonUid, status: 'unknown', floorId: org.floors[2] }
  await callOf(3)(setPersonStatus, { body })
  await toggle(3)
  const wrong = server.db.updateTable('tally').set({ refusals: 0 }).where('eventUid', '=', eventUid)
  await wrong.where('placeUid', '=', org.floors[2]).execute()
  const row = await server.hold('evacuee', (await server.evacueeOf(eventUid, persons[0] as PersonUid))?.uid as string)
  const busy = toggle(0)
  await row.waiting(1)

  const others = persons.slice(1).map((_, i) => toggle(i + 1))
  await row.release()
  const codes = await refused(busy, ...others)

  expect(codes).toEqual(persons.map((_, i) => (i === 3 ? 'server_error' : 'answered')))
  const flags = await Promise.all(persons.map((person) => server.evacueeOf(eventUid, person)))
  expect(flags.map((row) => row?.refused)).toEqual(persons.map(() => true))
})

const uidOf = (value: unknown) => (value as { floor_status_uid: string }).floor_status_uid
