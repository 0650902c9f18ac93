import { expect } from 'vitest'
import { endEvent } from '#features/events/calls/events.ts'
import { exported, unzip } from '#features/exports/server/exports.fixture.ts'
import { eventWithReports } from '#features/self-report/server/self-report.fixture.ts'
import { endInput } from '#server/testing/event-input.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { getRecord, listNames, listRecords, listTimeline } from '../../calls/records.ts'
import { getReplay } from '../../calls/replay.ts'
import { writeRecords } from '../records.fixture.ts'
import { inPdf, textOfPdf } from './random/outputs.fixture.ts'
import { play } from './random/played.fixture.ts'
import type { Act, Plan } from './random/script.fixture.ts'

/** Ground and Level 1 of House 0, one floor of House 1: places 0, 1 and 2. Two people on the first, one on the last; the chief warden is alone. */
const usual: Plan = {
  isDrill: false,
  begins: 'evacuate',
  hasClear: true,
  hasContact: true,
  buildings: [2, 1],
  starts: [true, true, true],
  wardens: [],
  people: [0, 0, 2].map((home) => ({ home, isPlanned: false, isVisitor: false })),
}
const [first, second, third] = [0, 1, 2]
const [safe, danger, clear] = [0, 2, 2]
const act = (what: Act['what'], over: Partial<Act> = {}): Act => ({
  what,
  who: 0,
  whom: 0,
  where: 0,
  how: 0,
  after: 10,
  ago: null,
  ...over,
})

async function recordOf(server: TestServer, acts: Act[], over: Partial<Plan> = {}) {
  const played = await play(server, { plan: { ...usual, ...over }, acts, late: [] })
  await writeRecords(server)
  const { warden } = played.codes.get('w0') as NonNullable<ReturnType<typeof played.codes.get>>
  const chief = await server.as(warden)
  const params = { params: { eventUid: played.eventUid } }
  const { record } = await chief(getRecord, params)
  if (!record) throw new Error('no record')
  const textOf = (number: number) => record.sentences.find((one) => one.number === number)?.text
  return { ...played, chief, params, record, textOf }
}

test('REC2-03 REC2-04 a building taken out with one in danger: every output counts and names them', async ({
  server,
}) => {
  const { record, textOf, chief, params, uids, eventUid } = await recordOf(server, [
    act('mark', { whom: 0, how: safe }),
    act('mark', { whom: 2, how: danger, where: third }),
    act('remove', { where: 1 }),
  ])

  expect(record.result).toEqual({ word: 'danger', people: 1 })
  expect(textOf(4)).toBe(
    '3 people were to be accounted for. When it ended for them 1 was safe, 1 unknown and 1 in danger.',
  )
  expect(textOf(19)).toBe('1 of them left the event with House 1 after 0:30: 0 safe, 0 unknown and 1 in danger.')
  expect(textOf(5)).toBe('2 people had not been accounted for when it ended.')
  const { people } = await chief(listNames, { ...params, body: { list: 'danger' } }, withKey())
  expect(people).toMatchObject([{ person: uids.get('p2'), left_with: 'House 1', place: 'House 1 - Level 0' }])
  const { records } = await chief(listRecords, { query: {} })
  expect(records).toMatchObject([{ event: eventUid, result: { word: 'danger', people: 1 } }])
  expect(record.buildings.find(({ name }) => name === 'House 1')).toMatchObject({ left: 30, people: { danger: 1 } })
  expect(record.people.curve?.steps.at(-1)).toEqual([1, 1, 1])
  const { cells, places } = await chief(getReplay, params)
  const left = places.findIndex(({ building }) => building === uids.get('b1'))
  expect(cells.findLast(([, place]) => place === left)).toMatchObject([30, left, 0, 0, 1, -1, 0])

  const [{ name } = { name: '' }] = people
  const { file } = await exported(server, chief, eventUid, 'csv', 'all')
  const lines = `${(await unzip(file)).get('people.csv')}`.split('\r\n')
  expect(lines.filter((line) => line.includes('danger'))).toEqual([expect.stringContaining(name)])
  const bundle = await unzip((await exported(server, chief, eventUid, 'bundle', 'all')).file)
  const ends = `${bundle.get('ends.ndjson')}`.trim().split('\n')
  expect(ends.filter((line) => line.includes('"danger"'))).toEqual([expect.stringContaining(`${uids.get('b1')}`)])
  const pdf = await textOfPdf(server, eventUid, chief)
  if (pdf !== null) expect(pdf).toContain(inPdf(`In danger, left with House 1`))
  if (pdf !== null) expect(pdf).toContain(inPdf(name))
})

