import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { type CallOptions, createCaller } from '#kernel/client/client.ts'
import type { EventUid } from '#kernel/ids.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { addToRecord } from '../../calls/additions.ts'
import {
  endObserverLink,
  getNoting,
  getObserved,
  listObserved,
  listObservers,
  makeObserverLink,
  noteAsObserver,
} from '../../calls/observing.ts'
import { getRecord } from '../../calls/records.ts'
import { givenDrilled, writeRecords } from '../records.fixture.ts'

const doorOpen = { kind: 'observation', body: { tone: 'To improve', text: 'A door was open.' } } as const
const answered = { kind: 'checklist', body: { item: 'Areas searched?', answer: 'Yes' } } as const

/** A caller with the token of an observer's link. */
const observerOf = ({ app }: TestServer, link: string) =>
  createCaller(async ({ method, url, body, headers }) => {
    const authorization = `Observer ${link.split('#')[1]}`
    const payload = body === undefined ? {} : { payload: body as object }
    const response = await app.inject({ method, url, headers: { authorization, ...headers }, ...payload })
    return { status: response.statusCode, json: response.json() }
  })

async function observing(server: TestServer) {
  const at = await givenDrilled(server)
  const [, second] = at.org.floors
  const bare = await server.given.warden(at.org, { modules: ['Module_Floor_Evacuation'] })
  const ofSecond = await server.given.warden(at.org, { floorUid: second })
  const eventUid = await at.start()
  const params = { eventUid }
  const make = (name = 'Kim Observer', by = at.manager, extras: CallOptions = withKey()) =>
    by(makeObserverLink, { params, body: { name } }, extras)
  const observer = async (name?: string) => observerOf(server, (await make(name)).link)
  const note = (by = at.manager, addition: object = doorOpen, extras: CallOptions = withKey()) =>
    by(addToRecord, { params, body: addition as typeof doorOpen }, extras)
  return { ...at, eventUid, params, make, observer, note, bare, ofSecond }
}

const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString()
const endedAgo = ({ db }: TestServer, eventUid: EventUid, days: number) =>
  db
    .updateTable('event')
    .set({ endedAt: new Date(Date.now() - days * 86_400_000) })
    .where('uid', '=', eventUid)
    .execute()

test('AAR-28 what is noted during the event stands in the record when it is written, journaled and told to phones', async ({
  server,
}) => {
  const { note, warden, manager, end, params, eventUid } = await observing(server)
  const { call } = await warden()

  await note(call, { kind: 'observation', body: { tone: 'Went well', text: 'The lobby was empty in a minute.' } })
  await end()
  await note(call, answered)
  await writeRecords(server)

  const { additions } = await manager(getRecord, { params })
  expect(additions).toMatchObject([
    { kind: 'observation', by: expect.stringContaining('Ada'), body: { tone: 'Went well' } },
    { kind: 'checklist', body: { answer: 'Yes' } },
  ])
  const told = (await server.journalOf(eventUid)).filter(({ action }) => action === 'record_entry_added')
  const commit = expect.any(String)
  const logged = additions.map(({ uid, kind }) => ({ entry_uid: uid, kind, commit }))
  expect(told.map(({ after }) => after)).toMatchObject(logged)
})

test('AAR-28 who is on duty notes without the flag, and no one else does; other additions need the flag', async ({
  server,
}) => {
  const { note, bare, end, params } = await observing(server)
  const away = await server.as(bare)
  expect(await refused(note(away))).toEqual(['not_found'])
  expect((await away(listObserved, {})).events).toEqual([])

  const onDuty = await server.onDuty(bare)
  await note(onDuty)
  expect(
    await refused(onDuty(addToRecord, { params, body: { kind: 'fact', body: { fact: 'weather', value: 'Rain' } } })),
  ).toEqual(['forbidden'])
  expect((await onDuty(getNoting, { params })).notes).toMatchObject([
    { body: { text: 'A door was open.' }, mine: true },
  ])

  await end()
  await note(onDuty)
  expect((await onDuty(listObserved, {})).events).toMatchObject([
    { event: params.eventUid, ended_at: expect.any(String) },
  ])
})

