import { sql } from 'kysely'
import { expect } from 'vitest'
import { sha256 } from '#features/log/server/merkle.ts'
import { addToRecord, type NewAddition } from '#features/records/calls/additions.ts'
import { getRecord } from '#features/records/calls/records.ts'
import { givenDrilled, givenRecord, writeRecords } from '#features/records/server/records.fixture.ts'
import { timesOf } from '#features/records/times.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { asFile, exported, unzip } from '../exports.fixture.ts'
import { drawPdf } from './make-pdf.ts'
import { isPdfInstalled } from './pdf-packages.ts'
import type { Part } from './pdf-parts.ts'
import { isThere, told } from './pdf-tools.fixture.ts'
import { pagesFor, rowsIn, sectionsFor } from './sections.fixture.ts'

async function adding(server: TestServer) {
  const at = await givenRecord(server)
  const params = { eventUid: at.eventUid }
  const add = async (kind: NewAddition['kind'], body: object) =>
    (await at.manager(addToRecord, { params, body: { kind, body } as NewAddition }, withKey())).entry
  const today = async () => {
    const { record } = await at.manager(getRecord, { params })
    return record ? timesOf(record).date(new Date().toISOString()) : ''
  }
  return { ...at, params, add, today }
}
const action = { what: 'Oil the stair door', priority: 'High', due: '2034-03-01', owner: { name: 'Facilities' } }
const textOf = (part: Part | undefined) => (part && 'text' in part ? part.text : undefined)

test('REC2-17 page 1 has above the summary result, outcome, signatures, and what came since the record was written', async ({
  server,
}) => {
  const { add, eventUid, today } = await adding(server)
  const first = async (names: 'all' | 'none' = 'all') => {
    const { result, standing } = await pagesFor(server, eventUid, names)
    return [result, ...standing]
  }
  const result = '1 not accounted for'
  expect(await first()).toEqual([
    ...[result, 'Not signed yet'],
    'Since it was written: 0 corrections, 0 records that arrived after the end. Open actions: 0 of 0.',
  ])

  await sql`update event_record set summary = summary || '{"kind": "live"}', kind = 'live' where event_uid = ${eventUid}`.execute(
    server.db,
  )
  expect((await first())[1]).toBe('Outcome: Not stated yet')
  await add('outcome', { outcome: 'False alarm' })
  await add('correction', { sentence: 1, text: 'It began a minute earlier.' })
  const { uid } = await add('action', action)
  await add('action', action)
  await add('action_step', { target: uid, base: uid, step: 'done' })
  await add('sign_off', { role: 'Safety officer' })
  const since = 'Since it was written: 1 correction, 0 records that arrived after the end. Open actions: 1 of 2.'
  expect(await first()).toEqual([
    ...[result, 'Outcome: False alarm'],
    expect.stringMatching(new RegExp(`^Signed by Chief \\d+, Safety officer, ${await today()}$`)),
    since,
  ])
  expect(await first('none')).toEqual([
    result,
    'Outcome: False alarm',
    `Signed by Safety officer, ${await today()}`,
    since,
  ])
})

test("REC2-17 a correction stands under its sentence, and one of a sentence that is not there under 'What the summary leaves out'", async ({
  server,
}) => {
  const { add, eventUid, today, record } = await adding(server)
  await add('correction', { sentence: 1, text: 'It began a minute earlier.' })
  await sql`update event_record set summary = summary || ${JSON.stringify({ sentences: record?.sentences.slice(0, 2) })}
    where event_uid = ${eventUid}`.execute(server.db)
  await sql`
    insert into record_entry (client_uid, event_uid, kind, body, by_name, by_role)
    select client_uid, event_uid, kind, '{"sentence": 9, "text": "Level 2 had none."}', 'Kim Lee', 'Floor Warden'
    from record_entry where kind = 'correction'`.execute(server.db)

  const [sentences, heading, left] = (await sectionsFor(server, eventUid, 'all')).get('Summary') ?? []
  expect(sentences).toMatchObject({
    items: [
      {
        text: record?.sentences[0]?.text,
        below: [expect.stringMatching(/^Corrected by Chief \d+, .*: It began a minute earlier\.$/)],
      },
      { below: [] },
    ],
  })
  expect(textOf(heading)).toBe('What the summary leaves out')
  expect(left).toMatchObject({ items: [{ text: `Corrected by Kim Lee, ${await today()}: Level 2 had none.` }] })
})

