import { sql } from 'kysely'
import { expect } from 'vitest'
import { openPools } from '#server/testing/database.ts'
import { bundleNow, closeRecord, endedDrill, runningDrill } from '#server/testing/event-log.ts'
import { test } from '#server/testing/server-test.ts'
import { packPeople } from './people-packed.service.ts'

test('SEAL-03 people have a line from when they join, with the name that they had; it ends without names', async ({
  server,
}) => {
  const { of, persons, org } = await runningDrill(server)
  await packPeople(server.db, of)
  await sql`update person set last_name = 'Renamed' where uid = ${persons[0]}`.execute(server.db)
  await packPeople(server.db, of)
  const late = await server.given.occupant(org)
  await sql`
    insert into evacuee (client_uid, event_uid, person_uid, sort_name, home_building_uid, home_floor_uid, building_uid, floor_uid)
    select client_uid, event_uid, ${late}, 'x', home_building_uid, home_floor_uid, building_uid, floor_uid from evacuee
    where event_uid = ${of.eventUid} limit 1`.execute(server.db)
  await closeRecord(server, of).catch(() => undefined)
  await packPeople(server.db, of)

  const packings = (await server.journalOf(of.eventUid)).filter(({ action }) => action === 'people_packed')
  const { rows } = await sql<{ wardens: number }>`
    select count(*)::int as wardens from warden_sign_in where event_uid = ${of.eventUid}`.execute(server.db)
  const joined = (rows[0]?.wardens ?? 0) + persons.length
  expect(packings.map(({ after }) => (after as { lines: number }).lines)).toEqual([joined, joined + 1])
})

test('SEAL-03 a bundle has each person once, and the packing of then is the beginning of what was closed', async ({
  server,
}) => {
  const { of, persons } = await endedDrill(server, 300)
  await closeRecord(server, of)

  using bundle = await bundleNow(server, of)
  const people = bundle.linesOf('people.ndjson').map((line) => JSON.parse(line))
  const ends = bundle.linesOf('ends.ndjson').map((line) => JSON.parse(line))
  expect(people.map(({ n }) => n)).toEqual([...people.keys()].map((at) => at + 1))
  expect(new Set(people.filter(({ kind }) => kind === 'evacuee').map(({ person }) => person))).toEqual(new Set(persons))
  expect(ends).toHaveLength(persons.length)
  expect(JSON.stringify(ends)).not.toMatch(/"name"/)
  expect(await bundle.check()).toMatchObject({ code: 0 })
})

test('SEAL-03 workers that pack at once give each person one line', async ({ server }) => {
  const { of, persons } = await runningDrill(server, 20)
  await using other = openPools(server.database.connection)

  await Promise.all(Array.from({ length: 8 }, (_, at) => packPeople(at % 2 ? other.system.db : server.db, of)))

  const { rows } = await sql<{ uid: string }>`
    select subject as uid from log_person where event_uid = ${of.eventUid}`.execute(server.db)
  expect(new Set(rows.map(({ uid }) => uid)).size).toBe(rows.length)
  expect(rows.length).toBeGreaterThan(persons.length)
})
