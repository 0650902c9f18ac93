import { expect } from 'vitest'
import { called, lockDown, stateOf } from '#features/reach/server/reach.fixture.ts'
import { test } from '#server/testing/server-test.ts'
import { byCall, callAfter, linesOf, makeCalls, phoneOf } from './voice.fixture.ts'

const noCalls = { limits: { perSecond: 0, atOnce: 0 } }

test('RESP-05 LADDER-10 a call that waits when a lockdown begins is not made, before the ladder looks again; elsewhere it is', async ({
  server,
}) => {
  const [there, elsewhere] = [await called(server, byCall('report_in')), await called(server, byCall('report_in'))]
  await callAfter(server, there, 61, noCalls)
  await callAfter(server, elsewhere, 61, noCalls)
  await lockDown(there)

  await makeCalls(server)

  for (const who of [there.ann, there.bob, there.cas]) {
    expect(await phoneOf(server, who.mobile).shown()).toBeNull()
    expect(await linesOf(server, who)).toEqual(['call skipped: Building in lockdown.'])
  }
  expect(await linesOf(server, elsewhere.ann)).toEqual(['call handed_over: '])
})

test('RESP-05 LADDER-10 a phone that rings when a lockdown begins falls silent and no other call follows; who has answered is not cut off', async ({
  server,
}) => {
  const c = await called(server, byCall('report_in'))
  await callAfter(server, c, 61)
  const [ann, bob] = [phoneOf(server, c.ann.mobile), phoneOf(server, c.bob.mobile)]
  await ann.answer()
  expect(await bob.shown()).not.toBeNull()
  await lockDown(c)

  await makeCalls(server)

  expect(await bob.shown()).toBeNull()
  expect(await ann.shown()).toMatchObject({ answered: true })
  for (const seconds of [1, 60, 600]) await callAfter(server, c, seconds)
  expect(await linesOf(server, c.bob)).toEqual(['call failed: Building in lockdown.'])
  expect(await stateOf(server, c.bob)).toEqual({ state: 'over', reason: 'Building in lockdown.' })
})

test('RESP-05 LADDER-10 calls that workers begin while a lockdown begins ring for no one once they have run again', async ({
  server,
}) => {
  const c = await called(server, byCall('report_in'))
  await callAfter(server, c, 61, noCalls)

  await Promise.all([makeCalls(server), lockDown(c), makeCalls(server), makeCalls(server)])
  await makeCalls(server)

  for (const who of [c.ann, c.bob, c.cas]) expect(await phoneOf(server, who.mobile).shown()).toBeNull()
})

test('RESP-05 LADDER-10 a warden of another building is not called where they are counted among those who hide', async ({
  server,
}) => {
  const c = await called(server, byCall('report_in'))
  await callAfter(server, c, 61, noCalls)
  const { clientUid, buildingUid, otherFloorUid } = c.org
  const [ann, bob] = [c.ann, c.bob]
  for (const { assignmentUid } of [ann, bob])
    await server.db
      .updateTable('assignmentLocation')
      .set({ floorUid: otherFloorUid })
      .where('assignmentUid', '=', assignmentUid)
      .execute()
  const counted = { clientUid, eventUid: c.eventUid, personUid: ann.personUid, sortName: 'Ann' }
  await server.db
    .insertInto('evacuee')
    .values(Object.assign(counted, { homeBuildingUid: buildingUid, buildingUid }))
    .execute()
  await lockDown(c)

  await makeCalls(server)

  expect(await phoneOf(server, ann.mobile).shown()).toBeNull()
  expect(await phoneOf(server, bob.mobile).shown()).not.toBeNull()
})
