import { expect, test } from 'vitest'
import { givenRecord, writeRecords } from '#features/records/server/records.fixture.ts'
import { steppingClock } from '#server/testing/administrators.ts'
import { startTestServer, type TestServer } from '#server/testing/test-server.ts'
import { getExport } from '../calls.ts'
import { exported, unzip } from './exports.fixture.ts'

/** Each export starts a process. */
const patience = { timeout: 120_000 }

const pathOf = (url: string | undefined) => `${url}`.slice(new URL(`${url}`).origin.length)
const statusOf = async ({ app }: TestServer, path: string) => (await app.inject(path)).statusCode

test(
  'AAR-41: a link opens its own export for 15 minutes, and each answer has a new one within the day',
  patience,
  async () => {
    const clock = steppingClock()
    await using server = await startTestServer({ clock })
    const { eventUid, manager } = await givenRecord(server)
    const first = await exported(server, manager, eventUid, 'csv', 'none')
    const second = await exported(server, manager, eventUid, 'csv', 'all')
    const path = pathOf(first.url)

    expect(await statusOf(server, path.replace(first.uid, second.uid))).toBe(404)
    expect(
      await statusOf(
        server,
        path.replace(/expires=(\d+)/, (_, at) => `expires=${Number(at) + 60}`),
      ),
    ).toBe(404)
    clock.pass(15 * 60 - 5)
    expect(await statusOf(server, path)).toBe(200)
    clock.pass(10)
    expect(await statusOf(server, path)).toBe(404)
    const { url } = await manager(getExport, { params: { uid: first.uid } })
    expect(await statusOf(server, pathOf(url))).toBe(200)
    const rows = await server.db.selectFrom('recordExport').select(['askedAt', 'expiresAt']).execute()
    for (const { askedAt, expiresAt } of rows) expect(expiresAt.getTime() - askedAt.getTime()).toBe(24 * 3_600_000)
  },
)

test('KIND-11, AAR-40: files of a live event say nothing of a drill', patience, async () => {
  await using server = await startTestServer()
  const { start, end, manager } = await givenRecord(server)
  const eventUid = await start({ kind: 'live' })
  await end()
  await writeRecords(server)

  for (const format of ['csv', 'bundle'] as const) {
    const { file, headers } = await exported(server, manager, eventUid, format)
    expect(headers['content-disposition']).toMatch(/filename="record-2[.-]/)
    const record = (await unzip(file)).get('record.json')
    if (format === 'bundle') expect(JSON.parse(`${record}`)).toMatchObject({ status: 'Actual' })
  }
})
