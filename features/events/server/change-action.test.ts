import { expect } from 'vitest'
import { understand } from '#features/command/calls/instructions.ts'
import { listOccupants, setFloorStatus, setPersonStatus, toggleRefusal } from '#features/evacuation/calls/evacuation.ts'
import type { BuildingUid } from '#kernel/ids.ts'
import type { startInput } from '#server/testing/event-input.ts'
import type { Organisation } from '#server/testing/given-places.ts'
import { wrongTallies } from '#server/testing/recount.ts'
import { replayedTally, storedTally } from '#server/testing/replayed-tally.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { getBrief } from '../calls/brief.ts'
import { type ChangeActionInput, changeAction, listEventSites, makeEventLive } from '../calls/events.ts'
import { floorOf } from './actions.fixture.ts'
import { writeBroadcastPage } from './broadcast.queries.ts'

/** A fire in both towers: four people and a warden on duty in Tower A, one of Tower B. */
async function fire(server: TestServer, over: Parameters<typeof startInput>[1] = {}, people = 4) {
  const org = await server.given.organisation()
  const ada = await server.given.warden(org, { firstName: 'Ada' })
  const ben = await server.given.warden({ ...org, buildingUid: org.otherBuildingUid, floorUid: org.otherFloorUid })
  const persons = await server.given.occupants(org, people)
  const others = await Promise.all(Array.from({ length: people > 4 ? 6 : 0 }, () => server.given.warden(org)))
  const away = await server.given.occupants({ ...org, floorUid: org.otherFloorUid } as Organisation, 1)
  const { eventUid, manager, chief } = await server.runningEvent(org, {
    buildings: [org.buildingUid, org.otherBuildingUid],
    ...over,
  })
  const [call, other] = [await server.onDuty(ada), await server.onDuty(ben)]
  const record = (person: string | undefined, status: string, headers = {}, floorId = org.floorUid) =>
    call(setPersonStatus, { body: { personId: person as never, status, floorId } }, { headers })
  const change = (input: Partial<ChangeActionInput> = {}, by = manager, key = withKey()) =>
    by(changeAction, { body: { ...lockdown(eventUid, [org.buildingUid]), ...input } }, key)
  const phones = await Promise.all(others.map((warden) => server.onDuty(warden)))
  return { org, persons, phones, away, eventUid, manager, chief, call, other, record, change }
}
const lockdown = (event: string, buildings: BuildingUid[]): ChangeActionInput => ({
  event: event as never,
  buildings,
  action: 'lockdown',
  message: 'LOCKDOWN. Lock your door.',
  broadcastMessage: 'yes',
  again: 'yes',
  base: null,
})
const seen = (secondsAgo: number) => ({
  'x-observed-at': new Date(Date.now() - secondsAgo * 1000).toISOString(),
  'x-sent-at': new Date().toISOString(),
})

test('RESP-08 in the changed building safe is unknown and danger stands; elsewhere nothing changes', async ({
  server,
}) => {
  const { org, persons, away, call, record, change, eventUid, chief } = await fire(server)
  await record(persons[0], 'safe on floor')
  await record(persons[1], 'in danger')
  await call(toggleRefusal, { body: { person: persons[2] as never, floorId: org.floorUid } })
  await call(setFloorStatus, { body: { floorId: org.floorUid, floorStatusId: org.statusUids[1] } })
  await record(away[0], 'safe', {}, org.otherFloorUid)

  const reply = await change()
  expect(reply).toMatchObject({ status: 'action_changed', change: expect.any(String) })

  const { persons: shown, counts } = await call(listOccupants, { query: { floor: org.floorUid } })
  expect(counts).toEqual({ safe: 0, unknown: 3, danger: 1, total: 4 })
  expect(shown.map(({ reported }) => reported)).toEqual([false, false, false, false])
  const before = (nth: number) => shown.find(({ id }) => id === persons[nth])
  expect(before(0)).toMatchObject({ status: 'unknown', before: { status: 'safe' } })
  expect(before(0)).not.toHaveProperty('in_drill')
  expect(await server.evacueeOf(eventUid, away[0] as never)).toMatchObject({ status: 'safe' })
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
  expect(await replayedTally(server.db, eventUid)).toEqual(await storedTally(server.db, eventUid))
  const { floor_status, floors } = await floorOf(call, org.floorUid)
  expect(floor_status.map(({ name }) => name)).toEqual(['Not locked', 'Locked', 'Help needed'])
  expect(floors.find(({ id }) => id === org.floorUid)?.status).toBe(floor_status[0]?.id)
  const [told] = (await server.journalOf(eventUid)).filter(({ action }) => action === 'action_changed')
  expect(told).toMatchObject({
    actorPersonUid: chief.personUid,
    before: { actions: [[org.buildingUid, 'evacuate']] },
    after: { action: 'lockdown', buildings: [org.buildingUid], again: true },
  })
})