test('REC2-18 the PDF begins with what is to be read first: event, who was not accounted for, and what is to be improved', async ({
  server,
}) => {
  const { add, eventUid, org } = await adding(server)
  const [ground] = org.floors
  const seen = await add('observation', { tone: 'To improve', text: 'The stair door stuck.', place: ground })
  await add('observation', { tone: 'Went well', text: 'The lobby was empty.' })
  await add('observation', { tone: 'Note', text: 'It rained.' })
  await add('action', action)
  const { uid } = await add('action', { ...action, from: seen.uid, why: 'It stuck.' })
  await add('action_step', { target: uid, base: uid, step: 'done', note: 'Oiled.' })
  await add('checklist', { item: 'Areas searched?', answer: 'Yes' })
  await add('fact', { fact: 'weather', value: 'Rain' })

  const sections = await sectionsFor(server, eventUid, 'all')
  expect([...sections.keys()]).toEqual([
    ...['Summary', 'Event', 'Not accounted for, in danger, or refused', 'Improvement plan'],
    ...['People', 'Floors', 'Wardens', 'Texts', 'Plans', 'Decisions', 'Contact', 'Compared'],
    ...['Corrections', 'Checklist', 'Facts', 'Sign-offs'],
    ...['All people', 'Timeline: key moments', 'Log'],
  ])
  const plan = sections.get('Improvement plan') ?? []
  const tableOf = (title: string) => {
    const part = plan[plan.findIndex((one) => textOf(one) === title) + 1]
    return part?.kind === 'table' ? [part.head, ...part.rows] : []
  }
  const [time, who] = [expect.stringMatching(/^\d\d:\d\d:\d\d$/), expect.stringMatching(/^Chief \d+ \(Chief Warden\)$/)]
  const head = ['Time', 'Place', 'What', 'Who', 'Action no.']
  expect(tableOf('What went well')).toEqual([head, [time, '–', 'The lobby was empty.', who, '–']])
  expect(tableOf('What to improve')).toEqual([head, [time, 'Tower A - Ground', 'The stair door stuck.', who, '2']])
  expect(tableOf('Notes')).toEqual([head, [time, '–', 'It rained.', who, '–']])
  const step = expect.stringMatching(/^Done by Chief \d+ \(Chief Warden\), \d\d:\d\d:\d\d\. Oiled\.$/)
  expect(tableOf('Actions')).toEqual([
    ['No.', 'What', 'Why', 'Priority', 'Owner', 'Due', 'State'],
    ['1', 'Oil the stair door', '–', 'High', 'Facilities', '01 Mar 2034', 'Open'],
    ['2', 'Oil the stair door', 'It stuck.', 'High', 'Facilities', '01 Mar 2034', step],
  ])
  expect((await sectionsFor(server, eventUid, 'needed')).has('All people')).toBe(false)
  const without = await sectionsFor(server, eventUid, 'none')
  expect([...without.keys()].slice(0, 4)).toEqual(['Summary', 'Event', 'Improvement plan', 'People'])
  expect(JSON.stringify([...without])).not.toMatch(/Chief \d|Facilities/)
})

