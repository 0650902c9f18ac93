import { expect } from 'vitest'
import { listAssignmentPeeps } from '#features/assignments/calls/assignments.ts'
import { claimFloor, giveBackFloor } from '#features/coverage/calls/coverage.ts'
import { changeFloor, getFloorData, listOccupants, searchOccupants } from '#features/evacuation/calls/evacuation.ts'
import { listFloorlessPeople, listFloorPeople, searchEventPeople } from '#features/evacuation/calls/floor-overview.ts'
import { filterEvacuees, getSafetyData } from '#features/evacuation/calls/safety.ts'
import { defaultFilters } from '#kernel/kinds.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { eventWithPlans } from './plan-access.fixture.ts'

type Event = Awaited<ReturnType<typeof eventWithPlans>>

/** Each of B's lists, asked by the warden of another floor. */
const lists: Record<string, (call: Event['manager'], event: Event) => Promise<unknown>> = {
  getFloorData: (call, { org }) => call(getFloorData, { query: { floor: org.floors[0] } }),
  changeFloor: (call, { org }) => call(changeFloor, { body: { floor: org.floors[0] } }),
  listOccupants: (call, { org }) => call(listOccupants, { query: { floor: org.floors[0] } }),
  searchOccupants: async (call, { org }) => {
    await call(changeFloor, { body: { floor: org.floors[2] } })
    return call(searchOccupants, { params: { text: 'Ada' } })
  },
  listFloorPeople: (call, { org }) => call(listFloorPeople, { params: { floorId: org.floors[0] } }),
  searchEventPeople: (call) => call(searchEventPeople, { params: { text: 'Ada' } }),
  filterEvacuees: (call) =>
    call(filterEvacuees, { body: { ...defaultFilters, area: 'everyone', search: 'Ada' } as never }),
}

test.for(Object.entries(lists))(
  'PEEP-05 %s enters a plan that it sent to someone other than the warden of the floor, once',
  async ([, read], { server }) => {
    const event = await eventWithPlans(server)
    const { ada, guest, seen } = event
    const call = await server.onDuty(guest)

    for (let times = 0; times < 3; times += 1) expect(JSON.stringify(await read(call, event))).toContain('chair')

    expect(await seen()).toEqual([`${guest.personUid} ${ada}`])
  },
)

test('PEEP-05 the site role is the warden of no floor: safety and the list of an assignment enter what they sent', async ({
  server,
}) => {
  const { ada, bea, manager, chief, seen } = await eventWithPlans(server)

  await manager(getSafetyData, {})
  await manager(listAssignmentPeeps, { params: { wardenAssignmentUID: chief.assignmentUid } })

  expect((await seen()).toSorted()).toEqual([ada, bea].map((uid) => `${chief.personUid} ${uid}`).toSorted())
})

test('PEEP-01 wardens of the floor or its building, and who has claimed it, are not entered until they give it back', async ({
  server,
}) => {
  const { org, ada, fay, guest, builder, seen } = await eventWithPlans(server)
  const read = (call: Event['manager'], floor = org.floors[0]) => call(listOccupants, { query: { floor } })
  await read(await server.onDuty(fay))
  await read(await server.onDuty(builder))
  expect(await seen()).toEqual([])

  const call = await server.onDuty(guest)
  await server.db
    .updateTable('wardenSignIn')
    .set({ onDuty: false })
    .where('personUid', 'in', [fay.personUid, builder.personUid])
    .execute()
  expect(await refused(call(claimFloor, { body: { floorId: org.floors[0] } }))).toEqual(['answered'])
  await read(call)
  expect(await seen()).toEqual([])
  await call(giveBackFloor, { body: { floorId: org.floors[0] } })
  await read(call)

  expect(await seen()).toEqual([`${guest.personUid} ${ada}`])
})

test('PEEP-05 people on no floor of a building: its warden is not entered, a warden of a floor is', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const dee = await server.given.visitor(org, { floorUid: null })
  await server.given.peep(org, dee)
  const readers = [
    await server.given.warden(org, { role: 'Building Warden', buildingUid: org.buildingUid }),
    await server.given.warden(org, { floorUid: org.floors[0] }),
  ]
  const { eventUid } = await server.runningEvent(org)

  for (const reader of readers) {
    const read = (await server.onDuty(reader))(listFloorlessPeople, { params: { buildingId: org.buildingUid } })
    expect(JSON.stringify(await read)).toContain('chair')
  }

  const seen = await server.db.selectFrom('planSeen').selectAll().where('eventUid', '=', eventUid).execute()
  expect(seen).toMatchObject([{ readerUid: readers[1]?.personUid, personUid: dee, way: 'list', packUid: null }])
})

test('PEEP-05 of twenty reads at once by one warden each plan is entered once, and no read waits for ever', async ({
  server,
}) => {
  const { guest, seen } = await eventWithPlans(server)
  const call = await server.onDuty(guest)

  await Promise.all(
    Array.from({ length: 20 }, (_, nth) =>
      nth % 2 ? call(searchEventPeople, { params: { text: 'a' } }) : call(getSafetyData, {}),
    ),
  )

  const all = await seen()
  expect(all.length).toBeGreaterThan(0)
  expect(new Set(all).size).toBe(all.length)
})