test('RESP-08 what was seen before the change makes no one safe; a danger counts, and a safe from now on', async ({
  server,
}) => {
  const { persons, record, change, eventUid } = await fire(server)
  await change()
  await record(persons[0], 'safe on floor', seen(20))
  await record(persons[1], 'in danger', seen(20))
  await record(persons[2], 'safe on floor')
  const stands = async (nth: number) => (await server.evacueeOf(eventUid, persons[nth] as never))?.status
  expect([await stands(0), await stands(1), await stands(2)]).toEqual(['unknown', 'danger', 'safe'])
})

test('RESP-08 a floor status that was seen before the change is journaled and changes nothing', async ({ server }) => {
  const { org, call, change } = await fire(server)
  await change()
  const { floor_status } = await floorOf(call, org.floorUid)
  const body = { floorId: org.floorUid, floorStatusId: org.statusUids[1] }
  expect(await call(setFloorStatus, { body }, { headers: seen(20) })).toEqual({ status: 'success', overruled: true })
  await expect(call(setFloorStatus, { body })).rejects.toMatchObject({ code: 'not_found' })
  const now = await floorOf(call, org.floorUid)
  expect(now.input.status).toBe(floor_status[0]?.id)
})

test("RESP-08 without 'Count everyone again' statuses stay, also after a release, which counts no one again", async ({
  server,
}) => {
  const { persons, record, change, eventUid } = await fire(server)
  await record(persons[0], 'safe')
  const { change: base } = await change({ again: 'no' })
  const { change: next } = await change({ action: 'release', base })
  expect(await server.evacueeOf(eventUid, persons[0] as never)).toMatchObject({ status: 'safe' })
  expect(next).not.toBe(base)
})

test('RESP-08 texts of the former action are skipped there and only there, and wardens who were not called yet are called', async ({
  server,
}) => {
  const { org, change, eventUid } = await fire(server, { broadcastMessage: 'yes', alertToWarden: 'yes' })
  await writeBroadcastPage(server.db)
  await change()
  while (await writeBroadcastPage(server.db));

  const rows = await server.db
    .selectFrom('sms')
    .select(['kind', 'status', 'reason', 'body', 'personUid'])
    .where('eventUid', '=', eventUid)
    .execute()
  const old = rows.filter(({ body }) => body.startsWith('Evacuate'))
  const there = server.db.selectFrom('evacuee').select('personUid').where('eventUid', '=', eventUid)
  const ofTowerA = new Set<string | null>(
    (await there.where('buildingUid', '=', org.buildingUid).execute()).map((row) => row.personUid),
  )
  for (const { reason, personUid, kind } of old.filter(({ kind }) => kind === 'event_message'))
    expect([kind, reason]).toEqual([kind, ofTowerA.has(personUid) ? 'The action has changed.' : reason])
  const alerts = rows.filter(({ kind }) => kind === 'warden_alert')
  expect(alerts.filter(({ reason }) => reason === 'The action has changed.')).toHaveLength(1)
  expect(alerts.filter(({ body }) => body.startsWith('LOCKDOWN'))).toHaveLength(1)
  expect(
    rows.filter(({ kind, body }) => kind === 'event_message' && body.startsWith('LOCKDOWN')).length,
  ).toBeGreaterThan(0)
})