test('AAR-28 a note that waited on the phone keeps the time at which it was seen, and is added once', async ({
  server,
}) => {
  const { note, manager, params } = await observing(server)
  const seen = { 'x-observed-at': '2020-01-01T10:00:00.000Z', 'x-sent-at': '2020-01-01T16:00:00.000Z' }
  const key = randomUUID()

  // the phone's clock is years behind: only the six hours between seeing and sending count
  for (const _ of [1, 2]) await note(manager, doorOpen, { headers: { 'idempotency-key': key, ...seen } })

  const { notes } = await manager(getNoting, { params })
  expect(notes).toHaveLength(1)
  const age = Date.now() - Date.parse(notes[0]?.observed_at ?? '')
  expect(Math.round(age / 60_000)).toBe(360)
})

test('AAR-28 AAR-45 a place is one of the event and of the own area; a time is of the event; 30 days after it is over', async ({
  server,
}) => {
  const { note, manager, org, end, eventUid, ofSecond } = await observing(server)
  const [ground, second] = org.floors
  const warden = await server.onDuty(ofSecond)
  const at = (place: string, by = manager) => note(by, { ...doorOpen, body: { ...doorOpen.body, place } })

  expect(await refused(at(ground), at(org.otherFloorUid), at(ground, warden), at(second, warden))).toEqual([
    ...['answered', 'not_found', 'not_found', 'answered'],
  ])
  for (const observed_at of [hours(1), hours(-30)])
    await expect(note(manager, { ...doorOpen, observed_at })).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'That time is outside the event.',
    })
  await end()
  await endedAgo(server, eventUid, 31)
  expect(await refused(note())).toEqual(['invalid_transition'])
})

test('REC2-16 days after the event a time of its own day is taken as the clocks of the site told it, and a note without one too', async ({
  server,
}) => {
  const { note, manager, end, eventUid, params } = await observing(server)
  await end()
  const endedAt = Date.now() - 14 * 86_400_000
  const ran = { startedAt: new Date(endedAt - 600_000), endedAt: new Date(endedAt) }
  await server.db.updateTable('event').set(ran).where('uid', '=', eventUid).execute()
  const told = new Date(endedAt - 60_000 + 11 * 3_600_000).toISOString().replace(/\..*/, '+11:00')
  const saved = { headers: { 'x-observed-at': hours(0), 'x-sent-at': hours(0) } }

  await note(manager, { ...doorOpen, observed_at: told }, saved)
  await note(manager, answered, saved)
  expect(await refused(note(manager, { ...doorOpen, observed_at: hours(-24) }))).toEqual(['invalid_request'])

  const { notes } = await manager(getNoting, { params })
  expect(notes.map(({ observed_at }) => observed_at)).toEqual([new Date(told).toISOString(), null])
})

test('AAR-30 an observer sees site, kind, places, checklist and own notes, and notes under the name of the link', async ({
  server,
}) => {
  const { observer, note, manager, params, end } = await observing(server)
  const kim = await observer(' Kim Observer ')
  await note()

  const { entry } = await kim(noteAsObserver, { body: answered }, withKey())
  expect(entry).toMatchObject({ by: 'Kim Observer', mine: true })
  const shown = await kim(getObserved, {})
  expect(Object.keys(shown).sort()).toEqual([
    'checklist',
    'ended_at',
    'kind',
    'name',
    'notes',
    'places',
    'site',
    'started_at',
    'timezone',
  ])
  expect(shown).toMatchObject({
    site: 'Harbour Campus',
    kind: 'drill',
    name: 'Kim Observer',
    notes: [{ uid: entry.uid }],
  })
  expect(shown.places.map(({ name }) => name)).toEqual([
    'Tower A',
    'Tower A, Ground',
    'Tower A, Level 1',
    'Tower A, Level 2',
  ])
  expect(shown.checklist).toHaveLength(12)

  await end()
  await writeRecords(server)
  const { additions } = await manager(getRecord, { params })
  expect(additions.map(({ by, mine }) => [by, mine])).toEqual([
    [expect.stringContaining('Chief'), true],
    ['Kim Observer', false],
  ])
})

test('AAR-29 answers of several observers to one item all stand', async ({ server }) => {
  const { observer, end, manager, params } = await observing(server)
  for (const name of ['Kim', 'Lee']) await (await observer(name))(noteAsObserver, { body: answered }, withKey())
  await end()
  await writeRecords(server)

  const { additions } = await manager(getRecord, { params })
  expect(additions.map(({ by, body }) => [by, body.item])).toEqual([
    ['Kim', 'Areas searched?'],
    ['Lee', 'Areas searched?'],
  ])
})