test('REC2-18 the PDF has tables of plans, contact and comparison, which name no one in a copy without names', async ({
  server,
}) => {
  const { eventUid, record } = await givenRecord(server)
  const place = { floor: record?.floors.rows[0]?.id, building: record?.buildings[0]?.id, place: 'Tower A - Ground' }
  const end = { safe: 1, unknown: 1, danger: 0, total: 2 }
  const told = {
    plans: {
      end,
      last_safe: 178,
      floors: [{ ...place, people: end, last_safe: 178 }],
      people: [
        { ...place, status: 'safe', safe_after: 178 },
        { ...place, status: 'unknown', safe_after: null },
      ],
    },
    contact: {
      wardens: 1,
      to_the_end: 1,
      gaps: [{ name: 'Ada Quill', role: 'Floor Warden', from: 130, to: null }],
      service: [{ from: 20, to: 125 }],
    },
    compared: {
      event: eventUid,
      number: 3,
      started_at: '2025-11-14T15:00:00.000Z',
      common_floors: 1,
      same_buildings: true,
      last_clear: 60,
      covered: 1,
      floors: 2,
      half_answered: null,
      delivered: 0.5,
      unaccounted: 3,
      own: { last_clear: 45, unaccounted: 1 },
    },
  }
  await sql`update event_record set summary = summary || ${JSON.stringify(told)} where event_uid = ${eventUid}`.execute(
    server.db,
  )
  const sections = await sectionsFor(server, eventUid, 'all')

  expect(textOf(sections.get('Plans')?.[0])).toBe(
    '2 people with an evacuation plan: 1 safe, 1 unknown, 0 in danger at the end. The last was safe after 2:58.',
  )
  expect(rowsIn(sections, 'Plans')).toEqual([
    ['Tower A - Ground', '2', '1', '1', '0', '2:58'],
    ['Person 1 of 2', 'Tower A - Ground', 'Safe', '2:58'],
    ['Person 2 of 2', 'Tower A - Ground', 'Unknown', '–'],
  ])
  expect(rowsIn(sections, 'Contact')).toEqual([
    ['Everyone on duty: no phone reached the server', '0:20', '2:05'],
    ['Ada Quill (Floor Warden)', '2:10', 'the end'],
  ])
  expect(textOf(sections.get('Compared')?.[0])).toBe(
    'With Record 3, the drill of 15 November 2025. They have 1 floor in common: the clear time is for those.',
  )
  expect(rowsIn(sections, 'Compared').map(([name, now, then, change]) => [name, now, then, change])).toEqual(
    expect.arrayContaining([
      ['Last floor clear', '0:45', '1:00', '0:15 sooner'],
      ['Not accounted for', '1', '3', '2 fewer'],
    ]),
  )
  expect(JSON.stringify([...(await sectionsFor(server, eventUid, 'none'))])).not.toContain('Ada Quill')
})

test('REC2-18 buildings that joined or left say after how long', async ({ server }) => {
  const { eventUid, record } = await givenRecord(server)
  const [tower] = record?.buildings ?? []
  const buildings = [
    { ...tower, name: 'Tower A' },
    { ...tower, name: 'Tower C', joined: 4 },
    { ...tower, name: 'Tower D', joined: 4, left: 730 },
  ]
  await sql`update event_record set summary = summary || ${JSON.stringify({ buildings })} where event_uid = ${eventUid}`.execute(
    server.db,
  )
  const event = rowsIn(await sectionsFor(server, eventUid, 'all'), 'Event')
  expect(event.find(([fact]) => fact === 'Buildings')?.[1]).toBe(
    'Tower A, Tower C (joined after 0:04), Tower D (joined after 0:04, left after 12:10)',
  )
})

test('REC2-19 people stand by building, floor from the top and name, wardens by role and name', async ({ server }) => {
  const { org, start, end, warden, chief } = await givenDrilled(server, 0)
  const [ground, first] = org.floors
  const name = (uid: string, first_name: string) =>
    sql`update person set first_name = ${first_name}, last_name = 'Quill' where uid = ${uid}`.execute(server.db)
  const people = [
    [ground, 'Åsa'],
    [first, 'Zoe'],
    [ground, 'Bea'],
    [org.otherFloorUid, 'Ann'],
    [first, 'éva'],
  ] as const
  for (const [floorUid, firstName] of people) await name(await server.given.occupant(org, { floorUid }), firstName)
  const deputy = await server.given.warden(org, { role: 'Chief Warden' })
  await name(deputy.personUid, 'Aaron')
  await name(chief.personUid, 'Bo')
  const eventUid = await start()
  await warden()
  await end()
  await writeRecords(server)

  const sections = await sectionsFor(server, eventUid, 'all')
  const places = rowsIn(sections, 'All people').map(([who, place]) => `${who}, ${place}`)
  const here = places.filter((one) => one.includes('Tower A'))
  expect(here).toEqual([
    'éva Quill, Tower A - Level 1',
    'Zoe Quill, Tower A - Level 1',
    'Åsa Quill, Tower A - Ground',
    'Bea Quill, Tower A - Ground',
  ])
  expect(places.slice(0, 4)).toEqual(here)
  const wardens = sections.get('Wardens')?.flatMap((part) => (part.kind === 'table' ? [part] : [])) ?? []
  expect(wardens.at(-1)?.rows.map(([who, role]) => [who?.split(' ')[0], role])).toEqual([
    ['Aaron', 'Chief Warden'],
    ['Bo', 'Chief Warden'],
    ['Ada', 'Floor Warden'],
  ])
})

