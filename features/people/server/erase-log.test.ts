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

test('SEAL-04 a record that was packed before someone was erased is not closed', async ({ server }) => {
  const at = await givenNamed(server)
  const packedAt = new Date(Date.now() - 1_000)
  await at.deactivate()
  await at.erase()

  const closing = server.db.transaction().execute((tx) => refuseErased(tx, at.org.clientUid, packedAt))

  await expect(closing).rejects.toThrow('Someone was erased meanwhile: pack again.')
})
