import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadDemo } from '#features/directory/server/demo.ts'
import { createEvent, listEventSites } from '#features/events/calls/events.ts'
import { asFile, exported } from '#features/exports/server/exports.fixture.ts'
import { getRecord, listRecords } from '#features/records/calls/records.ts'
import { writeRecords } from '#features/records/server/records.fixture.ts'
import { folderStore } from '#server/platform/documents/document-folder.ts'
import { inItself, runChecker } from '#server/testing/event-log.ts'
import { rowsOf, rowVersions } from '#server/testing/import-test.ts'
import { startTestServer, withKey } from '#server/testing/test-server.ts'
import { keepDemoDrill } from './demo-drill.service.ts'

async function startDemo() {
  const server = await startTestServer()
  const folder = mkdtempSync(join(tmpdir(), 'evac-demo-'))
  await loadDemo(server.db, folderStore(folder))
  rmSync(folder, { recursive: true })
  const keep = () => keepDemoDrill(server.app, () => writeRecords(server))
  return { server, keep, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

test('AAR-43 the demo has one finished drill, two weeks old, with its record, and a second start adds nothing', async () => {
  await using demo = await startDemo()
  const { server, keep } = demo
  await keep()
  const before = await rowVersions(server.db)
  await keep()
  expect(await rowVersions(server.db)).toEqual(before)

  const { access_token } = await server.signIn('chief@harbour.test', 'evacuate1')
  const chief = server.callWith(access_token)
  const { records, running } = await chief(listRecords, { query: {} })
  expect([records.map(({ number }) => number), running.length]).toEqual([[2, 1], 0])
  const card = records.at(-1)
  expect(card).toMatchObject({ number: 1, kind: 'drill', signed: true, actions_open: 1 })
  expect(Math.round((Date.now() - Date.parse(card?.ended_at ?? '')) / 86_400_000)).toBeOneOf([13, 14, 15])

  const { state, record, additions } = await chief(getRecord, { params: { eventUid: card?.event as never } })
  expect(state).toBe('ready')
  expect(record?.sentences.map(({ text }) => text).slice(2)).toEqual([
    'People were told beforehand.',
    '194 people were to be accounted for. When it ended for them 192 were safe, 2 unknown and 0 in danger.',
    '49 of them left the event with Tower B after 10:40: 49 safe, 0 unknown and 0 in danger.',
    '2 people had not been accounted for when it ended.',
    '1 person was recorded in danger and was safe 2:36 later.',
    '12 of 12 floors were reported clear; the last was Tower A - Level 4 after 11:41.',
    '2 floors were reported clear while 3 of their people were still unknown or in danger.',
    '8 of 8 wardens answered: 7 reported in, 1 not available. Half had answered after 0:29.',
    '1 person refused to leave, and later left or agreed to.',
    'All 5 people with an evacuation plan were safe, the last after 2:58.',
    '353 texts: 311 delivered, 11 failed, 10 without a receipt, 21 not sent. Half were delivered within 0:06.',
    '1 instruction was sent. 3 of 6 confirmations had arrived when it ended.',
    '4 records reached the server more than 30 s after they were made, the latest after 1:36. The figures use the times at which they were made.',
  ])
  const kinds = Object.groupBy(additions, ({ kind }) => kind)
  expect(Object.fromEntries(Object.entries(kinds).map(([kind, all]) => [kind, all?.length]))).toEqual({
    fact: 5,
    observation: 3,
    checklist: 7,
    action: 2,
    action_step: 1,
    sign_off: 1,
  })
})

test('AAR-43, SEAL-12: the exported records of the demo are INTACT, also of what people added', async () => {
  await using demo = await startDemo()
  const { server, keep } = demo
  await keep()
  const { access_token } = await server.signIn('chief@harbour.test', 'evacuate1')
  const chief = server.callWith(access_token)
  const { records } = await chief(listRecords, { query: {} })
  for (const { event } of records) {
    const { file } = await exported(server, chief, event, 'bundle')
    using zip = asFile(file, 'record.zip')

    const { lines } = await runChecker(zip.path)
    expect(lines.slice(0, 1)).toEqual([inItself])
    expect(lines.join()).not.toMatch(/Erased:|outside the reader/)
  }
}, 120_000)

test('AAR-43 a week later the demo had a drill that became a live event, and its figures are those of its acts', async () => {
  await using demo = await startDemo()
  await demo.keep()
  const { access_token } = await demo.server.signIn('chief@harbour.test', 'evacuate1')
  const chief = demo.server.callWith(access_token)
  const [card] = (await chief(listRecords, { query: {} })).records
  expect(card).toMatchObject({ number: 2, kind: 'live', signed: false, result: { word: 'accounted', people: 0 } })

  const { record } = await chief(getRecord, { params: { eventUid: card?.event as never } })
  // counted by hand: seen 2 s and floors 3 s before they were recorded, all from 150 s on
  expect(record?.sentences.map(({ text }) => text).slice(2)).toEqual([
    'It was a drill until 15:02; from then on it was a live event.',
    'In the drill, 20 of 49 people were recorded safe and 2 of 5 floors were reported clear. The figures below count from 15:02.',
    '49 people were to be accounted for. When it ended 49 were safe, 0 unknown and 0 in danger.',
    'Everyone was accounted for 7:50 after it became live.',
    '1 person was recorded in danger and was safe 1:54 later.',
    '5 of 5 floors were reported clear; the last was Tower B - Ground after 5:07.',
    '1 floor was reported clear while 1 of its people was still unknown or in danger.',
    '4 of 4 wardens answered: 4 reported in, 0 not available. Half had answered after 0:00.',
    '3 calls for help came in: 2 were answered, half of them within 0:46, and 1 was open when it ended.',
    '105 texts: 87 delivered, 4 failed, 4 without a receipt, 10 not sent. Half were delivered within 0:06.',
    'The server was unavailable from 15:04:20 to 15:05:18.',
    'No phone on duty reached the server from 15:07:50 to 15:10:00.',
    'When it began, 1 action from earlier records was open, 0 of them overdue.',
  ])
  const { end, curve } = record?.people ?? {}
  expect(curve?.steps.at(-1)).toEqual([end?.safe, end?.unknown, end?.danger])
  const ofFloors = record?.floors.rows.map(({ people }) => people.total) ?? []
  expect(ofFloors.reduce((sum, people) => sum + people)).toBe(end?.total)
})

test('AAR-43 no one is signed in by the events of the demo, and no text of them waits', async () => {
  await using demo = await startDemo()
  await demo.keep()
  const { db } = demo.server
  expect(await rowsOf(db, 'select 1 from session where expires_at > now()')).toEqual([])
  expect(
    await rowsOf(db, "select 1 from sms where status = 'queued' or created_at > now() - interval '6 days'"),
  ).toEqual([])
  expect(await rowsOf(db, 'select 1 from warden_sign_in where closed_at is null')).toEqual([])
})

test('AAR-43 a demo that has had an event gets no drill, and one whose record was late gets its additions at the next start', async () => {
  await using demo = await startDemo()
  const { server, keep } = demo
  await keepDemoDrill(server.app, async () => undefined)
  expect(await rowsOf(server.db, 'select 1 from record_entry')).toEqual([])
  await writeRecords(server)
  await keep()
  expect(await rowsOf(server.db, 'select count(*) as additions from record_entry')).toEqual([{ additions: 19 }])
  expect(await rowsOf(server.db, 'select count(*) as events from event')).toEqual([{ events: 2 }])
})

test('AAR-43 a demo in which someone has started an event gets no further one', async () => {
  await using demo = await startDemo()
  const { server, keep } = demo
  await keepDemoDrill(server.app, async () => undefined)
  await writeRecords(server)
  const { access_token } = await server.signIn('chief@harbour.test', 'evacuate1')
  const chief = server.callWith(access_token)
  const { data } = await chief(listEventSites, {})
  const buildings = data.sites.flatMap((site) => site.buildings.map(({ id }) => id))
  const eventType = data.eventTypes[0]?.id as never
  const said = { message: 'Leave now.', broadcastMessage: 'no', alertToWarden: 'no' } as const
  await chief(createEvent, { body: { buildings, eventType, ...said } }, withKey())

  await keep()

  expect(await rowsOf(server.db, 'select count(*) as live from event where live_from is not null')).toEqual([
    { live: 0 },
  ])
})