test("REC2-26 the record's call and the PDF tell what the last check of the log found, trouble before everything else", async ({
  server,
}) => {
  const { eventUid, manager } = await givenRecord(server)
  const params = { eventUid }
  const check = async () => (await manager(getRecord, { params })).check
  const note = (columns: string) =>
    server.database.owner.pg.query(`update record_log set ${columns} where event_uid = $1`, [eventUid])
  const said = async () => {
    const { trouble, sections } = await pagesFor(server, eventUid, 'needed')
    return [trouble, JSON.stringify(sections.find(({ title }) => title === 'Log'))]
  }
  await note('checked_at = null')
  expect(await check()).toBeNull()
  expect(await said()).toEqual([null, expect.not.stringContaining('Checked on')])

  await note(`checked_at = '2026-11-07 15:17:00+00', checked_size = 1204`)
  expect(await check()).toEqual({ at: '2026-11-07T15:17:00.000Z', size: 1204, trouble: null })
  expect(await said()).toEqual([null, expect.stringMatching(/Checked on .*: 1,204 entries, as logged\./)])

  await note(`trouble = 'Entry 12 is missing.', trouble_at = '2026-11-06 15:17:00+00'`)
  expect(await check()).toEqual({ at: '2026-11-06T15:17:00.000Z', size: 1204, trouble: 'Entry 12 is missing.' })
  const [trouble, log] = await said()
  expect(trouble).toMatch(
    /^This record does not match its log\. Entry 12 is missing\. Found on 0\d Nov 2026, .*\. Keep every log head you have, and tell the person who runs the server\.$/,
  )
  expect(log).not.toContain('Checked on')
  if (!isPdfInstalled() || !isThere('pdftotext')) return
  using pdf = asFile(await drawPdf(await pagesFor(server, eventUid, 'needed'), ''), 'record.pdf')
  const [first] = told('pdftotext', pdf.path, '-').split('\f')
  expect(first?.indexOf('does not match its log')).toBeGreaterThan(-1)
  expect(first?.indexOf('does not match its log')).toBeLessThan(first?.indexOf('Summary') ?? 0)
})

test('SEAL-05 the foot of each sheet ties it to the log: its head, and the first digits of what the record said at its closing', async ({
  server,
}) => {
  const { manager, eventUid } = await givenRecord(server)
  const { foot } = await pagesFor(server, eventUid, 'none')
  const members = await unzip((await exported(server, manager, eventUid, 'bundle')).file)
  const digits = sha256(members.get('log/record.commits') ?? '').toString('hex')

  expect(foot).toMatch(new RegExp(`^Log head: none  Record lines ${digits.slice(0, 16)}$`))

  await sql`delete from log_tile where event_uid = ${eventUid} and file = 'record'`.execute(server.database.owner.db)
  expect((await pagesFor(server, eventUid, 'none')).foot).not.toContain('Record lines')
})

test.skipIf(!isPdfInstalled() || !isThere('pdftotext'))(
  'REC2-17 REC2-21 REC2-22 pdftotext reads page 1 and the axes of the chart, and a short drill takes four sheets at most',
  async ({ server }) => {
    const { add, eventUid } = await adding(server)
    await add('sign_off', { role: 'Safety officer' })
    using pdf = asFile(await drawPdf(await pagesFor(server, eventUid, 'all'), ''), 'record.pdf')
    const sheets = told('pdftotext', '-layout', pdf.path, '-').split('\f').slice(0, -1)

    expect(sheets.length).toBeLessThanOrEqual(4)
    const lines = sheets[0]?.split('\n').map((line) => line.trim()) ?? []
    const at = (start: string) => lines.findIndex((line) => line.startsWith(start))
    const order = ['1 not accounted for', 'Signed by Chief', 'Since it was written: 0 corrections', 'Summary', 'Event']
    expect(order.map(at)).not.toContain(-1)
    expect(order.map(at)).toEqual(order.map(at).toSorted((a, b) => a - b))
    const all = sheets.join('\n')
    for (const words of [/People +Safe +Unknown +In danger/, /0:00 +0:01 +0:02/, 'Time since the start'])
      expect(all).toMatch(words)
  },
)