test('RESP-08 wardens of the building read the sentence of the action on a sheet; in a lockdown no text follows', async ({
  server,
}) => {
  const { call, other, change, eventUid } = await fire(server)
  const { change: base } = await change()
  expect((await other(getBrief, {})).instruction).toBeNull()
  const { instruction } = await call(getBrief, {})
  expect(instruction).toMatchObject({
    kind: 'lockdown',
    word: 'Lockdown',
    message: 'Lock the door. Lights off, out of sight, phones silent. Open to no one. Record who is with you.',
  })
  await call(understand, { params: { uid: instruction?.uid as never } })
  await change({ action: 'shelter', where: 'the hall', base })
  expect((await call(getBrief, {})).instruction).toMatchObject({
    message: expect.stringContaining('Take shelter: the hall.'),
  })
  const sent = server.db
    .selectFrom('instruction')
    .select(['kind', 'text'])
    .where('eventUid', '=', eventUid)
    .orderBy('at')
  expect(await sent.execute()).toEqual([
    { kind: 'lockdown', text: false },
    { kind: 'shelter', text: true },
  ])
})

test('RESP-09 of managers who change at once one does, the others read who did and what', async ({ server }) => {
  const { org, change, eventUid } = await fire(server)
  const managers = await Promise.all(
    Array.from({ length: 8 }, async (_, nth) =>
      server.as(await server.given.warden(org, { role: 'Chief Warden', firstName: `Chief${nth}` })),
    ),
  )
  const answers = await Promise.allSettled(
    managers.map((by, nth) => change({ buildings: [nth % 2 ? org.buildingUid : org.otherBuildingUid] }, by)),
  )
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const answer of answers)
    if (answer.status === 'rejected')
      expect(answer.reason).toMatchObject({
        code: 'action_changed',
        message: expect.stringMatching(/^Chief\d .+ has just changed the action to Lockdown\. Look again\.$/),
      })
  expect((await server.journalOf(eventUid)).filter(({ action }) => action === 'action_changed')).toHaveLength(1)
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
})

test('RESP-09 pressed twice it happens once; the next change names the newest', async ({ server }) => {
  const { change, manager, eventUid } = await fire(server)
  const key = withKey()
  const [first, second] = [await change({}, manager, key), await change({}, manager, key)]
  expect(second).toEqual(first)
  await expect(change()).rejects.toMatchObject({ code: 'action_changed' })
  const { data } = await manager(listEventSites, {})
  expect(data.activeEvent?.change).toBe(first.change)
  expect((await server.journalOf(eventUid)).filter(({ action }) => action === 'action_changed')).toHaveLength(1)
})

test('RESP-09 a drill that is made live keeps its action and begins at its statuses', async ({ server }) => {
  const { org, call, change, manager, eventUid } = await fire(server, { kind: 'drill' })
  await change()
  await manager(makeEventLive, { body: { event: eventUid, message: 'This is not a drill.' } }, withKey())
  expect((await call(getBrief, {})).actions).toMatchObject([{ action: 'lockdown' }])
  const { floor_status, input } = await floorOf(call, org.floorUid)
  expect(floor_status.find(({ id }) => id === input.status)?.name).toBe('Not locked')
})

test('RESP-10 a release ends nothing: floors wait, and it knows what it ended, also pressed again', async ({
  server,
}) => {
  const { org, call, change } = await fire(server)
  const { change: base } = await change()
  const { change: next } = await change({ action: 'release', base })
  await change({ action: 'release', base: next })
  expect((await call(getBrief, {})).actions).toMatchObject([{ action: 'release', action_before: 'lockdown' }])
  const { floor_status } = await floorOf(call, org.floorUid)
  expect(floor_status.map(({ name }) => name)).toEqual(['Waiting', 'Released'])
})

