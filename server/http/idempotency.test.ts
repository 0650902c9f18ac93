import { expect } from 'vitest'
import { reportIn, reportNotAvailable } from '#features/duty/calls/report-in.ts'
import {
  changeBuilding,
  type FloorData,
  getFloorData,
  setFloorStatus,
  setPersonStatus,
  toggleRefusal,
} from '#features/evacuation/calls/evacuation.ts'
import { setStatusOnFloor } from '#features/evacuation/calls/floor-overview.ts'
import { setEvacueeStatus } from '#features/evacuation/calls/safety.ts'
import { createEvent, endEvent } from '#features/events/calls/events.ts'
import { endInput, startInput } from '../testing/event-input.ts'
import { refused } from '../testing/refused.ts'
import { test } from '../testing/server-test.ts'
import { type TestServer, withKey } from '../testing/test-server.ts'

async function onFloor(server: TestServer) {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  const person = await server.given.occupant(org)
  const { eventUid, manager } = await server.runningEvent(org, { buildings: [org.buildingUid, org.otherBuildingUid] })
  const call = await server.onDuty(warden)
  const told = async () => (await server.journalOf(person)).length
  return { org, warden, person, eventUid, manager, call, told }
}

test('F12 I2 the same status with the same key is recorded once and gets the same answer', async ({ server }) => {
  const { org, call, person, told } = await onFloor(server)
  const key = withKey()
  const record = () =>
    call(setPersonStatus, { body: { personId: person, status: 'danger on floor', floorId: org.floorUid } }, key)

  const first = await record()
  const again = await record()

  expect(first.person).toEqual({ id: person, status: 'danger', on_floor: true })
  expect(again).toEqual(first)
  expect(await told()).toBe(1)
})

test('F7 I2 a repeat changes nothing, even if others have changed the person meanwhile', async ({ server }) => {
  const { org, call, person, told, eventUid } = await onFloor(server)
  const key = withKey()
  const safe = { body: { personId: person, status: 'safe', floorId: org.floorUid } }
  const first = await call(setPersonStatus, safe, key)
  await call(setPersonStatus, { body: { ...safe.body, status: 'in danger' } }, withKey())

  expect(await call(setPersonStatus, safe, key)).toEqual(first)

  expect(await server.evacueeOf(eventUid, person)).toMatchObject({ status: 'danger' })
  expect(await told()).toBe(2)
})

test('F7 I2 a repeat after the person has left the event still gets the first answer', async ({ server }) => {
  const { org, call, manager, told } = await onFloor(server)
  const guest = await server.given.occupant(org, { floorUid: org.otherFloorUid })
  expect(await told()).toBe(0)
  const towerB = { buildings: [org.otherBuildingUid] }
  await manager(endEvent, endInput(org, towerB))
  await manager(createEvent, startInput(org, towerB))
  const key = withKey()
  const safe = { body: { personId: guest, status: 'safe', floorId: org.otherFloorUid } }
  const first = await call(setPersonStatus, safe, key)
  await manager(endEvent, endInput(org, towerB))

  expect(await call(setPersonStatus, safe, key)).toEqual(first)
  expect(await refused(call(setPersonStatus, safe, withKey()))).toEqual(['not_found'])
})

test('F7 I2 a repeat after the end of the event, or after going off duty, still gets the first answer', async ({
  server,
}) => {
  const { org, call, manager, person, told } = await onFloor(server)
  const keys = [withKey(), withKey(), withKey(), withKey()] as const
  const repeat = () =>
    Promise.all([
      call(setPersonStatus, { body: { personId: person, status: 'danger', floorId: org.floorUid } }, keys[0]),
      call(setStatusOnFloor, { body: { id: person, status: 'danger', floor: org.floorUid } }, keys[1]),
      call(setEvacueeStatus, { body: { evacueeId: person, status: 'danger' } }, keys[2]),
      call(toggleRefusal, { body: { person, floorId: org.floorUid } }, keys[3]),
    ])
  const first = await repeat()
  const entries = await told()
  const setOffDuty = server.db.updateTable('wardenSignIn').set({ onDuty: false, offDutyAt: new Date() })

  await setOffDuty.where('onDuty', '=', true).execute()
  expect(await repeat()).toEqual(first)
  await manager(endEvent, endInput(org, { buildings: [org.buildingUid, org.otherBuildingUid] }))
  expect(await repeat()).toEqual(first)

  expect(await told()).toBe(entries)
  const unheard = call(toggleRefusal, { body: { person, floorId: org.floorUid } }, withKey())
  expect(await refused(unheard)).toEqual(['no_event'])
})

