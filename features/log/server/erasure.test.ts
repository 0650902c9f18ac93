import { sql } from 'kysely'
import { test as base, expect } from 'vitest'
import { forget } from '#features/operation/server/retention/retention.service.ts'
import { closeRecord, countJournal, endedDrill, sealWhole, writeBundle, writeEntry } from '#server/testing/event-log.ts'
import { startTestServer, type TestServer } from '#server/testing/test-server.ts'
import { getLog, type LogOf } from './sealing.queries.ts'

/** A server of its own for each test: what is deleted, is deleted everywhere. */
// biome-ignore lint/correctness/noEmptyPattern: a fixture names what it needs, and this one needs nothing
const test = base.extend('server', async ({}, { onCleanup }) => {
  const server = await startTestServer()
  onCleanup(() => server[Symbol.asyncDispose]())
  return server
})

const withheldOf = (lines: readonly string[]) =>
  lines.filter((line) => line.startsWith('{"withheld":"retention","commit":"')).length

/** A record that is closed, of an event that ended so long ago. */
async function oldRecord(server: TestServer, days = 100) {
  const drill = await endedDrill(server)
  const { size } = await closeRecord(server, drill.of)
  await sql`update event set ended_at = ended_at - make_interval(days => ${days}) where uid = ${drill.eventUid}`.execute(
    server.db,
  )
  await ageJournal(server, drill.of, days)
  return { ...drill, size }
}
const ageJournal = ({ database }: TestServer, { eventUid }: LogOf, days: number) =>
  database.owner.pg.query(
    'update journal set recorded_at = recorded_at - make_interval(days => $2) where event_uid = $1',
    [eventUid, days],
  )

test('LOG-14 retention of messages, then of the event, withholds texts, messages and people; the log stays INTACT', async ({
  server,
}) => {
  const drill = await endedDrill(server)
  await closeRecord(server, drill.of)
  await sql`update event set ended_at = now() - interval '100 days' where uid = ${drill.eventUid}`.execute(server.db)
  using whole = await writeBundle(server, drill.of)
  const count = (file: string) => whole.linesOf(file).length
  const [texts, messages, people] = [count('texts.ndjson'), count('messages.ndjson'), count('people.ndjson')]
  expect(Math.min(texts, messages, people)).toBeGreaterThan(0)

  await forget(server.database.system, { messages: 90 })
  using first = await writeBundle(server, drill.of)
  await forget(server.database.system, { events: 90 })
  using second = await writeBundle(server, drill.of)

  expect(withheldOf(first.linesOf('people.ndjson'))).toBe(0)
  expect((await first.check()).lines).toContain(`${texts + messages} withheld (retention ${texts + messages})`)
  expect(withheldOf(second.linesOf('people.ndjson'))).toBe(people)
  const all = texts + messages + people
  expect(await second.check()).toMatchObject({
    code: 0,
    lines: expect.arrayContaining([`${all} withheld (retention ${all})`]),
  })
})

test('LOG-14 with the last row of its journal an event’s secret goes, and every line is withheld', async ({
  server,
}) => {
  const { of, eventUid, size } = await oldRecord(server)

  await forget(server.database.system, { audit: 90 })

  expect(await countJournal(server, eventUid)).toBe(0)
  expect(await getLog(server.db, of)).toMatchObject({ saltSecret: null, size })
  using bundle = await writeBundle(server, of)
  expect(withheldOf(bundle.linesOf('journal.ndjson'))).toBe(size)
  expect(await bundle.check()).toMatchObject({
    code: 0,
    lines: expect.arrayContaining(['people.ndjson could not be checked: the entry that closed it is withheld.']),
  })
})

test('LOG-14 LOG-16 an entry after that has a new secret, and the log goes on', async ({ server }) => {
  const { of, size } = await oldRecord(server)
  await forget(server.database.system, { audit: 90 })

  await writeEntry(server.db, of, 'unread_changed', { later: true })

  expect(await sealWhole(server, of)).toBe(size + 1)
  expect((await getLog(server.db, of)).saltSecret).toHaveLength(32)
})

test('LOG-14 RETAIN_AUDIT_DAYS deletes no unsealed row', async ({ server }) => {
  const { of, eventUid } = await oldRecord(server)
  await writeEntry(server.db, of, 'unread_changed', { unsealed: true })
  const fresh = await endedDrill(server)
  await ageJournal(server, of, 100)
  await ageJournal(server, fresh.of, 100)
  const never = await countJournal(server, fresh.eventUid)

  await forget(server.database.system, { audit: 90 })

  expect([await countJournal(server, eventUid), await countJournal(server, fresh.eventUid)]).toEqual([1, never])
  await sealWhole(server, of)
  await forget(server.database.system, { audit: 90 })
  expect(await countJournal(server, eventUid)).toBe(0)
})
