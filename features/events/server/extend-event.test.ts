import { sql } from 'kysely'
import { expect } from 'vitest'
import { setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import type { EventUid } from '#kernel/ids.ts'
import { endInput, startInput } from '#server/testing/event-input.ts'
import { wrongTallies } from '#server/testing/recount.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { createEvent, endEvent } from '../calls/events.ts'

/** An event in Tower A with a warden on duty and someone in danger; Tower B has both too, not yet in it. */
async function eventInTowerA(server: TestServer) {
  const org = await server.given.organisation()
  const [warden, ofB] = [
    await server.given.warden(org),
    await server.given.warden(org, { floorUid: org.otherFloorUid }),
  ]
  const [inA, inB] = [
    await server.given.occupant(org),
    await server.given.occupant(org, { floorUid: org.otherFloorUid }),
  ]
  const { eventUid, manager, chief } = await server.runningEvent(org)
  const call = await server.onDuty(warden)
  await call(setPersonStatus, { body: { personId: inA, status: 'danger', floorId: org.floorUid } })
  const add = () =>
    manager(createEvent, startInput(org, { buildings: [org.otherBuildingUid], message: 'Tower B too.' }))
  const remove = () => manager(endEvent, endInput(org, { buildings: [org.otherBuildingUid] }))
  return { org, warden, ofB, inA, inB, eventUid, manager, chief, add, remove }
}

test('EVENT-22 EVENT-43 an added building belongs to the event', async ({ server }) => {
  const { org, eventUid, add, chief } = await eventInTowerA(server)

  const reply = await add()

  expect(reply).toMatchObject({
    status: 'event_created',
    message: 'The building has successfully been added to the current event.',
    event: { id: eventUid, type: 'Fire' },
    on_duty: true,
  })
  expect(await activeBuildings(server, eventUid)).toEqual(new Set([org.buildingUid, org.otherBuildingUid]))
  expect((await server.journalOf(eventUid)).at(-1)).toMatchObject({
    action: 'buildings_added',
    actorPersonUid: chief.personUid,
    after: { buildings: [org.otherBuildingUid], message: 'Tower B too.' },
  })
})

test('EVENT-60 its wardens and evacuees join as unknown; those already there stay as they are', async ({ server }) => {
  const { warden, ofB, inA, inB, eventUid, add } = await eventInTowerA(server)
  const before = [await server.signInOf(eventUid, warden), await server.evacueeOf(eventUid, inA)]

  await add()

  expect([await server.signInOf(eventUid, warden), await server.evacueeOf(eventUid, inA)]).toEqual(before)
  expect(await server.signInOf(eventUid, ofB)).toMatchObject({ reportedIn: false, onDuty: false, closedAt: null })
  expect(await server.evacueeOf(eventUid, inB)).toMatchObject({ status: 'unknown', active: true })
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
})

test('EVENT-60 AMB-097 a building that was removed begins again as unknown', async ({ server }) => {
  const { org, warden, ofB, inB, eventUid, add, remove } = await eventInTowerA(server)
  await add()
  const call = await server.onDuty(ofB)
  await call(setPersonStatus, { body: { personId: inB, status: 'safe', floorId: org.otherFloorUid } })
  await remove()

  const reply = await add()

  expect(reply.status).toBe('event_created')
  expect(await server.signInOf(eventUid, ofB)).toMatchObject({
    reportedIn: false,
    onDuty: false,
    offDutyAt: null,
    closedAt: null,
  })
  expect(await server.evacueeOf(eventUid, inB)).toMatchObject({ status: 'unknown', active: true, statusAt: null })
  expect(await server.signInOf(eventUid, warden)).toMatchObject({ onDuty: true })
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
})

test('EVENT-58 AMB-085 an addition that names a building of the event changes nothing at all', async ({ server }) => {
  const { org, manager, eventUid } = await eventInTowerA(server)

  const reply = await manager(createEvent, startInput(org, { buildings: [org.buildingUid, org.otherBuildingUid] }))

  expect(reply.status).toBe('event_running')
  expect(await activeBuildings(server, eventUid)).toEqual(new Set([org.buildingUid]))
})

test('EVENT-22 a manager who is not on duty may add, and stays as they are', async ({ server }) => {
  const { org, eventUid } = await eventInTowerA(server)
  const deputy = await server.given.warden(org, { role: 'Chief Warden' })

  const reply = await (await server.as(deputy))(createEvent, startInput(org, { buildings: [org.otherBuildingUid] }))

  expect(reply).toMatchObject({ status: 'event_created', on_duty: false, WardenSignInUID: null })
  expect(await server.signInOf(eventUid, deputy)).toMatchObject({ onDuty: false, reportedIn: false })
})

test('EVENT-58 the database itself refuses a building in two active events', async ({ server }) => {
  const { org, eventUid } = await eventInTowerA(server)
  const { siteUid, buildingUid } = await server.given.site(org)
  const second = sql<{
    uid: string
  }>`insert into event (client_uid, site_uid, event_type_uid, message, broadcast, alert)
    values (${org.clientUid}, ${siteUid}, ${org.eventTypeUid}, 'x', false, false) returning uid`
  const [other] = (await second.execute(server.db)).rows
  const put = (event: string | undefined, building: string) =>
    sql`insert into event_building (client_uid, event_uid, building_uid) values (${org.clientUid}, ${event}, ${building})`.execute(
      server.db,
    )

  await put(eventUid, buildingUid)

  await expect(put(other?.uid, buildingUid)).rejects.toMatchObject({ constraint: 'event_building_one_active' })
  await expect(put(other?.uid, org.buildingUid)).rejects.toMatchObject({ constraint: 'event_building_one_active' })
  await expect(second.execute(server.db)).rejects.toMatchObject({ constraint: 'event_one_active' })
})

async function activeBuildings({ db }: TestServer, eventUid: EventUid) {
  const rows = db.selectFrom('eventBuilding').select('buildingUid').where('eventUid', '=', eventUid)
  return new Set((await rows.where('active', '=', true).execute()).map(({ buildingUid }) => buildingUid))
}
