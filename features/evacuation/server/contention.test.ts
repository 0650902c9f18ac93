import { expect } from 'vitest'
import { endEvent } from '#features/events/calls/events.ts'
import type { FloorUid, PersonUid } from '#kernel/ids.ts'
import { endInput } from '#server/testing/event-input.ts'
import { wrongTallies } from '#server/testing/recount.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { setPersonStatus, toggleRefusal } from '../calls/evacuation.ts'

/** Two wardens on duty in an event of both towers, with people on the first floor. */
async function twoWardens(server: TestServer, people: number) {
  const org = await server.given.organisation()
  const [one, other] = [await server.given.warden(org), await server.given.warden(org)]
  const persons = await server.given.occupants(org, people)
  const both = { buildings: [org.buildingUid, org.otherBuildingUid] }
  const { eventUid, manager } = await server.runningEvent(org, both)
  const calls = [await server.onDuty(one), await server.onDuty(other)] as const
  return { org, persons, person: persons[0] as PersonUid, eventUid, manager, calls }
}

test('I5 F17 two wardens toggle one refusal two hundred times at once: the count is right, the journal holds all', async ({
  server,
}) => {
  const { org, person, eventUid, calls } = await twoWardens(server, 1)

  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, i) =>
      calls[i % 2 ? 0 : 1](toggleRefusal, { body: { person, floorId: org.floorUid } }, withKey()),
    ),
  )

  expect(answers.filter(({ action }) => action === 'add')).toHaveLength(100)
  expect(await server.evacueeOf(eventUid, person)).toMatchObject({ refused: false })
  const told = await server.journalOf(person)
  expect(told.map(({ after }) => (after as { refused: boolean }).refused)).toEqual(
    Array.from({ length: 200 }, (_, i) => i % 2 === 0),
  )
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
}, 30_000)

test('I5 F17 two wardens set one status two hundred times at once: the last one stands, the journal is a chain', async ({
  server,
}) => {
  const { org, person, eventUid, calls } = await twoWardens(server, 1)
  const words = ['safe', 'danger on floor', 'unknown', 'safe on floor', 'in danger']

  await Promise.all(
    Array.from({ length: 200 }, (_, i) =>
      calls[i % 2 ? 0 : 1](
        setPersonStatus,
        { body: { personId: person, status: words[i % 5] as string, floorId: org.floors[i % 3] as FloorUid } },
        withKey(),
      ),
    ),
  )

  const told = await server.journalOf(person)
  const after = told.map((entry) => pick(entry.after))
  expect(told).toHaveLength(200)
  expect(told.slice(1).map((entry) => pick(entry.before))).toEqual(after.slice(0, -1))
  const { status, onFloor, floorUid } = (await server.evacueeOf(eventUid, person)) ?? {}
  expect({ status, on_floor: onFloor, floor_uid: floorUid }).toEqual(after.at(-1))
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
}, 30_000)

test('I5 F17 fifty dangers seen one after the other are sent at once: the person is where the newest was seen', async ({
  server,
}) => {
  const { org, person, eventUid, calls } = await twoWardens(server, 1)
  const startedAt = new Date(Date.now() - 3_600_000)
  await server.db.updateTable('event').set({ startedAt, beganAt: startedAt }).where('uid', '=', eventUid).execute()
  const now = Date.now()
  const seen = (ago: number) => ({
    'x-observed-at': new Date(now - ago).toISOString(),
    'x-sent-at': new Date(now).toISOString(),
  })
  const places = [org.floors[0], org.floors[1], org.otherFloorUid]

  await Promise.all(
    Array.from({ length: 50 }, (_, i) => {
      const body = { personId: person, status: 'in danger', floorId: places[i % 3] as FloorUid }
      return calls[i % 2 ? 0 : 1](
        setPersonStatus,
        { body },
        { headers: { ...seen(60_000 + i * 30_000), ...withKey().headers } },
      )
    }),
  )

  expect(await server.evacueeOf(eventUid, person)).toMatchObject({ status: 'danger', floorUid: places[0] })
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
}, 30_000)

test('I5 fifty people moved one way and fifty the other way at once: no error, counts right', async ({ server }) => {
  const { org, persons, eventUid, calls } = await twoWardens(server, 100)
  const move = (person: PersonUid, tower: 'A' | 'B') => {
    const floorId = tower === 'A' ? org.floorUid : org.otherFloorUid
    return calls[0](setPersonStatus, { body: { personId: person, status: 'safe', floorId } }, withKey())
  }
  const [stay, go] = [persons.slice(0, 50), persons.slice(50)]
  await Promise.all(stay.map((person) => move(person, 'B')))

  for (let round = 0; round < 3; round++) {
    const [there, back] = round % 2 ? (['B', 'A'] as const) : (['A', 'B'] as const)
    const codes = await refused(...stay.flatMap((person, i) => [move(person, there), move(go[i] as PersonUid, back)]))
    expect(new Set(codes)).toEqual(new Set(['answered']))
  }

  const places = server.db.selectFrom('tally').select(['placeUid', 'safe']).where('eventUid', '=', eventUid)
  const counted = Object.fromEntries((await places.execute()).map(({ placeUid, safe }) => [placeUid, safe]))
  expect(counted).toMatchObject({ [org.floorUid]: 50, [org.otherFloorUid]: 50 })
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
}, 60_000)

test('EVENT-61 seen in a building that is leaving at that moment: not recorded there, no one lost', async ({
  server,
}) => {
  const { org, person, eventUid, manager, calls } = await twoWardens(server, 1)
  const hold = await server.hold('evacuee', (await server.evacueeOf(eventUid, person))?.uid as string)
  const move = refused(
    calls[0](setPersonStatus, { body: { personId: person, status: 'safe', floorId: org.otherFloorUid } }),
  )
  await hold.waiting(1)

  await manager(endEvent, endInput(org, { buildings: [org.otherBuildingUid] }))
  await hold.release()

  expect(await move).toEqual(['not_found'])
  const atHome = { active: true, buildingUid: org.buildingUid, floorUid: org.floorUid, status: 'unknown' }
  expect(await server.evacueeOf(eventUid, person)).toMatchObject(atHome)
  expect(await server.journalOf(person)).toEqual([])
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
})

test('EVENT-61 I5 moves against removals as they come: everyone in one list or out, counts right', async ({
  server,
}) => {
  for (let round = 0; round < 12; round++) {
    const { org, persons, eventUid, manager, calls } = await twoWardens(server, 20)
    const moves = persons.map((personId) =>
      calls[0](setPersonStatus, { body: { personId, status: 'danger', floorId: org.otherFloorUid } }),
    )

    const removal = manager(endEvent, endInput(org, { buildings: [org.otherBuildingUid] }))
    const codes = await refused(...moves)

    expect(await removal).toMatchObject({ scope: 'buildings' })
    expect(codes.filter((code) => code !== 'answered' && code !== 'not_found')).toEqual([])
    const listed = server.db.selectFrom('evacuee').select('uid').where('eventUid', '=', eventUid)
    const active = listed.where('active', '=', true).where('floorUid', '=', org.floorUid)
    expect(await active.execute()).toHaveLength(20)
    expect(await wrongTallies(server.db, eventUid)).toEqual([])
  }
}, 60_000)

function pick(value: unknown) {
  const { status, on_floor, floor_uid } = value as { status: string; on_floor: boolean; floor_uid: string }
  return { status, on_floor, floor_uid }
}
