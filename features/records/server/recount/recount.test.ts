import { sql } from 'kysely'
import { expect } from 'vitest'
import type { EventUid } from '#kernel/ids.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { getRecord, listRecords } from '../../calls/records.ts'
import { givenRecord } from '../records.fixture.ts'
import { recountOld } from './recount.service.ts'

/** The record as an older version wrote it, with something that it got wrong. */
async function writtenByVersion1(server: TestServer, eventUid: EventUid, wrong: object) {
  await sql`update event_record set summary = (summary - 'version') || ${JSON.stringify(wrong)}::jsonb, recounted_at = null,
    result = coalesce(${JSON.stringify(wrong)}::jsonb -> 'result' ->> 'word', result) where event_uid = ${eventUid}`.execute(
    server.db,
  )
}
const recount = ({ database }: TestServer) => {
  const troubles: unknown[] = []
  return recountOld(database.system.db, (trouble) => troubles.push(trouble), new AbortController().signal).then(
    () => troubles,
  )
}

test('REC2-29 a record of version 1 whose numbers differ keeps them, and says beside them what counts', async ({
  server,
}) => {
  const { eventUid, manager, record } = await givenRecord(server)
  const wrong = {
    result: { word: 'accounted', people: 0 },
    people: { ...record?.people, end: { safe: 3, unknown: 0, danger: 0, total: 3 } },
  }
  await writtenByVersion1(server, eventUid, wrong)

  const troubles = await Promise.all([1, 2, 3].map(() => recount(server)))
  expect(troubles.flat()).toEqual([])

  const answer = await manager(getRecord, { params: { eventUid } })
  expect(answer.record?.result).toEqual(wrong.result)
  const added = answer.additions.filter(({ kind }) => kind === 'recount')
  expect(added).toMatchObject([{ by: 'Evac', role: null, mine: false }])
  expect(answer.recount).toMatchObject({ result: { word: 'unaccounted', people: 1 }, text: added[0]?.body.text })
  expect(answer.recount?.text).toMatch(
    /^Counted again on \d+ \w+ \d{4} by the rules of version 2: 4 people were to be accounted for\. When it ended 3 were safe, 1 unknown/,
  )
  expect(answer.recount?.text).not.toMatch(/Chief|Ada/)
  const { records } = await manager(listRecords, { query: { result: 'unaccounted' } })
  expect(records).toMatchObject([{ event: eventUid, recounted: true, result: { word: 'unaccounted', people: 1 } }])
})

test('REC2-29 a record of version 1 whose numbers are right, and one of today, get no addition', async ({ server }) => {
  const { eventUid, manager } = await givenRecord(server)
  await recount(server)
  await writtenByVersion1(server, eventUid, {})
  await recount(server)

  const answer = await manager(getRecord, { params: { eventUid } })
  expect([answer.recount, answer.additions]).toEqual([null, []])
})
