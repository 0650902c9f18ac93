import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadDemo } from '#features/directory/server/demo.ts'
import { asFile, exported } from '#features/exports/server/exports.fixture.ts'
import { getRecord, listRecords } from '#features/records/calls/records.ts'
import { writeRecords } from '#features/records/server/records.fixture.ts'
import { folderStore } from '#server/platform/documents/document-folder.ts'
import { inItself, runChecker } from '#server/testing/event-log.ts'
import { rowsOf, rowVersions } from '#server/testing/import-test.ts'
import { startTestServer } from '#server/testing/test-server.ts'
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
  expect([records.length, running.length]).toEqual([1, 0])
  const [card] = records
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

test('AAR-43, SEAL-12: the exported record of the drill of the demo is INTACT, also of what people added', async () => {
  await using demo = await startDemo()
  const { server, keep } = demo
  await keep()
  const { access_token } = await server.signIn('chief@harbour.test', 'evacuate1')
  const chief = server.callWith(access_token)
  const { records } = await chief(listRecords, { query: {} })
  const { file } = await exported(server, chief, records[0]?.event as never, 'bundle')
  using zip = asFile(file, 'record.zip')

  const { lines } = await runChecker(zip.path)
  expect(lines.slice(0, 1)).toEqual([inItself])
  expect(lines.join()).not.toMatch(/Erased:|outside the reader/)
}, 120_000)

test('AAR-43 no one is signed in by the drill of the demo, and no text of it waits', async () => {
  await using demo = await startDemo()
  await demo.keep()
  const { db } = demo.server
  expect(await rowsOf(db, 'select 1 from session where expires_at > now()')).toEqual([])
  expect(
    await rowsOf(db, "select 1 from sms where status = 'queued' or created_at > now() - interval '13 days'"),
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
  expect(await rowsOf(server.db, 'select count(*) as events from event')).toEqual([{ events: 1 }])
})
