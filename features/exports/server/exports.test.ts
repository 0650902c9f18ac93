import { expect } from 'vitest'
import { givenDrilled, givenRecord } from '#features/records/server/records.fixture.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { withKey } from '#server/testing/test-server.ts'
import { exportRecord, getExport } from '../calls.ts'
import { askFor, dropExpired, exported, makeExports, unzip } from './exports.fixture.ts'
import { isPdfInstalled, pdfPackages } from './pdf/pdf-packages.ts'

/** Each export starts a process. */
const patience = { timeout: 120_000 }

test(
  'AAR-40 KIND-11 spreadsheets have a mark, times with offset, escaped formulas, and names as chosen',
  patience,
  async ({ server }) => {
    const { eventUid, manager } = await givenRecord(server, { firstName: '=cmd()' })
    const { file, headers } = await exported(server, manager, eventUid, 'csv', 'all')
    const files = await unzip(file)
    const linesOf = (name: string) => `${files.get(name)}`.split('\r\n')

    expect(headers['content-disposition']).toMatch(/filename="DRILL-record-\d+-csv\.zip"$/)
    expect([...files.keys()].sort()).toEqual([
      'entries.csv',
      'floors.csv',
      'people.csv',
      'texts.csv',
      'timeline.csv',
      'wardens.csv',
    ])
    for (const content of files.values()) expect(`${content}`.codePointAt(0)).toBe(0xfeff)
    expect(linesOf('people.csv')).toHaveLength(6)
    expect(linesOf('people.csv').join('\n')).toMatch(/,safe,\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d,/)
    expect(linesOf('wardens.csv').join()).toContain('Ada')
    expect(linesOf('timeline.csv').join()).toContain("'=cmd()")

    const unnamed = await unzip((await exported(server, manager, eventUid, 'csv', 'none')).file)
    for (const content of unnamed.values()) expect(`${content}`).not.toMatch(/Ada|Chief \d/)
    const needed = await unzip((await exported(server, manager, eventUid, 'csv', 'needed')).file)
    const named = `${needed.get('people.csv')}`
      .split('\r\n')
      .slice(1, -1)
      .filter((line) => !line.startsWith(','))
    expect(named).toHaveLength(2)
  },
)

test('AAR-41 LOG-16 an export is journaled with format, names and digest, opens for its asker alone, and ends after a day', async ({
  server,
}) => {
  const { eventUid, manager, org } = await givenRecord(server)
  const { uid, url } = await exported(server, manager, eventUid, 'csv', 'none')
  const told = (await server.journalOf(eventUid)).filter(({ action }) => action === 'record_exported')
  const second = await server.as(await server.given.warden(org, { role: 'Chief Warden' }))
  const path = url.slice(new URL(url).origin.length)

  expect(told.map(({ after }) => after)).toMatchObject([
    { format: 'csv', names: 'none', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
  ])
  expect(await refused(second(getExport, { params: { uid } }))).toEqual(['not_found'])
  expect((await server.app.inject(path.replace(/signature=../, 'signature=xx'))).statusCode).toBe(404)
  await dropExpired(server)
  expect((await server.app.inject(path)).statusCode).toBe(200)
  await server.db.updateTable('recordExport').set({ expiresAt: new Date() }).where('uid', '=', uid).execute()
  expect((await server.app.inject(path)).statusCode).toBe(404)
  await dropExpired(server)
  expect(await server.app.documents.read(`export-${uid}.zip`)).toBeUndefined()
})

test('AAR-41 asked for by many at once, an export of one person is made once', async ({ server }) => {
  const { eventUid, manager } = await givenRecord(server)
  const asked = await Promise.all(Array.from({ length: 4 }, () => askFor(manager, eventUid, 'csv', 'none')))

  expect(new Set(asked.map(({ uid }) => uid)).size).toBe(1)
  await Promise.all([makeExports(server), makeExports(server)])
  expect((await server.journalOf(eventUid)).filter(({ action }) => action === 'record_exported')).toHaveLength(1)
})

test('AAR-39 AAR-41 a record that is not written is not exported, and without the packages there is no PDF', async ({
  server,
}) => {
  const { start, end, manager } = await givenDrilled(server)
  const eventUid = await start()
  await end()
  const ask = (format: 'pdf' | 'csv') =>
    refused(manager(exportRecord, { params: { eventUid }, body: { format, names: 'none' } }, withKey()))
  expect(['not_found', 'record_not_ready']).toContain((await ask('csv'))[0])

  const ready = await givenRecord(server)
  const { typst } = pdfPackages
  try {
    pdfPackages.typst = '@myriaddreamin/is-not-there'
    const body = { format: 'pdf', names: 'none' } as const
    const told = await refused(ready.manager(exportRecord, { params: { eventUid: ready.eventUid }, body }, withKey()))
    expect(told).toEqual(['pdf_unavailable'])
  } finally {
    pdfPackages.typst = typst
  }
})

test.skipIf(!isPdfInstalled())(
  'AAR-39 KIND-11 the PDF of a drill says so in its file name and its head',
  async ({ server }) => {
    const { eventUid, manager } = await givenRecord(server)
    const { file, headers } = await exported(server, manager, eventUid, 'pdf')

    expect(headers['content-type']).toBe('application/pdf')
    expect(headers['content-disposition']).toMatch(/filename="DRILL-record-\d+\.pdf"$/)
    expect(file.subarray(0, 8).toString()).toBe('%PDF-1.7')
    expect(file.toString('latin1')).toContain('DRILL: Record')
  },
)
