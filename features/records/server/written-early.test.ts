import { expect } from 'vitest'
import { sealWhole, writeEntry } from '#server/testing/event-log.ts'
import { test } from '#server/testing/server-test.ts'
import { isWrittenEarly } from './record-work.queries.ts'
import { writeDueRecords } from './record-work.service.ts'
import { givenDrilled, givenRecord, workOf, writeRecords } from './records.fixture.ts'

test('LOG-17 the record waits up to 10 minutes for an open transaction, then is written and says so', async ({
  server,
}) => {
  const { start, end, record, org } = await givenDrilled(server)
  const eventUid = await start()
  const of = { clientUid: org.clientUid, eventUid }
  const slow = await server.db.startTransaction().execute()
  await writeEntry(slow, of, 'unread_changed', { slow: true })
  await end()
  const write = () => writeDueRecords(workOf(server), fail, new AbortController().signal)

  await write()
  const waiting = await record(eventUid)
  await server.db
    .updateTable('eventRecord')
    .set({ endedAt: new Date(Date.now() - 601_000) })
    .where('eventUid', '=', eventUid)
    .execute()
  await writeRecords(server)
  const written = await record(eventUid)
  await slow.commit().execute()

  expect(waiting).toMatchObject({ state: 'writing', record: null })
  expect(written).toMatchObject({ state: 'ready', record: { written_early: true } })
  await sealWhole(server, of)
  const { keys } = await server.db
    .selectFrom('logTile')
    .select('keys')
    .where('eventUid', '=', eventUid)
    .where('file', '=', 'journal')
    .executeTakeFirstOrThrow()
  const sealed = (await server.journalOf(eventUid)).filter(({ action }) => action === 'unread_changed')
  expect(sealed).toHaveLength(1)
  expect(keys).toContain(Number(sealed[0]?.position))
  // AAR-05: what came later changes nothing
  expect((await record(eventUid)).record).toEqual(written.record)
})

test('LOG-17 a record that waited for nothing says nothing of it', async ({ server }) => {
  const { record } = await givenRecord(server)
  expect(record).not.toHaveProperty('written_early')
})

test('LOG-17 a record claimed within 10 minutes is complete, whatever looks open a moment later', async ({
  server,
}) => {
  const { start, end, org } = await givenDrilled(server)
  const eventUid = await start()
  const of = { clientUid: org.clientUid, eventUid }
  const slow = await server.db.startTransaction().execute()
  await writeEntry(slow, of, 'unread_changed', { slow: true })
  await end()
  const isEarly = () => server.db.transaction().execute((tx) => isWrittenEarly(tx, of))

  await writeDueRecords(workOf(server), fail, new AbortController().signal)
  const soon = await isEarly()
  await server.db
    .updateTable('eventRecord')
    .set({ endedAt: new Date(Date.now() - 601_000) })
    .where('eventUid', '=', eventUid)
    .execute()
  const later = await isEarly()
  await slow.rollback().execute()

  expect([soon, later]).toEqual([false, true])
})

const fail = (error: unknown) => {
  throw error
}
