import { expect } from 'vitest'
import type { FloorUid, PersonUid } from '#kernel/ids.ts'
import { wrongTallies } from '#server/testing/recount.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { getFloorData, searchOccupants, setPersonStatus } from '../calls/evacuation.ts'

/** A warden on duty in both towers, and someone on the first floor. */
async function onFloor(server: TestServer) {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  const person = await server.given.occupant(org)
  const { eventUid, manager } = await server.runningEvent(org, { buildings: [org.buildingUid, org.otherBuildingUid] })
  const call = await server.onDuty(warden)
  const set = (status: string, floorId: FloorUid = org.floorUid, personId: PersonUid = person) =>
    call(setPersonStatus, { body: { personId, status, floorId } })
  return { org, warden, person, eventUid, manager, call, set, read: () => server.evacueeOf(eventUid, person) }
}

test.for([
  ['safe', 'safe', false],
  ['Safe', 'safe', false],
  ['SAFE ON FLOOR', 'safe', true],
  [' safe on floor ', 'safe', true],
  ['unknown', 'unknown', false],
  ['Unknown', 'unknown', false],
  ['danger', 'danger', false],
  ['in danger', 'danger', false],
  ['In Danger', 'danger', false],
  ['Danger on floor', 'danger', true],
] as const)('FLOOR-20 AMB-066 %s is read as %s', async ([spelling, status, onFloorNow], { server }) => {
  const { set, read, person, eventUid } = await onFloor(server)

  const answer = await set(spelling)

  expect(answer).toEqual({ status: 'success', person: { id: person, status, on_floor: onFloorNow }, superseded: false })
  expect(await read()).toMatchObject({ status, onFloor: onFloorNow })
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
})

test('FLOOR-17 API-42 who recorded it, when, and what it was before stand in database and journal', async ({
  server,
}) => {
  const { org, set, read, warden, person, eventUid } = await onFloor(server)

  await set('in danger')
  await set('safe on floor', org.floors[1])

  const signIn = await server.signInOf(eventUid, warden)
  const by = { actorPersonUid: warden.personUid, actorSignInUid: signIn?.uid, eventUid }
  expect(await read()).toMatchObject({ statusByPersonUid: warden.personUid, statusAt: expect.any(Date) })
  expect(await server.journalOf(person)).toMatchObject([
    {
      action: 'evacuee_status_set',
      ...by,
      before: { status: 'unknown', on_floor: false, floor_uid: org.floorUid },
      after: { status: 'danger', on_floor: false, floor_uid: org.floorUid, superseded: false },
    },
    {
      ...by,
      before: { status: 'danger', floor_uid: org.floorUid },
      after: { status: 'safe', on_floor: true, floor_uid: org.floors[1] },
    },
  ])
})

test('FLOOR-17 AMB-106 the place is where they were seen: another floor, another building; counts follow', async ({
  server,
}) => {
  const { org, set, read, eventUid } = await onFloor(server)
  const tallies = async () => {
    const rows = server.db.selectFrom('tally').selectAll().where('eventUid', '=', eventUid)
    return (await rows.execute()).filter((row) => row.safe + row.unknown + row.danger > 0)
  }

  await set('danger', org.floors[2])
  expect(await tallies()).toMatchObject([{ placeUid: org.floors[2], danger: 1, unknown: 0, safe: 0 }])
  await set('safe', org.otherFloorUid)
  expect(await tallies()).toMatchObject([{ placeUid: org.otherFloorUid, safe: 1, danger: 0, unknown: 0 }])

  expect(await read()).toMatchObject({
    buildingUid: org.otherBuildingUid,
    floorUid: org.otherFloorUid,
    homeBuildingUid: org.buildingUid,
    homeFloorUid: org.floorUid,
  })
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
})

test('FLOOR-17 a visitor without a floor gets one by being seen', async ({ server }) => {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  const visitor = await server.given.visitor(org, { floorUid: null })
  const { eventUid } = await server.runningEvent(org)
  const call = await server.onDuty(warden)
  const found = await call(searchOccupants, { params: { text: 'visitor' } })
  expect(found.persons).toMatchObject([{ id: visitor, location: 'Tower A', floor: null }])

  await call(setPersonStatus, { body: { personId: visitor, status: 'safe', floorId: org.floorUid } })

  expect(await call(getFloorData, {})).toMatchObject({
    persons: [{ id: visitor, visitor: true, location: 'Tower A - Ground', floor: org.floorUid }],
  })
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
})

test('AMB-115 any warden on duty may, on any floor of the event', async ({ server }) => {
  const org = await server.given.organisation()
  const ofTowerB = await server.given.warden(org, { floorUid: org.otherFloorUid })
  const person = await server.given.occupant(org)
  const { eventUid } = await server.runningEvent(org, { buildings: [org.buildingUid, org.otherBuildingUid] })
  const call = await server.onDuty(ofTowerB)

  await call(setPersonStatus, { body: { personId: person, status: 'safe', floorId: org.floors[2] } })

  expect(await server.evacueeOf(eventUid, person)).toMatchObject({
    status: 'safe',
    floorUid: org.floors[2],
    statusByPersonUid: ofTowerB.personUid,
  })
})

test('FLOOR-20 what is no status is 422, and changes nothing', async ({ server }) => {
  const { set, read, person } = await onFloor(server)

  const words = [
    '',
    ' ',
    'safe!',
    'dead',
    'safe on floor on floor',
    '__proto__',
    'constructor',
    'x'.repeat(21),
    'safe\u0000',
  ]
  const codes = await refused(...words.map((word) => set(word)))

  expect(codes).toEqual(words.map(() => 'invalid_request'))
  expect(await read()).toMatchObject({ status: 'unknown' })
  expect(await server.journalOf(person)).toEqual([])
})

test('AUTH-04 T1 T2 people and floors that are not of this event are 404, and nothing changes', async ({ server }) => {
  const { org, set, read, warden, person } = await onFloor(server)
  const other = await onFloor(server)
  const site = await server.given.site(org)
  const late = await server.given.occupant(org)
  const unknown = '00000000-0000-4000-8000-000000000000'

  const people = [other.person, late, warden.personUid, unknown as PersonUid]
  const floors = [other.org.floorUid, site.floorUid, unknown as FloorUid]
  const codes = await refused(
    ...people.map((uid) => set('safe', org.floorUid, uid)),
    ...floors.map((uid) => set('safe', uid)),
    set('safe', other.org.floorUid, other.person),
  )

  expect(codes).toEqual(Array(8).fill('not_found'))
  expect(await refused(set('safe', `urn:uuid:${org.floorUid}` as FloorUid))).toEqual(['invalid_request'])
  expect([(await read())?.status, (await other.read())?.status]).toEqual(['unknown', 'unknown'])
  expect([...(await server.journalOf(person)), ...(await server.journalOf(other.person))]).toEqual([])
})