test('REC2-02 REC2-10 a phone without signal: no floor was cleared too early', async ({ server }) => {
  const late = { where: first, how: safe, after: 200 }
  const told = [act('floor', { where: first, how: clear, after: 100 })]
  const withoutSignal = await recordOf(server, [
    ...told,
    act('mark', { ...late, whom: 0, ago: 250 }),
    act('mark', { whom: 1, after: 1, ago: 230 }),
  ])
  const tooEarly = await recordOf(server, [...told, act('mark', { ...late, whom: 0 }), act('mark', { whom: 1 })])

  expect(withoutSignal.textOf(7)).toBeUndefined()
  expect(withoutSignal.textOf(13)).toBe(
    '2 records reached the server more than 30 s after they were made, the latest after 4:10. The figures use the times at which they were made.',
  )
  expect(tooEarly.textOf(7)).toBe('1 floor was reported clear while 2 of its people were still unknown or in danger.')
})

test('REC2-05 floors that were reported clear and set to another status later are not clear at the end', async ({
  server,
}) => {
  const { record, textOf } = await recordOf(server, [
    act('floor', { where: first, how: clear }),
    act('floor', { where: second, how: clear }),
    act('floor', { where: first, how: 1 }),
  ])

  expect(record.floors).toMatchObject({ total: 3, reported: 2, clear: 1 })
  expect(textOf(6)).toBe(
    '2 of 3 floors were reported clear; the last was House 0 - Level 1 after 0:20. 1 of them was not clear at the end: House 0 - Level 0.',
  )
})

test('REC2-06 a reader of records gets no alert, and is in no list of wardens', async ({ server }) => {
  const reader = { desk: 0, domain: 'Site', area: 0, modules: 0 } as const
  const wardens = [reader, { ...reader, modules: 5 }]
  const { record, uids, eventUid } = await recordOf(server, [], { wardens })

  expect(record.wardens.total).toBe(2)
  const told = { eventUid, kind: 'warden_alert' } as const
  const alerts = await server.db
    .selectFrom('sms')
    .select('personUid')
    .where('eventUid', '=', told.eventUid)
    .where('kind', '=', told.kind)
    .execute()
  expect(alerts).toEqual([{ personUid: uids.get('q2') }])
  // as anyone else of the building, they are to be accounted for
  expect(record.people.end.total).toBe(4)
})

test('REC2-07 a chief warden alone, who acts on each floor, leaves none without a warden', async ({ server }) => {
  const alone = await recordOf(server, [
    act('mark', { whom: 0, where: first }),
    act('floor', { where: second, how: 1 }),
    act('refuse', { whom: 2, where: third }),
  ])
  const elsewhere = await recordOf(server, [act('floor', { where: second, how: 1 })])

  expect(alone.textOf(9)).toBeUndefined()
  expect(alone.record.wardens.never_covered).toBe(0)
  expect(elsewhere.textOf(9)).toBe(
    '2 of 3 floors had no warden, and nothing was recorded there: House 0 - Level 0, House 1 - Level 0.',
  )
})

test('REC2-01 a drill that became live is counted apart: its floors were not cleared in the live event', async ({
  server,
}) => {
  const { record, textOf } = await recordOf(
    server,
    [
      ...[0, 1, 2].map((whom) => act('mark', { whom, where: first })),
      act('floor', { where: first, how: clear }),
      act('live', { after: 20 }),
      ...[0, 1, 2].map((whom) => act('mark', { whom, where: first })),
    ],
    { isDrill: true },
  )

  expect(record).toMatchObject({
    counts_from: 60,
    drill_part: { people: { safe: 3, total: 3 }, floors: { reported: 1, total: 3 } },
  })
  expect(textOf(18)).toMatch(
    /^In the drill, 3 of 3 people were recorded safe and 1 of 3 floors was reported clear\. The figures below count from \d\d:\d\d\.$/,
  )
  expect(textOf(5)).toBe('Everyone was accounted for 0:30 after it became live.')
  expect(textOf(6)).toBe('No floor was reported clear.')
})

