import { expect } from 'vitest'
import { refuseErased } from '#features/log/server/erasing/erasure.service.ts'
import { bundleNow, closeRecord, writeBundle } from '#server/testing/event-log.ts'
import { test } from '#server/testing/server-test.ts'
import { givenNamed } from './erase.fixture.ts'

test('SEAL-04 PPL-16 erasing a person withholds the packed lines that name them, and the entry that did; all others stay', async ({
  server,
}) => {
  const at = await givenNamed(server)
  const of = { clientUid: at.org.clientUid, eventUid: at.eventUid }
  await closeRecord(server, of)
  using before = await writeBundle(server, of)
  const texts = (bundle: typeof before) =>
    ['journal', 'people', 'texts', 'messages'].flatMap((file) => bundle.linesOf(`${file}.ndjson`))
  const isNamed = (line: string) =>
    at.names.canaries.some((canary) => line.includes(canary)) || line.includes(at.personUid)

  await at.deactivate()
  await at.erase()

  using after = await bundleNow(server, of)
  expect(texts(before).filter(isNamed).length).toBeGreaterThan(3)
  expect(texts(after).filter((line) => at.names.canaries.some((canary) => line.includes(canary)))).toEqual([])
  const others = after.linesOf('people.ndjson').filter((line) => !line.startsWith('{"withheld"'))
  expect(others.length).toBeGreaterThan(0)
  expect(before.linesOf('people.ndjson')).toEqual(expect.arrayContaining(others))
  const { code, lines } = await after.check()
  expect(code).toBe(0)
  expect(lines.filter((line) => line.startsWith('Erased: '))).toEqual(
    expect.arrayContaining([expect.stringMatching(/^Erased: \d+ lines of people, person, on .* \(entry \d+\)\.$/)]),
  )
})

test('PPL-16 a name that a person had in an event goes from its record, too', async ({ server }) => {
  const at = await givenNamed(server)
  const of = { clientUid: at.org.clientUid, eventUid: at.eventUid }
  await closeRecord(server, of)
  await at.run('update person set last_name = $2 where uid = $1', at.personUid, 'Married')
  await at.run(
    `insert into event_record (client_uid, event_uid, number, site_uid, kind, building_uids, floor_uids, began_at, ended_at, search, summary)
     select client_uid, uid, 77, site_uid, kind, '{}', '{}', started_at, ended_at, '', $2 from event where uid = $1`,
    ...[at.eventUid, JSON.stringify({ message: `Ask ${at.names.name}` })],
  )
  await at.deactivate()
  await at.erase()

  const { rows } = await at.run('select summary from event_record where event_uid = $1', at.eventUid)
  expect(rows).toEqual([{ summary: { message: 'Ask Erased person' } }])
})

test('PPL-16 what a person has added to records loses a name that they had before, too', async ({ server }) => {
  const at = await givenNamed(server)
  const { rows } = await at.run(
    `insert into record_entry (client_uid, event_uid, kind, body, by_person_uid, by_name)
     values ($1, $2, 'fact', '{"fact": "weather", "value": "Rain"}', $3, 'Zelda Maiden') returning uid`,
    ...[at.org.clientUid, at.eventUid, at.personUid],
  )
  await at.deactivate()
  await at.erase()

  const [entry] = (await at.run('select by_name, body from record_entry where uid = $1', rows[0]?.uid)).rows
  expect(entry).toEqual({ by_name: 'Erased person', body: { fact: 'weather', value: 'Rain' } })
})

test('SEAL-04 a record that was packed before someone was erased is not closed', async ({ server }) => {
  const at = await givenNamed(server)
  const packedAt = new Date(Date.now() - 1_000)
  await at.deactivate()
  await at.erase()

  const closing = server.db.transaction().execute((tx) => refuseErased(tx, at.org.clientUid, packedAt))

  await expect(closing).rejects.toThrow('Someone was erased meanwhile: pack again.')
})
