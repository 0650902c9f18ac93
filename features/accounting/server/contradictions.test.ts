import { expect } from 'vitest'
import { toggleRefusal } from '#features/evacuation/calls/evacuation.ts'
import { makeEventLive } from '#features/events/calls/events.ts'
import { test } from '#server/testing/server-test.ts'
import { withKey } from '#server/testing/test-server.ts'
import { kindsOf, sweep } from './accounting.fixture.ts'
import type { Contradiction } from './contradictions.queries.ts'

/** How many seconds ago the danger and the "safe" of a person were seen, or the sweep and what stands against it. */
const timesOf = (c: Contradiction | undefined) =>
  [c?.first, c?.second].map((at) => at && Math.round((Date.now() - at.getTime()) / 10_000) * 10)

test('REC-06 REC-03 REC-04 a cleared floor contradicts danger, a plan, a refusal and a later sight there', async ({
  server,
}) => {
  const s = await sweep(server)
  const [danger, planned, refusing, later] = s.persons
  await server.given.peep(s.org, planned)
  await s.record(s.asAnn, danger, 'in danger', 600)
  await s.asAnn(toggleRefusal, { body: { person: refusing, floorId: s.org.floorUid } })
  await s.record(s.asAnn, later, 'safe on floor', 600)
  expect(await s.contradictions()).toEqual([])

  await s.setFloor(s.clear, 300)

  const { floorUid } = s.org
  const found = await s.contradictions()
  expect(found.map(({ kind }) => kind).toSorted()).toEqual(['cleared_danger', 'cleared_plan', 'cleared_refusal'])
  expect(new Set(found.map(({ subject }) => subject))).toEqual(new Set([floorUid]))
  const times = (kind: string) => {
    const c = found.find((one) => one.kind === kind)
    return [c?.first, c?.second].map((at) => at && Math.round((Date.now() - at.getTime()) / 1000 / 60))
  }
  expect(times('cleared_danger')).toEqual([5, 10])
  expect(times('cleared_refusal')).toEqual([5, 0])
  expect(found.find(({ kind }) => kind === 'cleared_plan')).toMatchObject({ second: null })

  await s.record(s.asBob, later, 'safe on floor', 120)
  expect(await kindsOf(s)).not.toContainEqual(['cleared_seen', floorUid])
  await s.record(s.asBob, later, 'unknown', 60)
  expect(await kindsOf(s)).toContainEqual(['cleared_seen', floorUid])
  await s.setFloor(s.org.statusUids[1])
  expect(await s.contradictions()).toEqual([])
})

test('REC-06 anyone who refused contradicts a cleared floor, though everyone there is safe', async ({ server }) => {
  const s = await sweep(server, { persons: 1 })
  const [person] = s.persons
  await s.record(s.asAnn, person, 'safe', 600)
  await s.asAnn(toggleRefusal, { body: { person, floorId: s.org.floorUid } })

  await s.setFloor(s.clear, 300)

  expect(await kindsOf(s)).toEqual([['cleared_refusal', s.org.floorUid]])
})

test('REC-07 unknown people without a plan on a cleared floor are no contradiction', async ({ server }) => {
  const s = await sweep(server)

  await s.setFloor(s.clear)

  expect(await s.contradictions()).toEqual([])
})

test('REC-07 a late "safe" that a danger overruled, until a newer record of a warden', async ({ server }) => {
  const s = await sweep(server)
  const [person] = s.persons
  await s.record(s.asAnn, person, 'in danger', 60)
  await s.record(s.asBob, person, 'unknown', 300)
  expect(await s.contradictions()).toEqual([])

  await s.record(s.asBob, person, 'safe', 240)

  const [found] = await s.contradictions()
  expect(found).toMatchObject({ kind: 'late_safe', subject: person, placeUid: s.org.floorUid })
  expect(timesOf(found)).toEqual([60, 240])
  // an older danger tells nothing new
  await s.record(s.asBob, person, 'in danger', 200)
  expect(await kindsOf(s)).toEqual([['late_safe', person]])
  await s.record(s.asBob, person, 'in danger')
  expect(await s.contradictions()).toEqual([])
})

