import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { openEpoch } from '#server/realtime/feed/epoch.ts'
import { bundleNow, oldDrill, writeEntry } from '#server/testing/event-log.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { commitOf, journalLine, newSalt, saltedLine } from '../log-line.ts'
import { readWords } from '../names/names-kept.service.ts'
import { readPeople } from '../people/people-named.service.ts'
import { getLog, type LogOf, rowColumns, type UnsealedRow } from '../sealing.queries.ts'
import { sealEvent } from '../sealing.service.ts'

/** The log of an ended event as the version before has left it. */
async function logOfOne(server: TestServer) {
  const { of } = await oldDrill(server, 3)
  const secret = randomBytes(32)
  const { rows } = await sql<UnsealedRow>`
    select ${rowColumns} from journal j where j.event_uid = ${of.eventUid} and j.action <> 'names_kept'
    order by j.xid, j.position`.execute(server.db)
  await sql`delete from journal where event_uid = ${of.eventUid} and action = 'names_kept'`.execute(server.db)
  const epoch = await openEpoch(server.db)
  const last = rows.at(-1) as UnsealedRow
  await sql`
    insert into record_log (client_uid, event_uid, salt_secret, size, last_xid, last_position, epoch, read_epoch)
    values (${of.clientUid}, ${of.eventUid}, ${secret}, ${rows.length}, ${last.xid}::xid8, ${last.position}, ${epoch}, ${epoch})`.execute(
    server.db,
  )
  const commits = rows.map((row, at) =>
    commitOf(journalLine({ saltSecret: secret, formFrom: null }, at + 1, row) as string),
  )
  const xids = rows.map(({ xid }) => Number(xid))
  await server.db
    .insertInto('logTile')
    .values({
      ...of,
      file: 'journal',
      idx: 0,
      keys: rows.map(({ position }) => position),
      firstXid: Math.min(...xids),
      lastXid: Math.max(...xids),
      commits: Buffer.concat(commits),
    })
    .execute()
  return { of, rows }
}
const formOf = async (server: TestServer, { eventUid }: LogOf) =>
  (await server.journalOf(eventUid)).find(({ action }) => action === 'log_form')?.after as Record<string, unknown>

test('SEAL-14 a log of version 1 changes form once, and its lines of then are made as of old', async ({ server }) => {
  const { of, rows } = await logOfOne(server)

  await sealEvent(server.db, of)
  await sealEvent(server.db, of)
  await writeEntry(server.db, of, 'unread_changed', {})

  using bundle = await bundleNow(server, of)
  const lines = bundle.linesOf('journal.ndjson').map((line) => JSON.parse(line))
  expect(lines.map(({ v }) => v)).toEqual([...rows.map(() => 1), 2, 2])
  expect(lines[rows.length]).toMatchObject({ action: 'log_form', salt: 'open' })
  expect(await getLog(server.db, of)).toMatchObject({ formFrom: rows.length + 1 })
  const { code, lines: said } = await bundle.check()
  expect(code).toBe(0)
  expect(said).toContain(
    `Before entry ${rows.length + 1} this log is of version 1: 0 lines were already gone, and no entry says why.`,
  )
})

test('SEAL-14 it fixes what was gone by then; what goes later without an entry is missing', async ({ server }) => {
  const { of, rows } = await logOfOne(server)
  await sql`delete from journal where event_uid = ${of.eventUid} and position = ${rows[1]?.position}`.execute(server.db)

  await sealEvent(server.db, of)

  expect((await formOf(server, of)).missing).toEqual({ journal: [[2, 2]] })
  using first = await bundleNow(server, of)
  expect(await first.check()).toMatchObject({ code: 0 })
  await sql`delete from journal where event_uid = ${of.eventUid} and position = ${rows[2]?.position}`.execute(server.db)
  using second = await bundleNow(server, of)
  expect(await second.check()).toMatchObject({
    code: 1,
    lines: ['BROKEN', 'Entry 3 is missing, and no entry says that it was erased.'],
  })
})

test('SEAL-14 it keeps the words of the event', async ({ server }) => {
  const { of } = await logOfOne(server)
  expect((await readWords(server.db, of)).site()).toBeUndefined()

  await sealEvent(server.db, of)

  const words = await readWords(server.db, of)
  expect(words.type()?.name).toBe('Fire')
  const { rows } = await sql<{ uid: string; name: string }>`
    select f.uid, f.name from event_floor ef join floor f on f.uid = ef.floor_uid where ef.event_uid = ${of.eventUid}`.execute(
    server.db,
  )
  expect(rows.length).toBeGreaterThan(0)
  for (const { uid, name } of rows) expect(words.floor(uid)?.name).toBe(name)
})

test('SEAL-14 people of a log of version 1 keep the names with which they were packed', async ({ server }) => {
  const { of } = await logOfOne(server)
  const { uid: evacuee, personUid: person } = await server.db
    .selectFrom('evacuee')
    .select(['uid', 'personUid'])
    .where('eventUid', '=', of.eventUid)
    .executeTakeFirstOrThrow()
  const line = saltedLine(newSalt(), { v: 1, n: 1, kind: 'evacuee', evacuee, person, name: 'Ada Then' })
  const tile = { file: 'people', idx: 0, keys: [], commits: commitOf(line), lines: gzipSync(line) }
  await server.db
    .insertInto('logTile')
    .values({ ...of, ...tile })
    .execute()

  await sealEvent(server.db, of)

  const packed = { name: 'Ada Then', role: null, isAsLogged: true }
  expect([...(await readPeople(server.db, of, [person]))]).toEqual([[person, packed]])
})
