import { sql } from 'kysely'
import { expect } from 'vitest'
import { addToRecord } from '#features/records/calls/additions.ts'
import { givenRecord } from '#features/records/server/records.fixture.ts'
import { inItself, runChecker, writeEntry } from '#server/testing/event-log.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { getExport } from '../calls.ts'
import { asFile, askFor, exported, madeExport, makeExports, unzip } from './exports.fixture.ts'

test('AAR-40 SEAL-05 SEAL-12 KIND-11 the bundle of a drill is INTACT, has all its files, and its additions are checked', async ({
  server,
}) => {
  const { eventUid, manager } = await givenRecord(server)
  await manager(
    addToRecord,
    { params: { eventUid }, body: { kind: 'fact', body: { fact: 'weather', value: 'Rain' } } },
    withKey(),
  )
  const { file, headers } = await exported(server, manager, eventUid, 'bundle')
  using zip = asFile(file, 'record.zip')

  expect((await runChecker(zip.path)).lines).toEqual(
    expect.arrayContaining([
      inItself,
      expect.stringContaining('(drill)'),
      expect.stringMatching(/csv\/ were not checked/),
    ]),
  )
  expect(headers['content-disposition']).toMatch(/^attachment; filename="DRILL-record-\d+\.zip"$/)
  const members = await unzip(file)
  expect([...members.keys()]).toEqual(
    expect.arrayContaining(['log/checkpoint', 'key.txt', 'README.txt', 'record-check.mjs']),
  )
  expect(JSON.parse(`${members.get('record.json')}`)).toMatchObject({ status: 'Exercise', whole: true })
  expect(`${members.get('entries.ndjson')}`.trim().split('\n')).toEqual([expect.stringContaining('Rain')])
})

test('LOG-17 SEAL-12 a bundle waits for an open transaction that holds its log back, a spreadsheet does not', async ({
  server,
}) => {
  const { eventUid, manager, org } = await givenRecord(server)
  const stateOf = async (uid: string) => (await manager(getExport, { params: { uid } })).state
  const slow = await server.db.startTransaction().execute()
  await writeEntry(slow, { clientUid: org.clientUid, eventUid }, 'unread_changed', {})
  const note = { kind: 'fact', body: { fact: 'weather', value: 'Rain' } } as const
  await manager(addToRecord, { params: { eventUid }, body: note }, withKey())
  const bundle = await askFor(manager, eventUid, 'bundle')
  const csv = await askFor(manager, eventUid, 'csv')

  await makeExports(server)
  await expect.poll(() => waits(server, bundle.uid)).toEqual({ attempts: 0, state: 'making' })
  expect(await stateOf(csv.uid)).toBe('ready')
  await slow.commit().execute()

  const ready = await madeExport(server, manager, bundle.uid)
  const { rawPayload } = await server.app.inject(`${ready.url}`.slice(new URL(`${ready.url}`).origin.length))
  using zip = asFile(rawPayload, 'record.zip')
  expect((await runChecker(zip.path)).lines[0]).toBe(inItself)
  expect(`${(await unzip(rawPayload)).get('entries.ndjson')}`).toContain('Rain')
})

test('LOG-17 a bundle that waited for ten minutes fails in words', async ({ server }) => {
  const { eventUid, manager, org } = await givenRecord(server)
  const slow = await server.db.startTransaction().execute()
  await writeEntry(slow, { clientUid: org.clientUid, eventUid }, 'unread_changed', {})
  await writeEntry(server.db, { clientUid: org.clientUid, eventUid }, 'unread_changed', {})
  const { uid } = await askFor(manager, eventUid, 'bundle')
  await sql`update record_export set asked_at = now() - interval '11 minutes' where uid = ${uid}`.execute(server.db)

  await makeExports(server)
  const failed = await manager(getExport, { params: { uid } })
  await slow.rollback().execute()

  expect(failed).toMatchObject({
    state: 'failed',
    message: 'A long change holds the log of this record back. Ask for the bundle again later.',
  })
})

const waits = async (server: TestServer, uid: string) =>
  server.db.selectFrom('recordExport').select(['attempts', 'state']).where('uid', '=', uid).executeTakeFirst()

test('AAR-05, AAR-40: two exports of a record have equal figures, whatever is added or renamed between them', async ({
  server,
}) => {
  const { eventUid, manager, persons, org } = await givenRecord(server)
  const figures = async () => {
    const members = await unzip((await exported(server, manager, eventUid, 'bundle')).file)
    const { record, status } = JSON.parse(`${members.get('record.json')}`)
    const tables = ['floors', 'people', 'wardens', 'texts'].map((name) => `${members.get(`csv/${name}.csv`)}`)
    const lines = ['people', 'texts', 'messages'].map((name) => `${members.get(`${name}.ndjson`)}`)
    return { record, status, tables, lines }
  }
  const first = await figures()

  const body = { kind: 'fact', body: { fact: 'weather', value: 'Rain' } } as const
  await manager(addToRecord, { params: { eventUid }, body }, withKey())
  await server.db
    .updateTable('person')
    .set({ lastName: 'Renamed' })
    .where('uid', '=', persons[0] as never)
    .execute()
  await server.db.updateTable('floor').set({ name: 'Renamed' }).where('uid', '=', org.floors[0]).execute()
  await server.db.updateTable('evacuee').set({ status: 'danger' }).where('eventUid', '=', eventUid).execute()

  expect(first.tables.join('')).toMatch(/Occupant/)
  expect(await figures()).toEqual(first)
})
