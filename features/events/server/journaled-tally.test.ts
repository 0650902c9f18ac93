import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { updateAssignmentStatus } from '#features/assignments/calls/assignments.ts'
import { setPersonStatus, toggleRefusal } from '#features/evacuation/calls/evacuation.ts'
import { setEvacueeStatus } from '#features/evacuation/calls/safety.ts'
import { recordAnswer } from '#features/evacuation/server/answered-status.queries.ts'
import { logout } from '#features/sign-in/calls/sign-in.ts'
import type { FloorUid, PersonUid } from '#kernel/ids.ts'
import { inClients } from '#server/platform/db/db.ts'
import { endInput, startInput } from '#server/testing/event-input.ts'
import type { Warden } from '#server/testing/given-wardens.ts'
import { wrongTallies } from '#server/testing/recount.ts'
import { refused } from '#server/testing/refused.ts'
import { replayedTally, storedTally } from '#server/testing/replayed-tally.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { createEvent, endEvent, makeEventLive } from '../calls/events.ts'

const answering = ({ assignmentUid }: Warden, status: 'Accepted' | 'Withdrawn') => ({
  body: {
    Warden_Assignment_UID: assignmentUid,
    Assignment_Status: status,
    ...(status === 'Withdrawn' && { Assignment_Declined_Note: 'Changed teams' }),
  },
})
const seen = (secondsAgo: number) => ({
  headers: {
    'x-observed-at': new Date(Date.now() - secondsAgo * 1000).toISOString(),
    'x-sent-at': new Date().toISOString(),
    'idempotency-key': randomUUID(),
  },
})

/** A drill in Tower A that began an hour ago: people on its floors, one of the building alone, one of Tower B's wardens. */
async function drill(server: TestServer, people = 4) {
  const { given, db } = server
  const org = await given.organisation()
  const wardens = [await given.warden(org), await given.warden(org)] as const
  const desk = { deskFloorUid: org.floors[2] }
  const [offered, ofTowerB] = [
    await given.warden(org, { status: 'Offered', ...desk }),
    await given.warden(org, { floorUid: org.otherFloorUid, ...desk }),
  ]
  const persons = await given.occupants(org, people)
  const visitor = await given.visitor(org, { floorUid: null })
  const { eventUid, manager } = await server.runningEvent(org, { kind: 'drill' })
  const beganAt = new Date(Date.now() - 3_600_000)
  await db.updateTable('event').set({ beganAt }).where('uid', '=', eventUid).execute()
  const calls = [await server.onDuty(wardens[0]), await server.onDuty(wardens[1])] as const
  const [call] = calls
  return {
    org,
    wardens,
    offered,
    persons,
    visitor,
    eventUid,
    manager,
    calls,
    record: (nth: number, status: string, floorId: FloorUid = org.floorUid, options = {}) =>
      call(setPersonStatus, { body: { personId: persons[nth] as PersonUid, status, floorId } }, options),
    refuse: (nth: number) =>
      call(toggleRefusal, { body: { person: persons[nth] as PersonUid, floorId: org.floorUid } }),
    /** The person answers a text. */
    async answer(nth: number, status: 'safe' | 'danger') {
      const evacueeUid = (await server.evacueeOf(eventUid, persons[nth] as PersonUid))?.uid as string
      const asked = { clientUid: org.clientUid, evacueeUid, status, askedAt: new Date(), messageId: 1 }
      return inClients(server.app.db, [org.clientUid], (tx) => recordAnswer(tx, asked))
    },
    addTowerB: () => manager(createEvent, startInput(org, { buildings: [org.otherBuildingUid] })),
    removeTowerB: () => manager(endEvent, endInput(org, { buildings: [org.otherBuildingUid] })),
    makeLive: () => manager(makeEventLive, { body: { event: eventUid, message: 'THIS IS NOT A DRILL.' } }),
    ofTowerB,
    calledBy: { offered: await server.as(offered), ofTowerB: await server.as(ofTowerB) },
    /** The journal alone gives the counts, and they are right. */
    async expectTold() {
      expect(await replayedTally(db, eventUid)).toEqual(await storedTally(db, eventUid))
      expect(await wrongTallies(db, eventUid)).toEqual([])
    },
  }
}

