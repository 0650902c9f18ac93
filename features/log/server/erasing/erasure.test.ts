import { sql } from 'kysely'
import { test as base, expect } from 'vitest'
import { forget } from '#features/operation/server/retention/retention.service.ts'
import {
  bundleNow,
  closeRecord,
  countJournal,
  endedDrill,
  oldDrill,
  sealWhole,
  writeEntry,
} from '#server/testing/event-log.ts'
import { startTestServer, type TestServer } from '#server/testing/test-server.ts'
import { getLog } from '../sealing.queries.ts'

/** A server of its own for each test: what is deleted, is deleted everywhere. */
// biome-ignore lint/correctness/noEmptyPattern: a fixture names what it needs, and this one needs nothing
const test = base.extend('server', async ({}, { onCleanup }) => {
  const server = await startTestServer()
  onCleanup(() => server[Symbol.asyncDispose]())
  return server
})

const erasedOf = (lines: readonly string[]) =>
  lines.filter((line) => line.startsWith('{"withheld":"erased","commit":"')).length

/** A record that is closed, of an event that ended 100 days ago. */
async function oldRecord(server: TestServer) {
  const drill = await oldDrill(server, 100)
  const { size } = await closeRecord(server, drill.of)
  return { ...drill, size }
}
/** What the checker says of a bundle as it is now. */
async function checked(server: TestServer, { of }: Pick<Awaited<ReturnType<typeof oldRecord>>, 'of'>) {
  using bundle = await bundleNow(server, of)
  const { code, lines } = await bundle.check()
  const countIn = (file: string) => erasedOf(bundle.linesOf(`${file}.ndjson`))
  const count = (file: string) => bundle.linesOf(`${file}.ndjson`).length
  const erased = Object.fromEntries(
    ['journal', 'people', 'ends', 'texts', 'messages', 'record'].map((file) => [file, [countIn(file), count(file)]]),
  ) as Record<string, [number, number]>
  return { code, lines, erased, told: lines.filter((line) => line.startsWith('Erased: ')) }
}
const all = ([, count]: [number, number] = [0, 0]) => [count, count]

test('SEAL-04 retention of messages, then of the event, erases texts, messages and people; the log says so and stays INTACT', async ({
  server,
}) => {
  const record = await oldRecord(server)
  const { erased: whole } = await checked(server, record)
  expect(Math.min(...['texts', 'messages', 'people', 'ends'].map((file) => whole[file]?.[1] ?? 0))).toBeGreaterThan(0)

  await forget(server.database.system, { messages: 90 })
  const first = await checked(server, record)
  await forget(server.database.system, { events: 95 })
  const second = await checked(server, record)

  expect([first.code, second.code]).toEqual([0, 0])
  expect([first.erased.texts, first.erased.messages]).toEqual([all(whole.texts), all(whole.messages)])
  expect(first.erased.people).toEqual([0, whole.people?.[1]])
  expect([second.erased.people, second.erased.ends]).toEqual([all(whole.people), [0, whole.ends?.[1]]])
  expect(second.told).toEqual(
    expect.arrayContaining([
      expect.stringMatching(`^Erased: ${whole.texts?.[1]} lines of texts, messages, 90 days, on `),
      expect.stringMatching(`^Erased: ${whole.people?.[1]} lines of people, event, 95 days, on `),
    ]),
  )
})

test('SEAL-04 the words of managers go with the messages, from their entries too', async ({ server }) => {
  const record = await oldRecord(server)
  const messages = async () => {
    const { rows } = await sql<{ words: string }>`
      select after ->> 'message' as words from journal
      where event_uid = ${record.eventUid} and after ->> 'message' <> ''`.execute(server.db)
    return rows.length
  }
  expect(await messages()).toBeGreaterThan(1)
  const words = await messages()

  await forget(server.database.system, { messages: 90 })

  expect(await messages()).toBe(0)
  const { code, erased } = await checked(server, record)
  expect([code, erased.journal?.[0]]).toEqual([0, words])
})

test('SEAL-04 the days of the audit log count from the end of the event: its rows go, what the log tells of itself stays', async ({
  server,
}) => {
  const record = await oldRecord(server)
  const { eventUid, of, size } = record

  await forget(server.database.system, { audit: 90 }, { rows: 3, pages: 100 })

  const { code, erased, told } = await checked(server, record)
  expect([code, told]).toEqual([
    0,
    [expect.stringMatching(/ lines of journal, audit, 90 days, on .* \(entry \d+\)\.$/)],
  ])
  expect(erased.journal?.[1]).toBe(size + 1)
  expect(erased.journal?.[0]).toBe(size + 1 - (await countJournal(server, eventUid)))
  expect(await getLog(server.db, of)).toMatchObject({ saltSecret: null })
})

test('SEAL-04 an erasure that was killed after it was told goes on, and tells nothing twice', async ({ server }) => {
  const record = await oldRecord(server)
  const count = () => countJournal(server, record.eventUid)
  const before = await count()
  await sql`create function stop_deleting() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$`.execute(
    server.database.owner.db,
  )
  await sql`create trigger stop_deleting before delete on journal execute function stop_deleting()`.execute(
    server.database.owner.db,
  )
  await expect(forget(server.database.system, { audit: 90 })).rejects.toThrow('killed')
  expect(await count()).toBe(before + 1)
  await sql`drop trigger stop_deleting on journal`.execute(server.database.owner.db)
  await sealWhole(server, record.of)

  await forget(server.database.system, { audit: 90 })

  const { code, told } = await checked(server, record)
  expect([code, told.length]).toEqual([0, 1])
  expect(await count()).toBeLessThan(before)
})

test('SEAL-04 LOG-16 an entry after that has a new secret, and the log goes on', async ({ server }) => {
  const { of } = await oldRecord(server)
  await forget(server.database.system, { audit: 90 })
  const size = await sealWhole(server, of)

  await writeEntry(server.db, of, 'unread_changed', { later: true })

  expect(await sealWhole(server, of)).toBe(size + 1)
  expect((await getLog(server.db, of)).saltSecret).toHaveLength(32)
})

test('LOG-15 RETAIN_AUDIT_DAYS deletes no unsealed row', async ({ server }) => {
  const { of, eventUid } = await oldRecord(server)
  await writeEntry(server.db, of, 'unread_changed', { unsealed: true })
  const fresh = await endedDrill(server)
  const never = await countJournal(server, fresh.eventUid)
  const plain = async () => {
    const { rows } = await sql`
      select from journal where event_uid = ${eventUid} and action in ('unread_changed', 'event_started')`.execute(
      server.db,
    )
    return rows.length
  }

  await forget(server.database.system, { audit: 90 })

  expect([await plain(), await countJournal(server, fresh.eventUid)]).toEqual([1, never])
  await sealWhole(server, of)
  await forget(server.database.system, { audit: 90 })
  expect(await plain()).toBe(0)
})

test('SEAL-04 what was gone before an erasure is not covered by it', async ({ server }) => {
  const record = await oldRecord(server)
  const { of, eventUid } = record
  await sql`delete from journal where event_uid = ${eventUid} and action = 'warden_reported_in'`.execute(
    server.database.owner.db,
  )
  await sql`update log_tile set lines = null where event_uid = ${of.eventUid} and file = 'people'`.execute(
    server.database.owner.db,
  )

  await forget(server.database.system, { audit: 90, events: 90 })

  const { code, lines } = await checked(server, record)
  expect([code, lines[0]]).toEqual([1, 'BROKEN'])
  expect(lines[1]).toMatch(/^Entry \d+ is missing, and no entry says that it was erased\.$/)
})