test('REC-07 of several late "safe" the one that was seen last stands, in whatever order they come', async ({
  server,
}) => {
  const s = await sweep(server)
  const [person] = s.persons
  await s.record(s.asAnn, person, 'in danger', 10)
  for (const [seconds, stands] of [
    [60, 60],
    [600, 60],
    [30, 30],
  ] as const) {
    await s.record(s.asBob, person, 'safe', seconds)
    expect((await s.contradictions()).map(timesOf)).toEqual([[10, stands]])
  }
})

test('REC-07 an older "safe" that comes in late hides no two places', async ({ server }) => {
  const s = await sweep(server)
  const [person] = s.persons
  const [ground, above] = s.org.floors
  await s.record(s.asAnn, person, 'safe on floor', 120, ground)
  await s.record(s.asBob, person, 'in danger', 60, above)

  await s.record(s.asAnn, person, 'safe', 900, ground)

  const [found, ...others] = await s.contradictions()
  expect([found?.kind, timesOf(found), others]).toEqual(['two_places', [60, 120], []])
})

test('REC-05 REC-07 a "safe" from before the event began is no late one', async ({ server }) => {
  const s = await sweep(server)
  await s.record(s.asAnn, s.persons[0], 'in danger', 60)

  await s.record(s.asBob, s.persons[0], 'safe', 2 * 3600)

  expect(await s.contradictions()).toEqual([])
})

test('REC-07 safe and danger within 5 minutes on two floors by two phones, whichever was seen first', async ({
  server,
}) => {
  const s = await sweep(server)
  const [one, two] = s.persons
  const [ground, above] = s.org.floors
  await s.record(s.asAnn, one, 'safe on floor', 240, ground)
  await s.record(s.asBob, one, 'in danger', 60, above)
  await s.record(s.asAnn, two, 'in danger', 100, ground)
  await s.record(s.asBob, two, 'safe on floor', 10, above)

  const found = await s.contradictions()
  expect(found.map(({ kind, subject }) => [kind, subject])).toEqual([
    ['two_places', one],
    ['two_places', two],
  ])
  expect(found.map(timesOf)).toEqual([
    [60, 240],
    [100, 10],
  ])
  await s.record(s.asBob, one, 'in danger', 0, above)
  await s.record(s.asBob, two, 'safe on floor', 0, above)
  expect(await s.contradictions()).toEqual([])
})

test('REC-07 one phone, one floor, no floor, more than 5 minutes or one status are no two places', async ({
  server,
}) => {
  const s = await sweep(server)
  const [phone, floor, none, old] = s.persons
  const [ground, above] = s.org.floors
  await s.record(s.asAnn, phone, 'safe on floor', 60, ground)
  await s.record(s.asAnn, phone, 'in danger', 30, above)
  await s.record(s.asAnn, floor, 'safe on floor', 60, above)
  await s.record(s.asBob, floor, 'in danger', 30, above)
  await s.record(s.asAnn, none, 'safe on floor', 60, ground)
  await s.record(s.asBob, none, 'unknown', 30, above)
  await s.record(s.asAnn, old, 'safe on floor', 400, ground)
  await s.record(s.asBob, old, 'in danger', 30, above)

  expect(await s.contradictions()).toEqual([])
})

test('REC-07 KIND-13 a drill that becomes live has no contradictions left', async ({ server }) => {
  const s = await sweep(server, { kind: 'drill' })
  await s.record(s.asAnn, s.persons[0], 'in danger', 60)
  await s.record(s.asBob, s.persons[0], 'safe', 240)
  await s.setFloor(s.clear)
  expect(await s.contradictions()).toHaveLength(2)

  const body = { event: s.eventUid, message: 'THIS IS NOT A DRILL. Evacuate now.' }
  await s.manager(makeEventLive, { body }, withKey())

  expect(await s.contradictions()).toEqual([])
})

test('REC-06 someone seen on a cleared floor was seen there when the floor was named, not at a later record', async ({
  server,
}) => {
  const s = await sweep(server, { persons: 1 })
  await s.setFloor(s.clear, 500)
  await s.record(s.asAnn, s.persons[0], 'unknown', 400)
  await s.tell(s.manager, s.persons[0], 'unknown')

  const found = await s.contradictions()

  expect(found.map((c) => [c.kind, ...timesOf(c)])).toEqual([['cleared_seen', 500, 400]])
})
