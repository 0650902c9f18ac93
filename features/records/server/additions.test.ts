import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { signHead } from '#features/log/server/heads.service.ts'
import { sealWhole, signingOf } from '#server/testing/event-log.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { addToRecord, listActions, type NewAddition } from '../calls/additions.ts'
import { getRecord, listTimeline } from '../calls/records.ts'
import { givenDrilled, givenRecord } from './records.fixture.ts'

const openDoor = {
  what: 'Mend the closer of the fire door',
  priority: 'High',
  due: '2034-03-01',
  owner: { name: 'Facilities' },
} as const

async function adding(server: TestServer) {
  const at = await givenRecord(server)
  const second = await server.as(await server.given.warden(at.org, { role: 'Chief Warden', firstName: 'Second' }))
  const add = (addition: object, by = at.manager) =>
    by(addToRecord, { params: { eventUid: at.eventUid }, body: addition as NewAddition }, withKey())
  const step = (target: string, base: string, step: string, by = at.manager) =>
    add({ kind: 'action_step', body: { target, base, step } }, by)
  const actions = (query = {}) => at.manager(listActions, { query })
  return { ...at, second, add, step, actions }
}

test('AAR-25 AAR-26 AAR-34 additions stand beside the record with who and when, and are journaled', async ({
  server,
}) => {
  const { add, eventUid, manager, record, persons } = await adding(server)

  await add({ kind: 'fact', body: { fact: 'weather', value: 'Rain' } })
  await add({ kind: 'sign_off', body: { role: 'Safety officer' } })
  const observedAt = new Date().toISOString()
  await add({ kind: 'observation', body: { tone: 'To improve', text: 'A door was open.' }, observed_at: observedAt })

  const after = await manager(getRecord, { params: { eventUid } })
  expect(after.record).toEqual(record)
  expect(after.additions).toMatchObject([
    {
      kind: 'fact',
      body: { fact: 'weather', value: 'Rain' },
      by: expect.stringContaining('Chief'),
      role: 'Chief Warden',
    },
    { kind: 'sign_off', mine: true },
    { kind: 'observation', observed_at: observedAt },
  ])
  const told = (await server.journalOf(eventUid)).filter(({ action }) => action === 'record_entry_added')
  expect(told.map(({ after }) => after)).toMatchObject(
    after.additions.map(({ uid, kind }) => ({ entry_uid: uid, kind, commit: expect.stringMatching(/^.{43}=$/) })),
  )
  expect(persons).toHaveLength(4)
})

test('AAR-34 LOG-09 a sign-off keeps the head of the log that stood when it was given, and no one else sets it', async ({
  server,
}) => {
  const { add, eventUid, manager, org } = await adding(server)
  const of = { clientUid: org.clientUid, eventUid }
  const newest = async () => {
    const { size, root } = (await manager(getRecord, { params: { eventUid } })).heads[0] ?? {}
    return { size, root }
  }
  const signOff = async () => (await add({ kind: 'sign_off', body: { role: 'Safety officer' } })).entry
  const sign = async () => {
    await sealWhole(server, of)
    await signHead(signingOf(server), of)
  }
  await sign()
  const before = await newest()
  const first = await signOff()
  await sign()
  const second = await signOff()

  expect(first.body).toEqual({ role: 'Safety officer', head: before })
  const after = await newest()
  expect(second.body.head).toEqual(after)
  expect(after.size).toBe(Number(before.size) + 1)
  const { additions } = await manager(getRecord, { params: { eventUid } })
  expect(additions.map(({ body }) => body.head)).toEqual([before, after])
  expect(await refused(add({ kind: 'sign_off', body: { head: before } }))).toEqual(['invalid_request'])
})

test('AAR-25 the role of all calls neither changes nor removes an addition', async ({ server }) => {
  const { add } = await adding(server)
  await add({ kind: 'fact', body: { fact: 'weather', value: 'Rain' } })

  await expect(
    server.database.tenant.db.updateTable('recordEntry').set({ byName: 'Nobody' }).execute(),
  ).rejects.toThrow('permission denied')
  await expect(server.database.tenant.db.deleteFrom('recordEntry').execute()).rejects.toThrow('permission denied')
})