test('AAR-30 a link ends when it is revoked and seven days after the event, and its hash alone is stored', async ({
  server,
}) => {
  const { make, manager, params, end, eventUid } = await observing(server)
  const key = withKey()
  const first = await make('Kim', manager, key)
  expect((await make('Kim', manager, key)).link).toBe(first.link)
  const token = `${first.link.split('/observe#')[1]}`
  const rows = await server.db.selectFrom('idempotency').selectAll().execute()
  expect(JSON.stringify([rows, await server.db.selectFrom('observerLink').selectAll().execute()])).not.toContain(token)
  const kim = observerOf(server, first.link)
  const lee = observerOf(server, (await make('Lee')).link)
  await kim(noteAsObserver, { body: doorOpen }, withKey())

  for (const _ of [1, 2]) await manager(endObserverLink, { params: { ...params, uid: first.observer.uid } }, withKey())

  expect(await refused(kim(getObserved, {}), kim(noteAsObserver, { body: doorOpen }))).toEqual([
    'link_ended',
    'link_ended',
  ])
  await expect(kim(getObserved, {})).rejects.toMatchObject({ status: 403, message: 'This link no longer works.' })
  expect((await manager(listObservers, { params })).observers).toMatchObject([
    { name: 'Kim', ended: true, notes: 1 },
    { name: 'Lee', ended: false, until: null, notes: 0 },
  ])
  const told = (await server.journalOf(eventUid)).map(({ action }) => action)
  expect(told.filter((action) => action.startsWith('observer_link'))).toEqual([
    ...['observer_link_made', 'observer_link_made', 'observer_link_ended'],
  ])

  await end()
  await lee(getObserved, {})
  await endedAgo(server, eventUid, 7.01)
  expect(await refused(lee(getObserved, {}), make('Late'))).toEqual(['link_ended', 'invalid_transition'])
})

test('AAR-30 of many links made at once an event gets 20', async ({ server }) => {
  const { make } = await observing(server)

  const answers = await refused(...Array.from({ length: 24 }, (_, nth) => make(`Observer ${nth}`)))

  expect(answers.filter((answer) => answer === 'answered')).toHaveLength(20)
  expect(answers.filter((answer) => answer === 'invalid_transition')).toHaveLength(4)
})

test('AAR-30 of many notes at once an observer gets 60 an hour, and 500 in all', async ({ server }) => {
  const { observer } = await observing(server)
  const kim = await observer()
  const send = (count: number) =>
    refused(...Array.from({ length: count }, () => kim(noteAsObserver, { body: doorOpen }, withKey())))

  const answers = await send(64)
  expect(answers.filter((answer) => answer === 'too_many_requests')).toHaveLength(4)
  await server.database.owner.pg.query(`update record_entry set recorded_at = now() - interval '61 minutes'`)
  expect(await send(1)).toEqual(['answered'])
  const row = await server.db.selectFrom('recordEntry').selectAll().executeTakeFirstOrThrow()
  const more = Array.from({ length: 500 - 61 }, () => ({ ...row, uid: randomUUID(), body: JSON.stringify(row.body) }))
  await server.db.insertInto('recordEntry').values(more).execute()
  expect(await send(1)).toEqual(['invalid_request'])
})

test('AAR-30 of many notes at once a record takes 5,000 entries', async ({ server }) => {
  const { note, manager, eventUid, org } = await observing(server)
  const one = { clientUid: org.clientUid, eventUid, kind: 'fact', body: '{}', byName: 'Kim' }
  for (let nth = 0; nth < 4; nth++)
    await server.db
      .insertInto('recordEntry')
      .values(Array.from({ length: nth < 3 ? 1500 : 495 }, () => one))
      .execute()

  const answers = await refused(...Array.from({ length: 8 }, () => note()))

  expect(answers.filter((answer) => answer === 'answered')).toHaveLength(5)
  await expect(note(manager)).rejects.toMatchObject({ code: 'invalid_request', message: 'This record is full.' })
})

test('AAR-45 a warden of a part of the event makes no links, and a name is needed', async ({ server }) => {
  const { make, manager, org, params } = await observing(server)
  const modules = ['Module_Event_Records'] as const
  const [ground] = org.floors
  const part = await server.as(await server.given.warden(org, { floorUid: ground, modules: [...modules] }))

  expect(await refused(make('Kim', part), part(listObservers, { params }), make('  ', manager))).toEqual([
    ...['not_found', 'not_found', 'invalid_request'],
  ])
})
