import { sql } from 'kysely'
import { expect } from 'vitest'
import { createEvent, endEvent } from '#features/events/calls/events.ts'
import { endInput, startInput } from '#server/testing/event-input.ts'
import type { Place } from '#server/testing/given-places.ts'
import { wrongTallies } from '#server/testing/recount.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { getFloorData, setPersonStatus, toggleRefusal } from '../calls/evacuation.ts'

test('EVENT-51 AMB-105 staff of the buildings and visitors of today are to be accounted for', async ({ server }) => {
  const org = await server.given.organisation()
  const { given } = server
  const [ground, upper] = [await given.occupant(org), await given.occupant(org, { floorUid: org.floors[1] })]
  const [visitor, somewhere] = [await given.visitor(org), await given.visitor(org, { floorUid: null })]
  await given.occupant(org, { floorUid: org.otherFloorUid })
  await given.occupant(org, { active: false })
  await given.visitor(org, { visitDate: '2020-01-01' })
  await given.visitor(org, { visitDate: '2099-01-01' })
  await given.occupant(await given.site(org))

  const { eventUid } = await server.runningEvent(org)

  expect(await listed(server, eventUid)).toEqual({
    [ground]: 'unknown at Ground',
    [upper]: 'unknown at Level 1',
    [visitor]: 'unknown at Ground, visitor',
    [somewhere]: 'unknown at Tower A, visitor',
  })
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
  expect(await tallyOf(server, eventUid, org)).toEqual({ Ground: 2, 'Level 1': 1, 'Level 2': 0, 'Tower A': 1 })
})

test('FLOOR-49 wardens of the event are not in its evacuee list; wardens who are not in it are', async ({ server }) => {
  const org = await server.given.organisation()
  const { warden } = server.given
  await warden(org)
  const offered = await warden(org, { status: 'Offered' })
  const ofTowerB = await warden(org, { floorUid: org.otherFloorUid, deskFloorUid: org.floorUid })

  const { eventUid } = await server.runningEvent(org)

  expect(await listed(server, eventUid)).toEqual({
    [offered.personUid]: 'unknown at Ground',
    [ofTowerB.personUid]: 'unknown at Ground',
  })
})

test('FLOOR-49 EVENT-60 who becomes a warden by an addition leaves the list, and its counts', async ({ server }) => {
  const org = await server.given.organisation()
  const ofTowerB = await server.given.warden(org, { floorUid: org.otherFloorUid, deskFloorUid: org.floorUid })
  const { eventUid, manager } = await server.runningEvent(org)
  expect(await listed(server, eventUid)).toEqual({ [ofTowerB.personUid]: 'unknown at Ground' })

  await manager(createEvent, startInput(org, { buildings: [org.otherBuildingUid] }))

  expect(await listed(server, eventUid)).toEqual({})
  expect(await tallyOf(server, eventUid, org)).toMatchObject({ Ground: 0 })
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
})

test('EVENT-60 AMB-105 who becomes a warden by an addition and is in danger, or refuses to leave, stays in the list', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  const ofTowerB = (firstName: string) =>
    server.given.warden(org, { firstName, floorUid: org.otherFloorUid, deskFloorUid: org.floorUid })
  const [hurt, refusing, safe] = [await ofTowerB('Hurt'), await ofTowerB('Refusing'), await ofTowerB('Safe')]
  const { eventUid, manager } = await server.runningEvent(org)
  const call = await server.onDuty(warden)
  const seen = (personId: typeof hurt.personUid, status: string) =>
    call(setPersonStatus, { body: { personId, status, floorId: org.floorUid } })
  await seen(hurt.personUid, 'danger on floor')
  await seen(safe.personUid, 'safe')
  await call(toggleRefusal, { body: { person: refusing.personUid, floorId: org.floorUid } })

  await manager(createEvent, startInput(org, { buildings: [org.otherBuildingUid] }))

  expect(await call(getFloorData, {})).toMatchObject({
    refusal_to_evacuate: 1,
    persons: [
      { id: hurt.personUid, status: 'danger' },
      { id: refusing.personUid, status: 'unknown', reported: true },
    ],
  })
  for (const each of [hurt, refusing, safe])
    expect(await server.signInOf(eventUid, each)).toMatchObject({ closedAt: null })
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
})

test('FLOOR-49 EVENT-61 who is no longer a warden after a removal is accounted for at their own desk', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const ofTowerB = await server.given.warden(org, { floorUid: org.otherFloorUid, deskFloorUid: org.floorUid })
  const { eventUid, manager } = await server.runningEvent(org, { buildings: [org.buildingUid, org.otherBuildingUid] })
  expect(await listed(server, eventUid)).toEqual({})

  await manager(endEvent, endInput(org, { buildings: [org.otherBuildingUid] }))

  expect(await listed(server, eventUid)).toEqual({ [ofTowerB.personUid]: 'unknown at Ground' })
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
})

test('EVENT-51 the list is a snapshot of equal names too: no one is lost', async ({ server }) => {
  const org = await server.given.organisation()
  const twins = [
    await server.given.occupant(org, { firstName: 'Alex', lastName: 'Kim' }),
    await server.given.occupant(org, { firstName: 'Alex', lastName: 'Kim' }),
  ]

  const { eventUid } = await server.runningEvent(org)

  expect(new Set(Object.keys(await listed(server, eventUid)))).toEqual(new Set(twins))
})

/** Everyone in the list: status and place. */
async function listed({ db }: TestServer, eventUid: string): Promise<Record<string, string>> {
  const { rows } = await sql<{ personUid: string; told: string }>`
    select e.person_uid, e.status || ' at ' || coalesce(f.name, b.name) || case when e.visitor then ', visitor' else '' end as told
    from evacuee e join building b on b.uid = e.building_uid left join floor f on f.uid = e.floor_uid
    where e.event_uid = ${eventUid} and e.active`.execute(db)
  return Object.fromEntries(rows.map(({ personUid, told }) => [personUid, told]))
}

/** People counted per floor of the building, and in the building without a floor. */
async function tallyOf({ db }: TestServer, eventUid: string, { buildingUid }: Place): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string; people: number }>`
    select coalesce(f.name, b.name) as name, t.safe + t.unknown + t.danger as people
    from tally t join building b on b.uid = t.building_uid left join floor f on f.uid = t.place_uid
    where t.event_uid = ${eventUid} and t.building_uid = ${buildingUid}`.execute(db)
  return Object.fromEntries(rows.map(({ name, people }) => [name, people]))
}