test('REC2-08 REC2-09 time in which no phone reached the server is no warden’s, and an outage is told as one', async ({
  server,
}) => {
  const { record, textOf } = await recordOf(server, [
    act('outage', { where: 0, how: 4, after: 50 }),
    act('outage', { where: 0, how: 4, after: 20 }),
    act('silent', { how: 6, after: 100 }),
    act('call', { after: 200 }),
    act('call', { after: 60 }),
  ])

  expect(record.outages?.server).toEqual([{ from: 50, to: 121 }])
  expect(textOf(22)).toMatch(/^The server was unavailable from \d\d:\d\d:50 to \d\d:\d\d:01\.$/)
  expect(record.contact).toMatchObject({ wardens: 0, to_the_end: 0, gaps: [], service: [{ from: 170, to: 351 }] })
  expect(textOf(23)).toMatch(/^No phone on duty reached the server from \d\d:\d\d:50 to \d\d:\d\d:51\.$/)
  expect(textOf(14)).toBeUndefined()
})

test('AAR-23 the evidence of a sentence is its entries of the timeline', async ({ server }) => {
  const { record, chief, params } = await recordOf(server, [act('refuse', { whom: 0, where: first })])
  const entries = record.sentences.find(({ number }) => number === 10)?.entries ?? []

  expect(entries).toHaveLength(1)
  const { entries: shown } = await chief(listTimeline, { ...params, query: { show: 'all', entries: entries.join() } })
  expect(shown.map(({ action }) => action)).toEqual(['evacuee_refusal_set'])
})

test('REC2-05 floors begin with the first status of what their people do, also when a drill becomes live', async ({
  server,
}) => {
  const lockdown = 5
  const { record } = await recordOf(
    server,
    [act('change', { where: 1, how: lockdown, whom: 1 }), act('floor', { where: first, how: 1 }), act('live')],
    { isDrill: true, begins: 'shelter' },
  )

  // the words are those of the event: they were changed after it
  expect(record.floors.rows.map(({ building_name, name, status }) => [building_name, name, status])).toEqual([
    ['House 0', 'Level 1', 'Not locked'],
    ['House 0', 'Level 0', 'Not locked'],
    ['House 1', 'Level 0', 'Not sheltered'],
  ])
  expect(record.drill_part?.floors).toEqual({ reported: 1, total: 3 })
})

test('AAR-13 a record asks for a status that means clear only of what people did in its event', async ({ server }) => {
  const leaving = await recordOf(server, [], { hasClear: false })
  const locked = await recordOf(server, [act('change', { how: 5 })], { hasClear: false })

  expect([leaving.record.floors.has_clear_status, leaving.textOf(6)]).toEqual([false, undefined])
  expect([locked.record.floors.has_clear_status, locked.textOf(6)]).toEqual([true, 'No floor was reported locked.'])
})

test('AAR-23 a second text of an open call is the same call, and calls beyond the limit came in but were not answered', async ({
  server,
}) => {
  const [newPhone, samePhone] = [0, 0]
  const { textOf } = await recordOf(server, [
    act('call', { whom: newPhone }),
    act('call', { whom: samePhone, after: 50 }),
    act('answer', { after: 10 }),
    act('more', { how: 2 }),
  ])

  expect(textOf(21)).toBe(
    '4 calls for help came in: 1 was answered, half of them within 1:00, and 3 were open when it ended.',
  )
})

test('AAR-23 help by a personal link is a person in danger, and no call for help', async ({ server }) => {
  const { linkOf, ben, mobiles, visitor, post, manager, org, eventUid } = await eventWithReports(server)
  const { path } = await linkOf(ben, mobiles[1])
  expect((await visitor.post(path, { say: 'help' })).status).toBe(200)
  expect((await post({ say: 'help', words: 'Stair B' })).status).toBe(200)
  await manager(endEvent, endInput(org, { buildings: [org.buildingUid, org.otherBuildingUid] }))
  await writeRecords(server)

  const chief = await server.as(await server.given.warden(org, { role: 'Chief Warden' }))
  const { record } = await chief(getRecord, { params: { eventUid } })

  expect(record?.people.end.danger).toBe(1)
  expect(record?.help).toMatchObject({ calls: 1, answered: 0, open: 1 })
})
