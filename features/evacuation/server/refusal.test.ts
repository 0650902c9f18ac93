import { expect } from 'vitest'
import type { FloorUid, PersonUid } from '#kernel/ids.ts'
import { wrongTallies } from '#server/testing/recount.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { getFloorData, setPersonStatus, toggleRefusal } from '../calls/evacuation.ts'

async function onFloor(server: TestServer) {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org, { firstName: 'Wanda' })
  const person = await server.given.occupant(org)
  const { eventUid } = await server.runningEvent(org)
  const call = await server.onDuty(warden)
  const toggle = () => call(toggleRefusal, { body: { person, floorId: org.floorUid } })
  return { org, warden, person, eventUid, call, toggle, read: () => server.evacueeOf(eventUid, person) }
}

test('FLOOR-15 FLOOR-41 FLOOR-50 API-43 a refusal is noted with time and name; flag, entry and count agree', async ({
  server,
}) => {
  const { call, toggle, person, eventUid } = await onFloor(server)

  const answer = await toggle()

  expect(answer).toEqual({ status: 'success', action: 'add' })
  const detail = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z Wanda \d+$/)
  expect(await call(getFloorData, {})).toMatchObject({
    refusal_to_evacuate: 1,
    persons: [{ id: person, reported: true, status: 'unknown', special: [{ name: 'refusal', state: true, detail }] }],
  })
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
})

test('FLOOR-25 FLOOR-50 a second press takes it back, detail and all', async ({ server }) => {
  const { call, toggle, person, read, eventUid } = await onFloor(server)
  await toggle()

  expect(await toggle()).toEqual({ status: 'success', action: 'sub' })

  expect(await call(getFloorData, {})).toMatchObject({
    refusal_to_evacuate: 0,
    persons: [{ reported: false, special: [] }],
  })
  expect(await read()).toMatchObject({ refused: false, refusalDetail: '' })
  expect((await server.journalOf(person)).map(({ before, after }) => [before, after])).toMatchObject([
    [{ refused: false }, { refused: true }],
    [{ refused: true }, { refused: false }],
  ])
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
})

test('FLOOR-50 the safety status stays, and the refusal goes along to another floor', async ({ server }) => {
  const { org, call, toggle, person, read, eventUid } = await onFloor(server)
  await call(setPersonStatus, { body: { personId: person, status: 'danger on floor', floorId: org.floorUid } })

  await toggle()
  expect(await read()).toMatchObject({ status: 'danger', onFloor: true, refused: true })
  await call(setPersonStatus, { body: { personId: person, status: 'safe', floorId: org.floors[2] } })

  expect(await read()).toMatchObject({ status: 'safe', refused: true, floorUid: org.floors[2] })
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
})

test('FLOOR-50 T2 people and floors outside the event are 404, and nothing changes', async ({ server }) => {
  const { org, call, person, read } = await onFloor(server)
  const other = await onFloor(server)
  const unknown = '00000000-0000-4000-8000-000000000000'
  const toggle = (uid: PersonUid, floorId: FloorUid) => call(toggleRefusal, { body: { person: uid, floorId } })

  const codes = await refused(
    toggle(other.person, org.floorUid),
    toggle(unknown as PersonUid, org.floorUid),
    toggle(person, org.otherFloorUid),
    toggle(person, other.org.floorUid),
    toggle(person, unknown as FloorUid),
  )

  expect(codes).toEqual(Array(5).fill('not_found'))
  expect([(await read())?.refused, (await other.read())?.refused]).toEqual([false, false])
  expect(await server.journalOf(person)).toEqual([])
})
