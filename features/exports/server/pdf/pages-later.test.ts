import { sql } from 'kysely'
import { expect } from 'vitest'
import { claimFloor } from '#features/coverage/calls/coverage.ts'
import { addToRecord, type NewAddition } from '#features/records/calls/additions.ts'
import type { ExportNames } from '#features/records/kinds.ts'
import { givenLate } from '#features/records/server/late/late.fixture.ts'
import { givenDrilled, givenRecord, writeRecords } from '#features/records/server/records.fixture.ts'
import { signOffSentence, writtenEarlyWords } from '#features/records/words.ts'
import { test } from '#server/testing/server-test.ts'
import { withKey } from '#server/testing/test-server.ts'
import { rowsIn, sectionsFor } from './sections.fixture.ts'

test('AAR-22 the PDF lists what arrived after the end, people without names', async ({ server }) => {
  const { late, send, eventUid, org } = await givenLate(server)
  const none = await writeRecords(server).then(() => sectionsFor(server, eventUid, 'all'))
  await send([
    late(),
    late({ kind: 'floorStatus', person: undefined, status: undefined, floor_status: org.statusUids[1] }),
  ])
  const rowsOf = async (names: ExportNames) => {
    const sections = await sectionsFor(server, eventUid, names)
    const words = '2 records from phones. No status or figure changed.'
    expect(sections.get('Arrived after the end')).toContainEqual({ kind: 'text', text: words })
    return rowsIn(sections, 'Arrived after the end').map((row) => row.slice(0, 3))
  }

  expect(none.has('Arrived after the end')).toBe(false)
  expect(await rowsOf('all')).toEqual([
    ['A person on Tower A - Ground', 'In Danger', expect.stringMatching(/^Ada .*\(Floor Warden\)$/)],
    ['Tower A - Ground', 'Evacuating', expect.stringMatching(/^Ada /)],
  ])
  expect((await rowsOf('none')).map(([, , by]) => by)).toEqual(['Floor Warden', 'Floor Warden'])
})

test('COV-02 AAR-39 the PDF says which floors were taken, by role where names are left out', async ({ server }) => {
  const { org, start, end, warden } = await givenDrilled(server)
  const eventUid = await start()
  const { call } = await warden()
  await call(claimFloor, { body: { floorId: org.floors[1] } })
  await end()
  await writeRecords(server)

  const takenBy = async (names: ExportNames) => {
    const parts = (await sectionsFor(server, eventUid, names)).get('Wardens') ?? []
    return parts.flatMap((part) => (part.kind === 'table' && part.head[1] === 'Taken by' ? part.rows : []))
  }

  const span = [expect.stringMatching(/^0:0/), 'the end']
  expect(await takenBy('needed')).toEqual([['Tower A - Level 1', expect.stringMatching(/^Ada /), ...span]])
  expect(await takenBy('none')).toEqual([['Tower A - Level 1', 'Floor Warden', ...span]])
})

test('LOG-09 AAR-34 the PDF has with each sign-off the head that stood then', async ({ server }) => {
  const { eventUid, manager } = await givenRecord(server)
  const signOff = { kind: 'sign_off', body: {} } as const
  const { entry } = await manager(addToRecord, { params: { eventUid }, body: signOff }, withKey())

  const sections = await sectionsFor(server, eventUid, 'none')

  expect(sections.get('Sign-offs')).toContainEqual({ kind: 'text', text: signOffSentence })
  const [row] = rowsIn(sections, 'Sign-offs')
  expect(row?.at(-1)).toBe(`${entry.body.head.size} ${entry.body.head.root}`)
})

test('AAR-35 the PDF says of each correction what it corrects', async ({ server }) => {
  const { eventUid, manager, record, org } = await givenRecord(server)
  const place = org.floors[0]
  const correct = (body: object) =>
    manager(addToRecord, { params: { eventUid }, body: { kind: 'correction', body } as NewAddition }, withKey())
  await correct({ sentence: 1, text: 'It began a minute earlier.' })
  await correct({ figure: 'clear_after', place, text: 'It was clear at 3:00.' })
  await correct({ figure: 'safe', text: 'Four were.' })

  const rows = rowsIn(await sectionsFor(server, eventUid, 'all'), 'Corrections')

  expect(rows.map(([of, right]) => [of, right])).toEqual([
    [`“${record?.sentences[0]?.text}”`, 'It began a minute earlier.'],
    ['Tower A - Ground, Clear after', 'It was clear at 3:00.'],
    ['Safe', 'Four were.'],
  ])
})

test('LOG-17 the PDF says that the record was written while a transaction was open', async ({ server }) => {
  const { eventUid } = await givenRecord(server)
  const words = { kind: 'text', text: writtenEarlyWords }
  const summary = async () => (await sectionsFor(server, eventUid, 'needed')).get('Summary')
  expect(await summary()).not.toContainEqual(words)

  await sql`update event_record set summary = summary || '{"written_early": true}' where event_uid = ${eventUid}`.execute(
    server.db,
  )

  expect(await summary()).toContainEqual(words)
})
