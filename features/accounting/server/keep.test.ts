import { expect } from 'vitest'
import { toggleRefusal } from '#features/evacuation/calls/evacuation.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { keepContradiction, listContradictions } from '../calls.ts'
import { type Caller, kindsOf, type Sweep, sweep } from './accounting.fixture.ts'

/** Ann has cleared the floor; someone is in danger on it, whom Bob saw safe before. */
async function contradicted(server: TestServer) {
  const s = await sweep(server)
  await server.given.peep(s.org, s.persons[0])
  await s.record(s.asBob, s.persons[0], 'in danger', 60)
  await s.record(s.asAnn, s.persons[0], 'safe', 240)
  await s.setFloor(s.clear, 30)
  return s
}
const items = async ({ manager }: Sweep, by: Caller = manager) => (await by(listContradictions, { query: {} })).items
const keep = (by: Caller, item: { kind: string; subject: string; state: string }, reason = 'The fire service knows') =>
  by(
    keepContradiction,
    { body: { kind: item.kind as never, subject: item.subject as never, state: item.state, reason } },
    withKey(),
  )

test('REC-08 both records stand side by side, with source and time; of a PEEP the mark alone', async ({ server }) => {
  const s = await contradicted(server)

  const found = await items(s)

  const by = (name: string) => ({ name: expect.stringContaining(name), role: 'Floor Warden' })
  const floor = found.find(({ kind }) => kind === 'cleared_danger')
  expect(floor).toMatchObject({
    subject: s.org.floorUid,
    location: 'Tower A - Ground',
    floor: s.org.floorUid,
    count: 1,
    first: { said: 'cleared', words: 'Clear', source: { grade: 'told', by: by('Ann') } },
    second: { said: 'danger', source: { grade: 'seen', by: by('Bob'), floor: 'Ground' } },
    people: [{ id: s.persons[0], plan: true, status: 'danger' }],
  })
  expect(found.find(({ kind }) => kind === 'late_safe')).toMatchObject({
    subject: s.persons[0],
    floor: s.org.floorUid,
    first: { said: 'danger', source: { by: by('Bob') } },
    second: { said: 'safe', source: { grade: 'told', by: by('Ann') } },
  })
  expect(JSON.stringify(found)).not.toMatch(/wheelchair|Evacuation chair|helpers/i)
})

test('REC-08 a refusal is told by the warden who recorded it', async ({ server }) => {
  const s = await sweep(server)
  await s.asBob(toggleRefusal, { body: { person: s.persons[1], floorId: s.org.floorUid } })
  await s.setFloor(s.clear)

  expect(await items(s)).toMatchObject([
    { kind: 'cleared_refusal', second: { said: 'refused', source: { by: { name: expect.stringContaining('Bob') } } } },
  ])
})

test('REC-10 who may not read people sees numbers, and no name of an occupant', async ({ server }) => {
  const s = await contradicted(server)

  const found = await items(s, await server.onDuty(s.viewer))

  expect(found.map(({ count, people }) => [count, people])).toEqual([
    [1, []],
    [1, []],
  ])
  expect(JSON.stringify(found)).not.toContain('Occupant')
})

test('REC-08 kept with a reason it is hidden until a newer record; the second of two reads what the first chose', async ({
  server,
}) => {
  const s = await contradicted(server)
  const [floor] = (await items(s)).filter(({ kind }) => kind === 'cleared_danger')
  if (!floor) throw new Error('no contradiction')
  const second = await server.onDuty(s.viewer)

  expect(await keep(s.manager, floor)).toMatchObject({ kept: { reason: 'The fire service knows', own: true } })
  expect(await keep(second, floor, 'I think otherwise')).toMatchObject({
    kept: { reason: 'The fire service knows', by: expect.stringContaining('Chief'), own: false },
  })

  expect(await kindsOf(s)).toEqual([['late_safe', s.persons[0]]])
  const [told] = (await server.journalOf(s.org.floorUid)).filter(({ action }) => action === 'contradiction_kept')
  expect(told).toMatchObject({ subjectType: 'floor', after: { kind: 'cleared_danger', state: floor.state } })
  await s.record(s.asBob, s.persons[1], 'in danger', 200)
  expect(await kindsOf(s)).toContainEqual(['cleared_danger', s.org.floorUid])
  expect(await refused(keep(s.manager, floor))).toEqual(['changed_since'])
})