test('RESP-07 only who manages the buildings changes them; move and shelter need a place; another event is refused', async ({
  server,
}) => {
  const { org, change, call } = await fire(server)
  const stranger = await server.as(
    await server.given.warden(await server.given.organisation(), { role: 'Chief Warden' }),
  )
  await expect(change({}, stranger)).rejects.toMatchObject({ code: 'not_found' })
  await expect(change({}, call)).rejects.toMatchObject({ code: 'forbidden' })
  const third = await server.given.building(org, { name: 'Annex', floorNames: ['Ground'] })
  await expect(
    change({ buildings: [(third as never as { buildingUid: BuildingUid }).buildingUid] }),
  ).rejects.toMatchObject({ code: 'not_found' })
  await expect(change({ action: 'move', where: ' ' })).rejects.toMatchObject({ code: 'invalid_request' })
  await expect(change({ action: 'move', where: 'a\u0007b' })).rejects.toMatchObject({ code: 'invalid_request' })
})

test('RESP-08 records of many phones during a change: each counts before it or after it, and the counts add up', async ({
  server,
}) => {
  const { org, persons, phones, eventUid, change } = await fire(server, {}, 30)
  const records = persons.flatMap((personId, nth) =>
    ['safe on floor', nth % 3 ? 'safe on floor' : 'in danger'].map((status) =>
      phones[nth % phones.length]?.(setPersonStatus, { body: { personId, status, floorId: org.floorUid } }),
    ),
  )
  await Promise.all([...records.slice(0, 20), change(), ...records.slice(20)])

  const entries = await server.db
    .selectFrom('journal')
    .select(['action', 'subjectUid', 'after'])
    .where('eventUid', '=', eventUid)
    .where('action', 'in', ['evacuee_status_set', 'action_changed'])
    .orderBy('position')
    .execute()
  const expected = new Map<string, string>(persons.map((uid) => [uid, 'unknown']))
  for (const { action, subjectUid, after } of entries) {
    const { status, superseded } = { ...(after as { status?: string; superseded?: boolean }) }
    if (action === 'action_changed')
      for (const [uid, stood] of expected) expected.set(uid, stood === 'safe' ? 'unknown' : stood)
    else if (status && !superseded) expected.set(String(subjectUid), status)
  }
  const rows = await server.db
    .selectFrom('evacuee')
    .select(['personUid', 'status'])
    .where('eventUid', '=', eventUid)
    .execute()
  const stands = new Map(rows.map((row) => [row.personUid, row.status]))
  expect(persons.map((uid) => stands.get(uid))).toEqual(persons.map((uid) => expected.get(uid)))
  expect(entries.filter(({ action }) => action === 'action_changed')).toHaveLength(1)
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
  expect(await replayedTally(server.db, eventUid)).toEqual(await storedTally(server.db, eventUid))
})

test('RESP-08 a danger that is recorded while the change waits for someone else stands', async ({ server }) => {
  const { org, record, eventUid, change } = await fire(server)
  const rows = server.db.selectFrom('evacuee').select(['uid', 'personUid']).where('eventUid', '=', eventUid)
  const here = await rows.where('buildingUid', '=', org.buildingUid).orderBy('uid').execute()
  const [first, last] = [here[0], here.at(-1)]
  await record(last?.personUid, 'safe on floor')
  const held = await server.hold('evacuee', `${first?.uid}`)
  const changed = change()
  await held.waiting(1)
  await record(last?.personUid, 'in danger')
  await held.release()
  await changed
  expect(await server.evacueeOf(eventUid, last?.personUid as never)).toMatchObject({ status: 'danger' })
  expect(await wrongTallies(server.db, eventUid)).toEqual([])
})
