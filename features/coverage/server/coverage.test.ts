import { expect } from 'vitest'
import { createEvent } from '#features/events/calls/events.ts'
import { logout } from '#features/sign-in/calls/sign-in.ts'
import { startInput } from '#server/testing/event-input.ts'
import { test } from '#server/testing/server-test.ts'
import { listPlaces } from './coverage.queries.ts'

test('COV-01 COV-02 COV-03 a floor is covered by its warden on duty, and a gap from the moment the last one leaves', async ({
  server,
}) => {
  const { given, db } = server
  const org = await given.organisation()
  const own = await given.warden(org)
  const { eventUid } = await server.runningEvent(org)
  const read = () => listPlaces(db, { clientUid: org.clientUid, eventUid })
  const begun = await db
    .selectFrom('eventBuilding')
    .select('addedAt')
    .where('eventUid', '=', eventUid)
    .executeTakeFirst()

  const before = await read()
  const call = await server.onDuty(own)
  const meanwhile = await read()
  await call(logout, {})
  const after = await read()

  expect(before.map(({ floorName, gapSince }) => [floorName, gapSince])).toEqual([
    ['Level 2', begun?.addedAt],
    ['Level 1', begun?.addedAt],
    ['Ground', begun?.addedAt],
  ])
  expect(meanwhile.map(({ gapSince, ownOnDuty }) => [gapSince === null, ownOnDuty])).toEqual([
    [false, 0],
    [false, 0],
    [true, 1],
  ])
  const left = (await server.signInOf(eventUid, own))?.offDutyAt
  expect(after.at(-1)).toMatchObject({ ownOnDuty: 0, gapSince: left })
})

test('COV-04 a building without a floor that an assignment names is covered whole by its wardens and those of the site', async ({
  server,
}) => {
  const { given, db } = server
  const org = await given.organisation()
  await given.warden(org)
  await given.warden(org, { floorUid: org.otherFloorUid, dateTo: '2021-01-01' })
  const { eventUid, manager } = await server.runningEvent(org)
  await manager(createEvent, startInput(org, { buildings: [org.otherBuildingUid] }))
  const read = () => listPlaces(db, { clientUid: org.clientUid, eventUid })

  expect((await read()).at(-1)).toMatchObject({ floorUid: null, ownOnDuty: 1, gapSince: null })
  await db
    .updateTable('wardenSignIn')
    .set({ onDuty: false, offDutyAt: new Date() })
    .where('eventUid', '=', eventUid)
    .execute()
  expect((await read()).at(-1)).toMatchObject({
    buildingName: 'Tower B',
    floorUid: null,
    ownOnDuty: 0,
    gapSince: expect.any(Date),
  })
})