test('AAR-31 AAR-33 an action goes from open to done to verified by another, and may be reopened', async ({
  server,
}) => {
  const { add, step, actions, second } = await adding(server)
  const { entry } = await add({ kind: 'action', body: openDoor })
  await server.db
    .updateTable('recordEntry')
    .set({ body: JSON.stringify({ ...entry.body, due: '2020-03-01' }) })
    .where('uid', '=', entry.uid)
    .execute()
  expect(await actions({ state: 'overdue' })).toMatchObject({
    open: 1,
    overdue: 1,
    actions: [{ state: 'open', number: 1 }],
  })

  const done = (await step(entry.uid, entry.uid, 'done')).entry.uid
  expect(await actions()).toMatchObject({ open: 0, actions: [{ state: 'done', base: done, done_by_me: true }] })
  expect(await refused(step(entry.uid, done, 'verified'), step(entry.uid, done, 'done', second))).toEqual([
    'invalid_transition',
    'invalid_transition',
  ])
  const verified = (await step(entry.uid, done, 'verified', second)).entry.uid
  expect((await actions({ state: 'verified' })).actions).toHaveLength(1)
  await step(entry.uid, verified, 'reopened')

  expect(await actions({ state: 'open' })).toMatchObject({
    open: 1,
    actions: [{ state: 'reopened', done_by_me: false }],
  })
})

test('AAR-32 of many steps that follow the same one, one is made, and the others are told', async ({ server }) => {
  const { add, step, second } = await adding(server)
  const { entry } = await add({ kind: 'action', body: openDoor })

  const answers = await refused(
    ...Array.from({ length: 8 }, (_, nth) => step(entry.uid, entry.uid, 'done', nth % 2 ? second : undefined)),
  )

  expect(answers.toSorted()).toEqual(['answered', ...Array.from({ length: 7 }, () => 'record_changed')])
})

test('AAR-31 an action names a person of the organisation and an observation of the record, or is refused', async ({
  server,
}) => {
  const { add, ada, second } = await adding(server)
  const stranger = await server.given.warden(await server.given.organisation())
  const { entry } = await add({ kind: 'observation', body: { tone: 'Note', text: 'The door.' } })
  const owned = (person: string) => ({ kind: 'action', body: { ...openDoor, owner: { person, name: 'Ada' } } })

  expect(
    await refused(
      add(owned(stranger.personUid)),
      add({ kind: 'action', body: { ...openDoor, from: randomUUID() } }),
      add({ kind: 'correction', body: { entry: '1.999999', text: 'No.' } }),
      add({ kind: 'observation', body: { tone: 'Note', text: 'x', place: stranger.assignmentUid } }),
      add({ kind: 'action_step', body: { target: entry.uid, base: entry.uid, step: 'done' } }),
      add(owned(ada.personUid), second),
      add({ kind: 'action', body: { ...openDoor, from: entry.uid } }),
    ),
  ).toEqual([...Array.from({ length: 5 }, () => 'not_found'), 'answered', 'answered'])
})

test('AAR-27 AAR-28 a drill has no outcome; a time outside the event is refused; observations end after 30 days', async ({
  server,
}) => {
  const { add } = await adding(server)
  const observation = (days: number) =>
    add({
      kind: 'observation',
      body: { tone: 'Note', text: 'A note.' },
      observed_at: new Date(Date.now() + days * 86_400_000).toISOString(),
    })

  await expect(observation(0.01)).rejects.toMatchObject({ message: 'That time is outside the event.' })
  await expect(observation(-1.1)).rejects.toMatchObject({ message: 'That time is outside the event.' })
  const observedAt = (observed_at: string) =>
    add({ kind: 'observation', body: { tone: 'Note', text: 'A note.' }, observed_at })
  // an hour ago, as a clock 23 hours ahead of UTC shows it
  const ahead = `${new Date(Date.now() + 22 * 3_600_000).toISOString().slice(0, -1)}+23:00`
  expect(await refused(observedAt('2016-12-31T23:59:60Z'), observedAt(ahead))).toEqual(['invalid_request', 'answered'])
  await expect(add({ kind: 'outcome', body: { outcome: 'Emergency' } })).rejects.toMatchObject({
    code: 'invalid_request',
  })
  await server.db
    .updateTable('event')
    .set({ endedAt: new Date(Date.now() - 31 * 86_400_000) })
    .execute()
  expect(await refused(observation(-31))).toEqual(['invalid_transition'])
})

test('AAR-45 facts and sign-off need the whole event, an observation one of its places', async ({ server }) => {
  const { add, org, eventUid } = await adding(server)
  const [, second, third] = org.floors
  const warden = await server.as(
    await server.given.warden(org, { floorUid: second, modules: ['Module_Event_Records'] }),
  )
  const seen = (place: string) => add({ kind: 'observation', body: { tone: 'Note', text: 'Seen.', place } }, warden)
  await add({ kind: 'observation', body: { tone: 'Note', text: 'Elsewhere.', place: third } })

  expect(
    await refused(
      add({ kind: 'fact', body: { fact: 'weather', value: 'Rain' } }, warden),
      add({ kind: 'sign_off', body: {} }, warden),
      seen(third),
      seen(second),
    ),
  ).toEqual(['not_found', 'not_found', 'not_found', 'answered'])
  const { additions } = await warden(getRecord, { params: { eventUid } })
  expect(additions.map(({ body }) => body.text)).toEqual(['Seen.'])
})