test('F12 I2 twenty identical requests at once are recorded once and get the same answer', async ({ server }) => {
  const { org, call, person, told } = await onFloor(server)
  const [status, refusal] = [withKey(), withKey()]
  const safe = { body: { personId: person, status: 'safe on floor', floorId: org.floorUid } }

  const answers = await Promise.all(Array.from({ length: 20 }, () => call(setPersonStatus, safe, status)))
  const toggles = await Promise.all(
    Array.from({ length: 20 }, () => call(toggleRefusal, { body: { person, floorId: org.floorUid } }, refusal)),
  )

  expect(answers).toEqual(answers.map(() => answers[0]))
  expect(toggles).toEqual(toggles.map(() => ({ status: 'success', action: 'add' })))
  expect(await told()).toBe(2)
})

test('F12 every kind of write gets the same answer the second time, including snake_case and nulls', async ({
  server,
}) => {
  const { org, call, manager } = await onFloor(server)
  const deputy = await server.as(await server.given.warden(org, { role: 'Chief Warden' }))
  const twice = async <T>(write: (key: ReturnType<typeof withKey>) => Promise<T>) => {
    const key = withKey()
    return [await write(key), await write(key)] as const
  }

  const pairs = [
    await twice((key) => call(changeBuilding, { body: { building: org.buildingUid } }, key)),
    await twice((key) =>
      call(setFloorStatus, { body: { floorId: org.floorUid, floorStatusId: org.statusUids[1] } }, key),
    ),
    await twice((key) => call(reportIn, {}, key)),
    await twice((key) => call(reportNotAvailable, {}, key)),
    await twice((key) => deputy(createEvent, startInput(org), key)),
    await twice((key) => manager(endEvent, endInput(org), key)),
  ]

  for (const [first, again] of pairs) expect(again).toEqual(first)
  expect(pairs.map(([first]) => ('message' in first ? first.message : 'no message'))).toContain(
    `An event is already running at ${org.siteName}.`,
  )
})

test('F12 the same key with another body or for another call is idempotency_conflict and changes nothing', async ({
  server,
}) => {
  const { org, call, person, told } = await onFloor(server)
  const key = withKey()
  const body = { personId: person, status: 'safe', floorId: org.floorUid }
  await call(setPersonStatus, { body }, key)

  const codes = await refused(
    call(setPersonStatus, { body: { ...body, status: 'danger' } }, key),
    call(setPersonStatus, { body: { ...body, floorId: org.floors[1] } }, key),
    call(toggleRefusal, { body: { person, floorId: org.floorUid } }, key),
    call(setFloorStatus, { body: { floorId: org.floorUid, floorStatusId: org.statusUids[1] } }, key),
    call(reportIn, {}, key),
  )

  expect(codes).toEqual(Array(5).fill('idempotency_conflict'))
  expect(await told()).toBe(1)
  const data = (await call(getFloorData, {})) as FloorData
  expect(data).toMatchObject({ input: { status: org.statusUids[0] }, refusal_to_evacuate: 0 })
})

test('F12 a key of one person means nothing for another person', async ({ server }) => {
  const { org, call, person, told, eventUid } = await onFloor(server)
  const deputy = await server.given.warden(org, { role: 'Chief Warden' })
  const values = {
    clientUid: org.clientUid,
    eventUid,
    assignmentUid: deputy.assignmentUid,
    personUid: deputy.personUid,
  }
  await server.db.insertInto('wardenSignIn').values(values).execute()
  const other = await server.onDuty(deputy)
  const key = withKey()

  const first = await call(toggleRefusal, { body: { person, floorId: org.floorUid } }, key)
  const second = await other(toggleRefusal, { body: { person, floorId: org.floorUid } }, key)

  expect([first.action, second.action]).toEqual(['add', 'sub'])
  expect(await told()).toBe(2)
})

test('F12 a rejected write does not use up its key: it may be retried', async ({ server }) => {
  const { org, call, person, told } = await onFloor(server)
  const key = withKey()
  const elsewhere = (await server.given.site(org)).floorUid
  const write = (floorId: typeof elsewhere) =>
    refused(call(setPersonStatus, { body: { personId: person, status: 'safe', floorId } }, key))

  expect([await write(elsewhere), await write(org.floorUid)]).toEqual([['not_found'], ['answered']])
  expect(await told()).toBe(1)
})

test.for([
  ['empty', ''],
  ['longer than 200 characters', 'k'.repeat(201)],
] as const)('F12 a key that is %s is 422', async ([, key], { server }) => {
  const { org, call, person, told } = await onFloor(server)

  const codes = await refused(
    call(setPersonStatus, { body: { personId: person, status: 'safe', floorId: org.floorUid } }, withKey(key)),
    call(toggleRefusal, { body: { person, floorId: org.floorUid } }, withKey(key)),
  )

  expect(codes).toEqual(['invalid_request', 'invalid_request'])
  expect(await told()).toBe(0)
})