test('REC-08 of many who keep it at once one reason stands', async ({ server }) => {
  const s = await contradicted(server)
  const [item] = await items(s)
  if (!item) throw new Error('no contradiction')

  const answers = await Promise.all([...Array(6)].map((_, n) => keep(s.manager, item, `Reason ${n}`)))

  expect(new Set(answers.map(({ kept }) => kept.reason)).size).toBe(1)
})

test('REC-08 bad reasons, foreign subjects and other states keep nothing', async ({ server }) => {
  const [s, other] = [await contradicted(server), await contradicted(server)]
  const [item] = await items(s)
  const [foreign] = await items(other)
  if (!item || !foreign) throw new Error('no contradiction')

  expect(await refused(keep(s.manager, item, '  a  '))).toEqual(['invalid_request'])
  await expect(keep(s.manager, item, 'Known\u202e')).rejects.toThrow('Use plain text.')
  expect(await refused(keep(s.manager, foreign))).toEqual(['not_found'])
  expect(await refused(keep(s.manager, { ...item, state: '1.2.1' }))).toEqual(['changed_since'])
  expect(await refused(keep(s.asAnn, item))).toEqual(['forbidden'])
  expect(await items(s)).toHaveLength(2)
})

test('REC-06 REC-10 of a floor, or of the people of a building on no floor, its contradictions alone, on every page', async ({
  server,
}) => {
  const s = await sweep(server, { persons: 1 })
  const [ground, above] = s.org.floors
  const crowd = await server.given.occupants(s.org, 55)
  const [astray] = await server.given.occupants(s.org, 1, { floorUid: s.org.otherFloorUid })
  for (const person of crowd) await joined(server, s, person, above as never)
  await joined(server, s, s.persons[0] as never, ground as never)
  await joined(server, s, astray as never, null)
  const of = async (floor?: string) => {
    const found: string[] = []
    for (let after: string | null | undefined; after !== null; ) {
      const page = await s.manager(listContradictions, {
        query: { ...(floor && { floor: floor as never }), ...(after && { after }) },
      })
      found.push(...page.items.map(({ subject }) => subject))
      after = page.next
    }
    return found
  }

  expect(await of(ground)).toEqual([s.persons[0]])
  expect(await of(s.org.buildingUid)).toEqual([astray])
  expect(new Set(await of(above))).toEqual(new Set(crowd))
  expect(await of()).toHaveLength(57)
  expect(await refused(of((await server.given.organisation()).floorUid))).toEqual(['not_found'])
})

/** The person is in the event, on this floor or on none of Tower A, and a late "safe" stands against their danger. */
async function joined(server: TestServer, s: Sweep, personUid: string, floorUid: string | null) {
  const at = new Date(Date.now() - 60_000)
  const evacuee = {
    clientUid: s.org.clientUid,
    eventUid: s.eventUid,
    personUid: personUid as never,
    buildingUid: s.org.buildingUid,
    floorUid: floorUid as never,
    homeBuildingUid: s.org.buildingUid,
    status: 'danger',
    statusAt: at,
    statusObservedAt: at,
    dispute: 'late_safe',
    disputeAt: at,
    sortName: '',
  }
  const { clientUid: _, eventUid: _event, personUid: _person, ...changed } = evacuee
  await server.db
    .insertInto('evacuee')
    .values(evacuee)
    .onConflict((oc) => oc.columns(['clientUid', 'eventUid', 'personUid']).doUpdateSet(changed))
    .execute()
}