test('AAR-16 replayed step by step, the journal of a drill made live gives the counts of every place', async ({
  server,
}) => {
  const c = await drill(server)
  const { org, persons, record } = c
  await c.expectTold()

  await record(0, 'safe')
  await record(1, 'in danger', org.floors[1], seen(10))
  await c.calls[1](setEvacueeStatus, { body: { evacueeId: c.visitor, status: 'safe' } })
  await record(1, 'safe', org.floors[2], seen(60)) // superseded
  await record(1, 'in danger', org.floors[2], seen(60)) // older: the place stays
  expect((await server.journalOf(persons[1] as PersonUid)).map(({ after }) => after)).toMatchObject([
    { floor_uid: org.floors[1], superseded: false },
    { floor_uid: org.floors[2], superseded: true, stays: true },
    { floor_uid: org.floors[2], superseded: false, stays: true },
  ])
  expect((await server.journalOf(c.visitor)).at(-1)).toMatchObject({
    before: { status: 'unknown', floor_uid: null, building_uid: org.buildingUid },
    after: { status: 'safe', floor_uid: null, building_uid: org.buildingUid },
  })
  await c.expectTold()

  await c.refuse(2)
  await record(2, 'unknown', org.floors[2])
  await c.refuse(3)
  await c.refuse(3)
  await c.answer(3, 'danger')
  await c.answer(3, 'danger')
  await c.answer(0, 'danger')
  await c.expectTold()

  await c.calledBy.offered(updateAssignmentStatus, answering(c.offered, 'Accepted'))
  await c.expectTold()
  await c.addTowerB() // its warden leaves the list of Tower A
  await c.expectTold()
  await record(2, 'safe', org.otherFloorUid)
  await record(3, 'safe', org.otherFloorUid)
  await c.removeTowerB() // they come home; the warden is an occupant again
  await c.expectTold()
  await c.addTowerB()
  await c.calledBy.offered(updateAssignmentStatus, answering(c.offered, 'Withdrawn'))
  await c.expectTold()

  await c.refuse(1)
  await c.makeLive()
  await c.expectTold()
  await record(0, 'safe', org.otherFloorUid)
  await record(1, 'unknown', undefined, seen(1800)) // of the drill
  await c.calls[1](logout, {})
  await c.expectTold()
  await c.manager(endEvent, endInput(org, { buildings: [org.buildingUid, org.otherBuildingUid] }))
  await c.expectTold()
})

test('AAR-16 the entry of a change tells by how much it changed each place', async ({ server }) => {
  const c = await drill(server)
  const { org, eventUid, offered } = c
  const told = async (of: string, action: string) => {
    const entry = (await server.journalOf(of)).findLast((one) => one.action === action)
    return (entry?.after as { tally: unknown[] } | null)?.tally.toSorted()
  }
  const [ground, , level2] = org.floors

  const startedWith = [
    [ground, 0, 4, 0, 0],
    [level2, 0, 2, 0, 0],
    [org.buildingUid, 0, 1, 0, 0],
  ]
  expect(await told(eventUid, 'event_started')).toEqual(startedWith.toSorted())
  await c.calledBy.offered(updateAssignmentStatus, answering(offered, 'Accepted'))
  expect(await told(offered.assignmentUid, 'assignment_changed')).toEqual([[level2, 0, -1, 0, 0]])
  await c.addTowerB()
  expect(await told(eventUid, 'buildings_added')).toEqual([[level2, 0, -1, 0, 0]])
  await c.refuse(0)
  await c.record(0, 'in danger')
  await c.record(1, 'safe')
  await c.makeLive()
  expect(await told(eventUid, 'drill_made_live')).toEqual([[ground, -1, 2, -1, -1]])
  await c.record(0, 'safe', org.otherFloorUid)
  await c.removeTowerB()
  const removed = [
    [org.otherFloorUid, -1, 0, 0, 0],
    [ground, 1, 0, 0, 0],
    [level2, 0, 1, 0, 0],
  ]
  expect(await told(eventUid, 'buildings_removed')).toEqual(removed.toSorted())
})

test('AAR-16 who takes up an assignment journals those who join with them, with the counts', async ({ server }) => {
  const c = await drill(server)
  const { org } = c
  const late = await server.given.warden(org, { deskFloorUid: org.floorUid })
  const elsewhere = await server.given.warden(org, { floorUid: org.otherFloorUid, status: 'Offered' })

  await (await server.as(elsewhere))(updateAssignmentStatus, answering(elsewhere, 'Accepted'))

  expect(await server.signInOf(c.eventUid, late)).toMatchObject({ closedAt: null })
  expect(await server.journalOf(late.assignmentUid)).toMatchObject([{ eventUid: c.eventUid, after: { by: 'date' } }])
  await c.expectTold()
})

test('AAR-16 many at once: records, refusals, answers, wardens who come and go, buildings, made live', async ({
  server,
}) => {
  for (let round = 0; round < 3; round++) {
    const c = await drill(server, 12)
    const { org, calls, persons } = c
    const places = [...org.floors, org.otherFloorUid]
    const words = ['safe', 'in danger', 'unknown', 'safe on floor']
    const records = Array.from({ length: 120 }, (_, n) => {
      const body = { personId: persons[n % 12] as PersonUid, status: words[n % 4] as string }
      const floorId = places[n % places.length] as FloorUid
      return calls[n % 2 ? 0 : 1](setPersonStatus, { body: { ...body, floorId } }, seen(n % 40))
    })
    const flips = persons.flatMap((_, n) => [c.refuse(n), c.refuse(n), c.refuse(n)])
    const answers = persons.map((_, n) => c.answer(n, n % 2 ? 'safe' : 'danger'))
    const comesAndGoes = async () => {
      for (const status of ['Accepted', 'Withdrawn'] as const)
        await c.calledBy.offered(updateAssignmentStatus, answering(c.offered, status))
    }
    const manages = async () => {
      await c.addTowerB()
      if (round > 0) await c.makeLive()
      await c.removeTowerB()
      await c.addTowerB()
    }

    await refused(...records, ...flips, ...answers, comesAndGoes(), manages())

    await c.expectTold()
  }
}, 60_000)
