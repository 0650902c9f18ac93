import { expect } from 'vitest'
import { updateAssignmentStatus } from '#features/assignments/calls/assignments.ts'
import { setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import { endInput, startInput } from '#server/testing/event-input.ts'
import { test } from '#server/testing/server-test.ts'
import { createEvent, endEvent } from '../calls/events.ts'
import { both, everyone, receivers, textsOf, twoTowers } from './event-texts.fixture.ts'

test('EVENT-24 what has not gone out when the event ends does not go out any more; the conclusion does', async ({
  server,
}) => {
  const { org, ofA, mute, inA, silent } = await twoTowers(server)
  const { eventUid, manager, chief } = await server.runningEvent(org, both)
  await textsOf(server, eventUid)
  const sent = server.db.updateTable('sms').set({ status: 'handed_over' }).where('eventUid', '=', eventUid)
  await sent.where('personUid', '=', inA).execute()

  await manager(endEvent, endInput(org, everyone))

  const texts = await textsOf(server, eventUid)
  const told = texts.map(({ personUid, kind, status }) => `${personUid} ${kind} ${status}`)
  expect(told).toContain(`${inA} event_message handed_over`)
  expect(told).toContain(`${ofA.personUid} warden_alert skipped`)
  const concluded = texts.filter(({ kind }) => kind === 'event_concluded')
  const everybody = [chief.personUid, ofA.personUid, mute.personUid, inA, silent]
  expect(receivers(texts, 'event_concluded')).toEqual(everybody.toSorted())
  const sendable = concluded.filter(({ toMobile }) => toMobile !== null)
  expect(new Set(sendable.map(({ status, body }) => `${status} ${body}`))).toEqual(
    new Set([`queued The event at ${org.siteName} has concluded`]),
  )
})

test('EVENT-24 a message that is not written yet when the event ends is written to no one', async ({ server }) => {
  const { org } = await twoTowers(server)
  const { eventUid, manager } = await server.runningEvent(org, everyone)

  await manager(endEvent, endInput(org))

  expect((await textsOf(server, eventUid)).filter(({ status }) => status === 'queued')).toEqual([])
})

test('EVENT-24 the end of an event leaves the texts of others alone, those that are not written yet among them', async ({
  server,
}) => {
  const { org } = await twoTowers(server)
  const elsewhere = async () => {
    const { siteUid, siteName, buildingUid, floorUid } = await server.given.site(org)
    const place = { ...org, siteUid, siteName, buildingUid, floorUid }
    const occupant = await server.given.occupant(place)
    return { occupant, ...(await server.runningEvent(place, everyone)) }
  }
  const written = await elsewhere()
  await textsOf(server, written.eventUid)
  const unwritten = await elsewhere()
  const { manager } = await server.runningEvent(org, everyone)

  await manager(endEvent, endInput(org))

  for (const { eventUid, occupant } of [written, unwritten])
    expect(await textsOf(server, eventUid)).toMatchObject([{ personUid: occupant, status: 'queued' }])
})

test('EVENT-61 what is unsent to a removed building is cancelled, the rest goes on', async ({ server }) => {
  const { org, inA, inB } = await twoTowers(server)
  const buildings = [org.buildingUid, org.otherBuildingUid]
  const { eventUid, manager } = await server.runningEvent(org, { ...everyone, buildings })
  await textsOf(server, eventUid)

  await manager(endEvent, endInput(org, { buildings: [org.otherBuildingUid] }))

  const told = (await textsOf(server, eventUid)).map((text) => `${text.personUid} ${text.status} ${text.reason}`)
  expect(told).toContain(`${inA} queued null`)
  expect(told).toContain(`${inB} skipped The building has left the event.`)
})

test('EVENT-61 what a removed building was sent already, or is just being sent, stays as it was, for those who look whom to call', async ({
  server,
}) => {
  const { org, inB } = await twoTowers(server)
  const inHand = await server.given.occupant(org, { floorUid: org.otherFloorUid })
  const buildings = [org.buildingUid, org.otherBuildingUid]
  const { eventUid, manager } = await server.runningEvent(org, { ...everyone, buildings })
  await textsOf(server, eventUid)
  await server.db.updateTable('sms').set({ status: 'delivered' }).where('personUid', '=', inB).execute()
  const claimedUntil = new Date(Date.now() + 10_000)
  await server.db.updateTable('sms').set({ claimedUntil }).where('personUid', '=', inHand).execute()

  await manager(endEvent, endInput(org, { buildings: [org.otherBuildingUid] }))

  const told = (await textsOf(server, eventUid)).map(({ personUid, status }) => `${personUid} ${status}`)
  expect(told).toEqual(expect.arrayContaining([`${inB} delivered`, `${inHand} queued`]))
})

test('EVENT-61 a building that leaves before its texts are written gets only the conclusion', async ({ server }) => {
  const { org, inA, inB } = await twoTowers(server)
  const buildings = [org.buildingUid, org.otherBuildingUid]
  const { eventUid, manager } = await server.runningEvent(org, { ...everyone, buildings })

  await manager(endEvent, endInput(org, { ...everyone, buildings: [org.otherBuildingUid] }))

  const told = (await textsOf(server, eventUid)).map(({ personUid, kind }) => `${personUid} ${kind}`)
  expect(told).toContain(`${inA} event_message`)
  expect(told).toContain(`${inB} event_concluded`)
  expect(told).not.toContain(`${inB} event_message`)
})

test('EVENT-24 EVENT-61 the conclusion to a building that left is not lost when the event ends right after', async ({
  server,
}) => {
  const { org, ofB, inB } = await twoTowers(server)
  const buildings = [org.buildingUid, org.otherBuildingUid]
  const { eventUid, manager } = await server.runningEvent(org, { buildings })
  await manager(endEvent, endInput(org, { ...everyone, buildings: [org.otherBuildingUid] }))

  await manager(endEvent, endInput(org))

  const told = (await textsOf(server, eventUid)).map(({ personUid, kind, status }) => `${personUid} ${kind} ${status}`)
  expect(told).toContain(`${inB} event_concluded queued`)
  expect(told).toContain(`${ofB.personUid} event_concluded queued`)
})

test('AMB-067 AMB-093 who became a warden, in danger or not, or ceased to be one, during the event is told of its end once', async ({
  server,
}) => {
  const { org, ofA } = await twoTowers(server)
  const ofB = { floorUid: org.otherFloorUid, deskFloorUid: org.floorUid }
  const [joining, hurt] = [await server.given.warden(org, ofB), await server.given.warden(org, ofB)]
  const { eventUid, manager } = await server.runningEvent(org)
  await manager(setPersonStatus, { body: { personId: hurt.personUid, status: 'danger', floorId: org.floorUid } })
  await manager(createEvent, startInput(org, { buildings: [org.otherBuildingUid] }))
  const withdrawal = { Assignment_Status: 'Withdrawn', Assignment_Declined_Note: 'Changed teams' } as const
  const body = { Warden_Assignment_UID: ofA.assignmentUid, ...withdrawal }
  await (await server.as(ofA))(updateAssignmentStatus, { body })

  await manager(endEvent, endInput(org, { ...everyone, buildings: [org.buildingUid, org.otherBuildingUid] }))

  const told = receivers(await textsOf(server, eventUid), 'event_concluded')
  for (const { personUid } of [joining, hurt, ofA]) expect(told.filter((each) => each === personUid)).toHaveLength(1)
})
