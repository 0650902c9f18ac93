import { expect } from 'vitest'
import { actions } from '#features/live-updates/actions.ts'
import type { CallAnswer } from '#kernel/route.ts'
import { sealWhole, writeEntry } from '#server/testing/event-log.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { listTimeline, type TimelineEntry } from '../calls/records.ts'
import { givenDrilled, writeRecords } from './records.fixture.ts'

/** A drill with a safe person, a person in danger who was seen 42 s before, an overruled sight, and a cleared floor. */
async function timed(server: TestServer) {
  const at = await givenDrilled(server)
  const eventUid = await at.start()
  await server.db
    .updateTable('event')
    .set(({ ref }) => ({
      startedAt: new Date(Date.now() - 600_000),
      beganAt: new Date(Date.now() - 600_000),
      message: ref('message'),
    }))
    .where('uid', '=', eventUid)
    .execute()
  const { mark, clear } = await at.warden()
  const [one, two] = at.persons
  await mark(`${one}`, 'safe')
  await mark(`${two}`, 'in danger', 42)
  await mark(`${two}`, 'safe', 300)
  await clear()
  await at.end()
  await writeRecords(server)
  const read = async (query = {}, by = at.manager) => by(listTimeline, { params: { eventUid }, query })
  return { ...at, eventUid, read }
}
const whats = ({ entries }: { entries: TimelineEntry[] }) => entries.map(({ what }) => what)

test('AAR-10 key moments leave out statuses other than danger; everything has each entry once, in order', async ({
  server,
}) => {
  const { read, persons } = await timed(server)
  const [one, two] = await Promise.all(
    persons.slice(0, 2).map(async (uid) => {
      const { firstName, lastName } = await server.db
        .selectFrom('person')
        .select(['firstName', 'lastName'])
        .where('uid', '=', uid)
        .executeTakeFirstOrThrow()
      return `${firstName} ${lastName}`
    }),
  )

  const moments = whats(await read())
  expect(moments).toEqual([
    'Started the event: “Evacuate now.”',
    expect.stringMatching(/^Chief .* reported in$/),
    expect.stringMatching(/^Ada .* reported in$/),
    `${two}: In Danger, Tower A - Ground`,
    'Tower A - Ground: Evacuating',
    expect.stringContaining('Ended the event'),
    'The record was written',
  ])
  const all = await read({ show: 'all' })
  expect(whats(all)).toEqual(expect.arrayContaining([...moments, `${one}: Safe, Tower A - Ground`]))
  expect(new Set(all.entries.map(({ id }) => id)).size).toBe(all.entries.length)
})

test('AAR-10 an entry says when it was seen, how late it came, and that a newer danger stood', async ({ server }) => {
  const { read } = await timed(server)

  const { entries } = await read({ show: 'all', late: 'yes' })

  expect(entries).toMatchObject([
    { who: expect.stringContaining('Ada'), role: 'Floor Warden', late: 42, overruled: false },
    { late: 300, overruled: true },
  ])
  const [danger] = entries
  expect(Date.parse(danger?.recorded_at ?? '') - Date.parse(danger?.seen_at ?? '')).toBeGreaterThanOrEqual(42_000)
})

test('AAR-10 the timeline is read page by page, by person, floor and kind', async ({ server }) => {
  const { read, persons, org } = await timed(server)
  // the first reading is journaled
  await read()
  const all = (await read({ show: 'all' })).entries

  expect((await read({ show: 'all', after: all[2]?.id })).entries).toEqual(all.slice(3))
  expect((await read({ show: 'all', person: persons[1] })).entries).toHaveLength(2)
  expect((await read({ show: 'all', floor: org.floors[0] })).entries).toHaveLength(4)
  expect((await read({ action: 'floor_status_set' })).entries).toHaveLength(1)
  expect(await refused(read({ after: 'no key' }))).toEqual(['invalid_request'])
})

test('AAR-02 AAR-10 a floor warden reads the entries of their floor, and of the whole event without names', async ({
  server,
}) => {
  const { read, org } = await timed(server)
  const [, second] = org.floors
  const other = await server.as(await server.given.warden(org, { floorUid: second, modules: ['Module_Event_Records'] }))

  const { entries } = await read({ show: 'all' }, other)

  expect(entries.map(({ action, who }) => [action, who])).toEqual([
    ['event_started', null],
    ['event_ended', null],
  ])
})

test('AAR-10 AAR-17 who reads a timeline is journaled once an hour', async ({ server }) => {
  const { read, eventUid } = await timed(server)
  const seen = async () =>
    (await server.journalOf(eventUid)).filter(({ action }) => action === 'record_names_seen').length

  await read()
  await read({ show: 'all' })
  expect(await seen()).toBe(1)
  await server.database.owner.db
    .updateTable('journal')
    .set({ recordedAt: new Date(Date.now() - 3_660_000) })
    .where('action', '=', 'record_names_seen')
    .execute()
  await read()
  expect(await seen()).toBe(2)
})