test('AAR-35 AAR-45 a correction names an entry, a sentence or a figure of the event, and who reaches a part sees and corrects that part', async ({
  server,
}) => {
  const { add, org, eventUid, manager } = await adding(server)
  const [ground, second, third] = org.floors
  const modules = ['Module_Event_Records'] as const
  const tenant = await server.as(await server.given.warden(org, { floorUid: second, modules }))
  const neighbour = await server.as(await server.given.warden(org, { floorUid: ground, modules }))
  const correct = (body: object, by = manager) => add({ kind: 'correction', body: { ...body, text: 'Wrong.' } }, by)
  const { entries } = await manager(listTimeline, { params: { eventUid }, query: { show: 'all' } })
  const of = (action: string) => entries.find((entry) => entry.action === action)?.id
  const [start, clear] = [of('event_started'), of('floor_status_set')]

  expect(
    await refused(
      // sentence 24 is not in this record
      ...[{ entry: start }, { entry: clear }, { sentence: 1 }, { sentence: 24 }, { figure: 'safe' }].map((body) =>
        correct(body),
      ),
      ...[org.buildingUid, third].map((place) => correct({ figure: 'clear_after', place })),
    ),
  ).toEqual(Array.from({ length: 7 }, () => 'answered'))
  expect(
    await refused(
      correct({ entry: '1.999999' }),
      correct({ figure: 'clear_after', place: randomUUID() }),
      correct({ figure: 'clear_after' }),
      correct({ figure: 'safe', place: third }),
      correct({ figure: 'happiness' }),
      correct({ sentence: 1, figure: 'safe' }),
      correct({ sentence: 26 }),
    ),
  ).toEqual([...Array.from({ length: 2 }, () => 'not_found'), ...Array.from({ length: 5 }, () => 'invalid_request')])
  expect(
    await refused(
      ...[{ entry: start }, { entry: clear }, { sentence: 1 }, { figure: 'safe' }].map((body) => correct(body, tenant)),
      correct({ figure: 'clear_after', place: third }, tenant),
      correct({ figure: 'clear_after', place: second }, tenant),
      correct({ entry: clear }, neighbour),
    ),
  ).toEqual([...Array.from({ length: 5 }, () => 'not_found'), 'answered', 'answered'])
  const seenBy = async (by: typeof manager) =>
    (await by(getRecord, { params: { eventUid } })).additions.map(({ body: { text, ...body } }) => body)
  expect(await seenBy(tenant)).toEqual([{ figure: 'clear_after', place: second }])
  expect(await seenBy(neighbour)).toEqual([
    { entry: clear, place: ground },
    { entry: clear, place: ground },
  ])
})

test('AAR-45 who reaches a part of an event sees, counts and steps only actions that are own or of that part', async ({
  server,
}) => {
  const { add, step, org, eventUid } = await adding(server)
  const [, second, third] = org.floors
  const modules = ['Module_Event_Records'] as const
  const tenant = await server.as(await server.given.warden(org, { floorUid: second, modules }))
  const seen = async (place: string) =>
    (await add({ kind: 'observation', body: { tone: 'To improve', text: 'A door stuck.', place } })).entry.uid
  const [here, there] = [await seen(`${second}`), await seen(`${third}`)]
  const action = async (from: string) => (await add({ kind: 'action', body: { ...openDoor, from } })).entry.uid
  const [own, other] = [await action(here), await action(there)]
  await step(own, own, 'done')

  const { actions, open } = await tenant(listActions, { query: {} })
  expect([actions.map(({ uid }) => uid), open]).toEqual([[own], 0])
  const { additions } = await tenant(getRecord, { params: { eventUid } })
  expect(additions.map(({ kind }) => kind)).toEqual(['observation', 'action', 'action_step'])
  expect(await refused(step(other, other, 'done', tenant))).toEqual(['not_found'])
})

test('AAR-25 nothing is added to a record that is still being written', async ({ server }) => {
  const { start, end, manager, org } = await givenDrilled(server)
  const eventUid = await start()
  await end()
  await server.db
    .insertInto('eventRecord')
    .values({
      clientUid: org.clientUid,
      eventUid,
      number: 1,
      siteUid: org.siteUid,
      kind: 'drill',
      search: '',
      buildingUids: [org.buildingUid],
      floorUids: [],
      beganAt: new Date(),
      endedAt: new Date(),
    })
    .execute()

  const fact = { kind: 'fact', body: { fact: 'weather', value: 'Rain' } } as const
  expect(await refused(manager(addToRecord, { params: { eventUid }, body: fact }, withKey()))).toEqual([
    'record_not_ready',
  ])
  expect(await manager(getRecord, { params: { eventUid } })).toMatchObject({ state: 'writing', record: null })
})
