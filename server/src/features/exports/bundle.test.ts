import { addToRecord } from '@evac/contract/calls/records/additions.ts'
import { expect } from 'vitest'
import { runChecker } from '../../testing/event-log.ts'
import { test } from '../../testing/server-test.ts'
import { withKey } from '../../testing/test-server.ts'
import { givenRecord } from '../records/records.fixture.ts'
import { asFile, exported, unzip } from './exports.fixture.ts'

test('AAR-40 LOG-08 LOG-12 KIND-11 the bundle of a drill is INTACT, has all its files, and its additions are checked', async ({
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

  expect((await runChecker(zip.path)).lines.slice(0, 2)).toEqual(['INTACT', expect.stringContaining('(drill)')])
  expect(headers['content-disposition']).toMatch(/^attachment; filename="DRILL-record-\d+\.zip"$/)
  const members = await unzip(file)
  expect([...members.keys()]).toEqual(
    expect.arrayContaining(['log/checkpoint', 'key.txt', 'README.txt', 'record-check.mjs']),
  )
  expect(JSON.parse(`${members.get('record.json')}`)).toMatchObject({ status: 'Exercise', whole: true })
  expect(`${members.get('entries.ndjson')}`.trim().split('\n')).toEqual([expect.stringContaining('Rain')])
})

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