test('FEED-06 AAR-10 each action that an event may have reads as its line, with every part filled in', async ({
  server,
}) => {
  const { read, eventUid, org } = await timed(server)
  const lines = [...actions].filter(([, { line }]) => line !== undefined).map(([action]) => action)
  const { clientUid } = org
  await server.db
    .insertInto('journal')
    .values(lines.map((action) => ({ clientUid, eventUid, action, subjectType: 'event', subjectUid: eventUid })))
    .execute()
  await sealWhole(server, { clientUid, eventUid })

  const entries: TimelineEntry[] = []
  for (let after: string | undefined; ; ) {
    const page: CallAnswer<typeof listTimeline> = await read({ show: 'all', after })
    entries.push(...page.entries)
    if (page.next === null) break
    after = page.next
  }

  expect(entries.filter(({ what }) => /[{}]/.test(what))).toEqual([])
  // these the log writes itself: a row beside it is none of it
  const own = new Set(['log_form', 'log_moved', 'log_broken'])
  expect(new Set(entries.map(({ action }) => action))).toEqual(new Set(lines.filter((action) => !own.has(action))))
})

test('SEAL-06 a sealed row that is deleted is missing, one that is changed says so, and one that is invented is left out', async ({
  server,
}) => {
  const { eventUid, read } = await timed(server)
  const owner = server.database.owner.pg
  const whole = await read({ show: 'all' })
  expect(new Set(whole.entries.map(({ n }) => n)).size).toBe(whole.entries.length)
  expect(whole.left_out).toBe(0)
  const gone = whole.entries.find(({ action }) => action === 'floor_status_set')
  const changed = whole.entries.find(({ action }) => action === 'warden_reported_in')
  const positionOf = (entry: typeof gone) => entry?.id.split('.')[1]

  await owner.query('delete from journal where event_uid = $1 and position = $2', [eventUid, positionOf(gone)])
  await owner.query(`update journal set subject_uid = gen_random_uuid() where event_uid = $1 and position = $2`, [
    eventUid,
    positionOf(changed),
  ])
  await owner.query(
    `insert into journal (xid, client_uid, event_uid, action, subject_type, subject_uid, after)
     select xid, client_uid, event_uid, 'evacuee_status_set', 'event', event_uid, '{"status": "danger"}' from journal
     where event_uid = $1 and action = 'event_started'`,
    [eventUid],
  )

  const all = await read({ show: 'all' })
  expect(all.left_out).toBe(1)
  expect(all.entries.find(({ n }) => n === gone?.n)).toMatchObject({
    what: `Entry ${gone?.n} is missing.`,
    mark: 'missing',
  })
  expect(all.entries.find(({ n }) => n === changed?.n)).toMatchObject({
    what: 'This entry is not what was logged.',
    mark: 'changed',
  })
  expect((await read()).left_out).toBe(1)
})

test('SEAL-03 the timeline has the names that statuses, floors and roles had at the entry', async ({ server }) => {
  const { read, org } = await timed(server)
  const { db } = server
  await db
    .updateTable('floorStatus')
    .set({ name: 'Renamed' })
    .where('clientUid', '=', org.clientUid)
    .where('code', '=', 'EV')
    .execute()
  await db.updateTable('floor').set({ name: 'Renamed floor' }).where('uid', '=', org.floorUid).execute()
  await db
    .updateTable('wardenRole')
    .set({ name: 'Renamed role' })
    .where('clientUid', '=', org.clientUid)
    .where('name', '=', 'Floor Warden')
    .execute()

  const { entries } = await read({ show: 'all' })

  expect(JSON.stringify(entries)).not.toContain('Renamed')
  expect(entries.map(({ what }) => what)).toContain('Tower A - Ground: Evacuating')
})

test('REC2-23 danger, refusals, calls for help and outages are marked, and buildings are named', async ({ server }) => {
  const { org, start, end, warden, persons, manager } = await givenDrilled(server)
  const eventUid = await start()
  const { mark, refuse } = await warden()
  await mark(`${persons[0]}`, 'in danger')
  await refuse(`${persons[1]}`)
  await refuse(`${persons[1]}`)
  const of = { clientUid: org.clientUid, eventUid }
  const at = new Date().toISOString()
  await writeEntry(server.db, of, 'buildings_added', { buildings: [org.otherBuildingUid] })
  await writeEntry(server.db, of, 'buildings_removed', { buildings: [org.otherBuildingUid, org.buildingUid] })
  await writeEntry(server.db, of, 'self_report_made', { way: 'text', says: 'help' })
  await writeEntry(server.db, of, 'service_gap', { from: at, to: at, what: 'server' })
  await end()
  await writeRecords(server)
  const modules = ['Module_Event_Records'] as const
  const tenant = await server.as(await server.given.warden(org, { floorUid: org.floors[1], modules: [...modules] }))
  const read = async (by = manager) =>
    (await by(listTimeline, { params: { eventUid }, query: { show: 'all' } })).entries

  const entries = await read()
  expect(entries.flatMap(({ action, mark: of }) => (of ? [[action, of]] : []))).toEqual([
    ['evacuee_status_set', 'danger'],
    ['evacuee_refusal_set', 'refusal'],
    ['self_report_made', 'help'],
    ['service_gap', 'outage'],
  ])
  const changes = (all: readonly TimelineEntry[]) =>
    all.filter(({ action }) => action.startsWith('buildings_')).map(({ what }) => what)
  expect(changes(entries)).toEqual(['Added Tower B to the event', 'Took Tower A, Tower B out of the event'])
  // who reaches a part learns no name of another building
  expect(changes(await read(tenant))).toEqual(['Added buildings to the event', 'Took buildings out of the event'])
})
