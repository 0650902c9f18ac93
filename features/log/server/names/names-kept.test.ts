import { sql } from 'kysely'
import { expect } from 'vitest'
import { createEvent } from '#features/events/calls/events.ts'
import { changeFloorStatus, listFloorStatuses } from '#features/organisation/calls/lists.ts'
import { changePlace, listPlaces } from '#features/places/calls.ts'
import { givenConsole } from '#server/testing/console-organisation.ts'
import { startInput } from '#server/testing/event-input.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { EventWords, readWords } from './names-kept.service.ts'

/** An event in Tower A, and an administrator who renames. */
async function renaming(server: TestServer) {
  const at = await givenConsole(server)
  const { org, call } = at
  const event = await server.runningEvent(org)
  const of = { clientUid: org.clientUid, eventUid: event.eventUid }
  const renameStatus = async (name: string) => {
    const { uid, ...row } = (await call(listFloorStatuses, {})).rows[1] as never as { uid: string }
    await call(changeFloorStatus, { params: { uid }, body: { ...row, name } } as never, withKey())
    return uid
  }
  const renameFloor = async (name: string) => {
    const { floors } = await call(listPlaces, { query: { site: org.siteUid } })
    const floor = floors.find(({ uid }) => uid === org.floorUid)
    if (!floor) throw new Error('no floor')
    const body = { version: floor.version, name, code: floor.code }
    await call(changePlace, { params: { uid: org.floorUid }, body } as never, withKey())
  }
  const lastPlace = async () => {
    const { rows } = await sql<{ xid: string; position: string }>`
      select xid::text, position::text from journal where event_uid = ${event.eventUid}
      order by journal.xid desc, journal.position desc limit 1`.execute(server.db)
    return rows[0]
  }
  return { ...at, ...event, of, renameStatus, renameFloor, lastPlace, words: () => readWords(server.db, of) }
}

test('SEAL-03 an event that starts keeps the words of its site, type, statuses, roles, buildings and floors', async ({
  server,
}) => {
  const { org, words } = await renaming(server)

  const kept = await words()

  expect([kept.site()?.name, kept.type()?.name]).toEqual([org.siteName, 'Fire'])
  expect(kept.building(org.buildingUid)).toEqual({ uid: org.buildingUid, name: 'Tower A' })
  expect(kept.floor(org.floorUid)).toEqual({
    uid: org.floorUid,
    name: 'Ground',
    level: 0,
    buildingUid: org.buildingUid,
  })
  expect(org.statusUids.map((uid) => kept.status(uid)?.order)).toEqual([1, 2, 9])
  expect(kept.building(org.otherBuildingUid)).toBeUndefined()
  const { rows } = await sql<{ uid: string; name: string; modules: string[] }>`
    select uid, name, modules from warden_role where client_uid = ${org.clientUid}`.execute(server.db)
  expect(rows.length).toBeGreaterThan(0)
  for (const { uid, name, modules } of rows) expect(kept.role(uid)).toMatchObject({ name, modules })
})

test('SEAL-03 a building that joins a running event brings its words', async ({ server }) => {
  const { org, manager, words } = await renaming(server)

  await manager(createEvent, startInput(org, { buildings: [org.otherBuildingUid] }))

  expect((await words()).floor(org.otherFloorUid)).toMatchObject({ name: 'Ground', buildingUid: org.otherBuildingUid })
})

test('SEAL-03 a word that is changed while the event runs is what it was at each entry', async ({ server }) => {
  const { org, lastPlace, renameFloor, renameStatus, words } = await renaming(server)
  const before = await lastPlace()
  const wasStatus = (await words()).status(org.statusUids[1] as string)?.name

  await renameFloor('Lobby')
  expect(await renameStatus('Searched')).toBe(org.statusUids[1])

  const kept = await words()
  const [floor, status] = [org.floorUid, org.statusUids[1] as string]
  expect([kept.floor(floor, before)?.name, kept.floor(floor)?.name]).toEqual(['Ground', 'Lobby'])
  expect([kept.status(status, before)?.name, kept.status(status)?.name]).toEqual([wasStatus, 'Searched'])
})

test('SEAL-03 words are of the entry before in the order of transactions, not of positions', () => {
  const named = (xid: string, position: string, name: string) => ({
    xid,
    position,
    after: { building_uid: 'b', name, floors: [] },
  })
  const kept = new EventWords([named('9', '20', 'first'), named('10', '5', 'second')])

  expect(kept.building('b', { xid: '9', position: '30' })?.name).toBe('first')
  expect(kept.building('b', { xid: '10', position: '4' })?.name).toBe('first')
  expect(kept.building('b', { xid: '10', position: '5' })?.name).toBe('second')
  expect(kept.building('b', { xid: '2', position: '1' })?.name).toBe('first')
  expect(kept.building('c')).toBeUndefined()
})

test('SEAL-03 a building of over 2,000 floors is kept in pieces', async ({ server }) => {
  const org = await server.given.organisation()
  await sql`
    insert into floor (client_uid, building_uid, code, name, level)
    select ${org.clientUid}, ${org.buildingUid}, 'X' || n, 'Room ' || n, 100 + n from generate_series(1, 4100) n`.execute(
    server.db,
  )

  const { eventUid } = await server.runningEvent(org)

  const pieces = (await server.journalOf(org.buildingUid)).filter(({ action }) => action === 'names_kept')
  const sizes = pieces.map(({ after }) => (after as { floors: unknown[] }).floors.length)
  expect([sizes.length, Math.max(...sizes)]).toEqual([3, 2000])
  const { rows } = await sql<{ uid: string }>`
    select uid from floor where building_uid = ${org.buildingUid} and name = 'Room 4100'`.execute(server.db)
  const kept = await readWords(server.db, { clientUid: org.clientUid, eventUid })
  expect(kept.floor(rows[0]?.uid as string)?.level).toBe(4200)
})
