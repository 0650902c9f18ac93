import { sql } from 'kysely'
import { expect } from 'vitest'
import { getRecord } from '#features/records/calls/records.ts'
import { givenRecord } from '#features/records/server/records.fixture.ts'
import { test } from '#server/testing/server-test.ts'
import { readmeOf } from '../bundle/readme.ts'
import { rowsIn, sectionsFor } from './sections.fixture.ts'

test("REC2-20 an event over the site's midnight: the PDF and README.txt have its days, not those of UTC", async ({
  server,
}) => {
  const { eventUid, manager } = await givenRecord(server)
  const over = {
    timezone: 'Australia/Sydney',
    started_at: '2026-11-13T12:50:00.000Z',
    ended_at: '2026-11-13T13:10:00.000Z',
    decisions: ['12:50:00', '13:04:11'].map((time) => ({
      at: `2026-11-13T${time}.000Z`,
      seconds: 0,
      action: 'event_started',
      by: null,
      words: '',
    })),
  }
  await sql`update event_record set summary = summary || ${JSON.stringify(over)} where event_uid = ${eventUid}`.execute(
    server.db,
  )
  const sections = await sectionsFor(server, eventUid, 'all')
  const [event, decisions] = ['Event', 'Decisions'].map((title) => rowsIn(sections, title))

  expect(event?.filter(([fact]) => fact === 'Began' || fact === 'Ended')).toEqual([
    ['Began', '13 Nov 2026, 23:50:00'],
    ['Ended', '14 Nov 2026, 00:10:00'],
  ])
  expect(decisions?.map(([time]) => time)).toEqual(['23:50:00', '14 Nov, 00:04:11'])
  const { record } = await manager(getRecord, { params: { eventUid } })
  const readme = readmeOf(
    { head: null, key: { name: 'evac.example', keyId: '00000000', publicKey: '' } } as never,
    { record, isWhole: true } as never,
    true,
  )
  expect(readme).toContain(
    'It began at 13 Nov 2026, 23:50:00 and ended at 14 Nov 2026, 00:10:00. Times: Sydney, UTC+11:00.',
  )
})
