import { sql } from 'kysely'
import { expect } from 'vitest'
import { exported, unzip } from '#features/exports/server/exports.fixture.ts'
import { pagesFor } from '#features/exports/server/pdf/sections.fixture.ts'
import { forget } from '#features/operation/server/retention/retention.service.ts'
import { bundleNow, sealWhole } from '#server/testing/event-log.ts'
import { test } from '#server/testing/server-test.ts'
import { startTestServer, type TestServer } from '#server/testing/test-server.ts'
import { getRecord, listNames, listRecords, listTimeline } from '../calls/records.ts'
import { givenDrilled, givenRecord, writeRecords } from './records.fixture.ts'

type Given = Awaited<ReturnType<typeof givenRecord>>

/** Everyone and everything of the organisation is called something else now. */
async function renameAll({ db }: TestServer, { org: { clientUid } }: Given) {
  const of = sql`client_uid = ${clientUid}`
  await sql`update person set first_name = 'Renamed', last_name = 'Renamed' where ${of}`.execute(db)
  await sql`update warden_role set name = 'Renamed ' || code where ${of}`.execute(db)
  await sql`update floor_status set name = 'Renamed ' || code where ${of}`.execute(db)
  await sql`update event_type set type = 'Renamed ' || code where ${of}`.execute(db)
  await sql`update building set name = 'Renamed ' || code where ${of}`.execute(db)
  await sql`update floor set name = 'Renamed ' || code where ${of}`.execute(db)
  await sql`update site set name = 'Renamed' where ${of}`.execute(db)
}

const params = ({ eventUid }: Given) => ({ eventUid })

/** What pages show of the record: head, timeline and names. Without the entries that reading and exporting add. */
async function shownOf(at: Given) {
  const { manager } = at
  const lists = await Promise.all(
    (['unaccounted', 'refused', 'danger'] as const).map((list) =>
      manager(listNames, { params: params(at), body: { list } }),
    ),
  )
  const { entries } = await manager(listTimeline, { params: params(at), query: { show: 'all' } })
  const { record } = await manager(getRecord, { params: params(at) })
  const cards = (await manager(listRecords, { query: {} })).records
  return {
    lists: lists.map(({ people }) => people),
    entries: entries.filter(({ action }) => action !== 'record_names_seen' && action !== 'record_exported'),
    record,
    cards,
  }
}

test('SEAL-03 pages of a record have the words of the event, whatever is renamed after it', async ({ server }) => {
  const at = await givenRecord(server)
  await sealWhole(server, { clientUid: at.org.clientUid, eventUid: at.eventUid })
  const before = await shownOf(at)

  await renameAll(server, at)

  expect(await shownOf(at)).toEqual(before)
  expect(before.lists.flat().map(({ name, last_by }) => [name.split(' ')[0], last_by?.split(' ')[0]])).toEqual([
    ['Occupant', undefined],
    ['Occupant', 'Ada'],
  ])
  expect(before.entries.map(({ who, role }) => [who?.split(' ')[0], role])).toEqual(
    expect.arrayContaining([
      ['Ada', 'Floor Warden'],
      ['Chief', 'Chief Warden'],
    ]),
  )
})

test('SEAL-03 names stand in the order that the floors had in the event', async ({ server }) => {
  const at = await givenDrilled(server, 1)
  const [, above] = at.org.floors
  await server.given.occupant(at.org, { floorUid: above })
  const eventUid = await at.start()
  await at.end()
  await writeRecords(server)
  const places = async () => {
    const { people } = await at.manager(listNames, { params: { eventUid }, body: { list: 'unaccounted' } })
    return people.map(({ place }) => place)
  }
  const before = await places()
  expect(before.indexOf('Tower A - Level 1')).toBeLessThan(before.indexOf('Tower A - Ground'))

  await sql`update floor set level = -level - 5 where client_uid = ${at.org.clientUid}`.execute(server.db)

  expect(await places()).toEqual(before)
})

test('SEAL-03 spreadsheets and the PDF have the words of the event, too', async ({ server }) => {
  const at = await givenRecord(server)
  const { manager, eventUid } = at
  const csv = async () => {
    const members = await unzip((await exported(server, manager, eventUid, 'csv', 'all')).file)
    // each export adds an entry
    return [...members].map(([name, text]) => [
      name,
      `${text}`.split('\n').filter((line) => !line.includes('record_exported')),
    ])
  }
  const before = await csv()
  expect(JSON.stringify(before)).toMatch(/Occupant.*Chief/)
  const pages = await pagesFor(server, eventUid, 'all')

  await renameAll(server, at)

  expect(await pagesFor(server, eventUid, 'all')).toEqual(pages)
  expect(await csv()).toEqual(before)
})

test('SEAL-03 an entry after the end says by whom it is and in which role; of someone whose line is gone the name of now stands', async ({
  server,
}) => {
  const at = await givenRecord(server)
  const { manager, eventUid, org } = at
  const of = { clientUid: org.clientUid, eventUid }
  await manager(listNames, { params: params(at), body: { list: 'refused' } })
  await sealWhole(server, of)
  const chief = { name: expect.stringMatching(/^Chief /), role: 'Chief Warden' }
  const seen = (await server.journalOf(eventUid)).filter(({ action }) => action === 'record_names_seen')
  expect(seen.map(({ after }) => (after as { by: unknown }).by)).toEqual([chief])

  await renameAll(server, at)
  await sql`update log_tile set lines = null where event_uid = ${eventUid} and file = 'people'`.execute(
    server.database.owner.db,
  )

  const { entries } = await manager(listTimeline, { params: params(at), query: { show: 'all' } })
  expect(entries.filter(({ action }) => action === 'record_names_seen')).toMatchObject([
    { who: chief.name, role: chief.role },
  ])
  const byAda = entries.filter(({ action }) => action === 'evacuee_refusal_set')
  expect(byAda).toMatchObject([{ who: 'Renamed Renamed', what: expect.stringContaining('Renamed Renamed refuses') }])
})

test('SEAL-06 an entry that names someone by a line that is not what was packed says so', async ({ server }) => {
  const at = await givenRecord(server)
  const { manager, eventUid } = at
  await sql`update log_tile set commits = decode(repeat('00', length(commits)), 'hex') where event_uid = ${eventUid}
    and file = 'people'`.execute(server.database.owner.db)

  const read = async () => (await manager(listTimeline, { params: params(at), query: { show: 'all' } })).entries

  const changed = (await read()).filter(({ what }) => what === 'This entry is not what was logged.')
  expect(changed.map(({ action }) => action)).toContain('evacuee_status_set')
})

test('SEAL-04 retention of the event takes the names out of what was added beside it, and the log says so', async () => {
  await using server = await startTestServer()
  const at = await givenRecord(server, { days: 100 })
  const { manager, eventUid, org } = at
  const of = { clientUid: org.clientUid, eventUid }
  await manager(listNames, { params: params(at), body: { list: 'refused' } })
  await sealWhole(server, of)
  const named = async () => {
    const { rows } = await sql`
      select from journal where event_uid = ${eventUid} and after -> 'by' ->> 'name' is not null`.execute(server.db)
    return rows.length
  }
  expect(await named()).toBeGreaterThan(0)

  await forget(server.database.system, { events: 95 })

  expect(await named()).toBe(0)
  using bundle = await bundleNow(server, of)
  expect(await bundle.check()).toMatchObject({ code: 0 })
})
