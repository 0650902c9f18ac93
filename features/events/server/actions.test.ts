import { expect } from 'vitest'
import { getBoard, getBoardPlaces } from '#features/board/calls/board.ts'
import { setFloorStatus } from '#features/evacuation/calls/evacuation.ts'
import { getFloorOverview } from '#features/evacuation/calls/floor-overview.ts'
import type { FirstAction } from '#kernel/actions.ts'
import { endInput, startInput } from '#server/testing/event-input.ts'
import type { Organisation } from '#server/testing/given-places.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { getBrief } from '../calls/brief.ts'
import { createEvent, endEvent, listEventSites } from '../calls/events.ts'
import { floorOf } from './actions.fixture.ts'

/** The second type of the organisation has this action. */
const typeWith = async ({ db }: TestServer, org: Organisation, action: FirstAction, actionWhere = '') => {
  await db.updateTable('eventType').set({ action, actionWhere }).where('uid', '=', org.otherEventTypeUid).execute()
  return org.otherEventTypeUid
}
/** Tower A under the action, with a warden on duty. */
async function running(server: TestServer, action: FirstAction, where?: string) {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org, { role: 'Chief Warden', firstName: 'Ada' })
  const eventType = await typeWith(server, org, action, 'the hall')
  const event = await server.runningEvent(org, { eventType, ...(where !== undefined && { where }) })
  return { org, call: await server.onDuty(warden), ...event }
}
const namesOf = (statuses: readonly { name: string }[]) => statuses.map(({ name }) => name)

test('RESP-01 under evacuate no reply says a word of actions, and floors have the statuses of the organisation', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const warden = await server.given.warden(org, { role: 'Chief Warden' })
  const { manager } = await server.runningEvent(org)
  const call = await server.onDuty(warden)

  const replies = [
    await manager(listEventSites, {}),
    await call(getBrief, {}),
    await call(getBoard, {}),
    await call(getBoardPlaces, {}),
    await floorOf(call),
  ]

  expect(JSON.stringify(replies)).not.toMatch(/"(action|action_from|action_before|actions|where|change)"/)
  const { floor_status } = await floorOf(call)
  expect(namesOf(floor_status)).toEqual(['Not Started', 'Evacuating'])
})

test('RESP-02 the first lockdown makes its floor statuses once; its floors begin there and offer no others', async ({
  server,
}) => {
  const { org, call, manager } = await running(server, 'lockdown')
  const { floor_status, floors } = await floorOf(call)
  expect(floor_status.map(({ name, label, means_clear }) => [name, label.colour, means_clear])).toEqual([
    ['Not locked', 'grey', false],
    ['Locked', 'green', true],
    ['Help needed', 'red', false],
  ])
  expect(new Set(floors.map(({ status }) => status))).toEqual(new Set([floor_status[0]?.id]))
  const set = (floorStatusId: string | undefined) =>
    call(setFloorStatus, { body: { floorId: org.floorUid, floorStatusId: floorStatusId as never } })
  await expect(set(org.statusUids[1])).rejects.toMatchObject({ code: 'not_found' })
  expect(await set(floor_status[1]?.id)).toMatchObject({ status: 'success' })

  await manager(endEvent, endInput(org))
  await manager(createEvent, startInput(org, { eventType: org.otherEventTypeUid }))
  const made = server.db.selectFrom('floorStatus').select('name').where('clientUid', '=', org.clientUid)
  expect((await made.where('action', 'is not', null).execute()).length).toBe(3)
})

test('RESP-02 buildings of two actions each offer their own statuses', async ({ server }) => {
  const { org, call, manager } = await running(server, 'shelter')
  await server.db.updateTable('eventType').set({ action: 'hold' }).where('uid', '=', org.otherEventTypeUid).execute()
  await manager(createEvent, startInput(org, { buildings: [org.otherBuildingUid], eventType: org.otherEventTypeUid }))

  const offered = async (floor: string) => namesOf((await floorOf(call, floor)).floor_status)
  expect(await offered(org.floorUid)).toEqual(['Not sheltered', 'Sheltered', 'Help needed'])
  expect(await offered(org.otherFloorUid)).toEqual(['Not in place', 'In place', 'Help needed'])
  expect(namesOf(Object(await call(getFloorOverview, {})).floor_status)).toHaveLength(6)
})

test('RESP-06 a start brings the action of its type; where to go is that of the type, or what the start says', async ({
  server,
}) => {
  const usual = await running(server, 'shelter')
  expect((await usual.call(getBrief, {})).actions).toEqual([
    {
      building: usual.org.buildingUid,
      name: 'Tower A',
      own: true,
      action: 'shelter',
      where: 'the hall',
      action_from: expect.any(String),
    },
  ])
  const said = await running(server, 'move', ' the oval ')
  expect((await said.call(getBrief, {})).actions).toMatchObject([{ action: 'move', where: 'the oval' }])
  const { sites, eventTypes } = (await said.manager(listEventSites, {})).data
  expect(sites[0]?.buildings).toMatchObject([{ action: 'move', where: 'the oval' }, { name: 'Tower B' }])
  expect(sites[0]?.buildings[1]).not.toHaveProperty('action')
  expect(eventTypes.find(({ id }) => id === said.org.otherEventTypeUid)).toMatchObject({
    action: 'move',
    where: 'the hall',
  })
  const [started] = (await server.journalOf(said.eventUid)).filter(({ action }) => action === 'event_started')
  expect(started?.after).toMatchObject({ action: 'move', where: 'the oval' })

  const none = await running(server, 'lockdown', 'the oval')
  expect((await none.call(getBrief, {})).actions?.[0]).not.toHaveProperty('where')
})

test('RESP-06 an added building takes the action of the type, also when it comes back', async ({ server }) => {
  const { org, call, manager } = await running(server, 'hold')
  const added = () =>
    manager(createEvent, startInput(org, { buildings: [org.otherBuildingUid], eventType: org.otherEventTypeUid }))
  await added()
  expect((await call(getBrief, {})).actions).toMatchObject([{ action: 'hold' }, { name: 'Tower B', action: 'hold' }])

  await manager(endEvent, endInput(org, { buildings: [org.otherBuildingUid] }))
  await typeWith(server, org, 'lockdown')
  await added()
  expect((await call(getBrief, {})).actions).toMatchObject([
    { action: 'hold' },
    { name: 'Tower B', action: 'lockdown' },
  ])
})

test('RESP-05 the phone of a warden is in the buildings of their area', async ({ server }) => {
  const { org, manager } = await running(server, 'lockdown')
  const other = await server.given.warden({ ...org, buildingUid: org.otherBuildingUid, floorUid: org.otherFloorUid })
  await manager(createEvent, startInput(org, { buildings: [org.otherBuildingUid], eventType: org.otherEventTypeUid }))
  const call = await server.onDuty(other)
  expect((await call(getBrief, {})).actions).toMatchObject([
    { name: 'Tower A', own: false },
    { name: 'Tower B', own: true },
  ])
})
