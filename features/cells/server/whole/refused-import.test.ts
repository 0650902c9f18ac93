import { readFileSync, writeFileSync } from 'node:fs'
import { expect } from 'vitest'
import { tablesWith } from '#server/testing/tables-with.ts'
import { startTestServer } from '#server/testing/test-server.ts'
import { codeOf, ended, exported, imported, passphrase, rewrite, test } from './whole.fixture.ts'

test.for<[string, RegExp, (path: string) => void]>([
  ['cut short', /damaged or cut short/, (path) => writeFileSync(path, readFileSync(path).subarray(0, -20))],
  ['changed', /damaged or cut short/, (path) => writeFileSync(path, readFileSync(path).fill(7, 2000, 2010))],
  [
    'of another version',
    /made by Evac 0\.0\.9/,
    (path) => rewrite(path, ([head, ...rest]) => [of(head, { version: '0.0.9' }), ...rest]),
  ],
  [
    'of another format',
    /bring both installations/,
    (path) => rewrite(path, ([head, ...rest]) => [of(head, { format: 2 }), ...rest]),
  ],
  [
    'without a row',
    /rows were read/,
    (path) => rewrite(path, (lines) => lines.filter((line) => !line.includes('"Lee"'))),
  ],
  ['with a row of others', /not of its organisation/, (path) => rewrite(path, (lines) => lines.map(asOthers))],
  [
    'with a table of its own',
    /damaged/,
    (path) => rewrite(path, (lines) => lines.map((line) => line.replace('"peep"', '"pg_authid"'))),
  ],
])('CELL-03 of a file that is %s nothing is loaded', async ([, message, change], { server, folder, target }) => {
  const { clientUid } = await ended(server)
  const { path } = await exported(server, folder, clientUid)
  change(path)

  await expect(imported(target, folder, { path })).rejects.toThrow(message)

  expect(await tablesWith({ database: target }, clientUid)).toEqual([])
})

const of = (head = '', over: object) => JSON.stringify({ ...JSON.parse(head), ...over })
/** The plan of a person, of another organisation. */
const asOthers = (line: string, nth: number, lines: string[]) =>
  lines[nth - 1]?.startsWith('{"table":"peep"')
    ? line.replace(/[0-9a-f-]{36}/, '11111111-1111-4111-8111-111111111111')
    : line

test('CELL-03 a code that is in use, an event here and another passphrase refuse an import in words', async ({
  server,
  folder,
}) => {
  const { clientUid } = await ended(server)
  const file = await exported(server, folder, clientUid, { passphrase })
  await using there = await startTestServer()
  const org = await there.given.organisation()
  await there.runningEvent(org)
  const attempt = (over = {}) => imported(there.database, folder, { path: file.path, passphrase, ...over })

  await expect(attempt()).rejects.toThrow('Events run here (1)')
  await expect(attempt({ evenInEvent: true, passphrase: undefined })).rejects.toThrow('name the file of its passphrase')
  await expect(attempt({ evenInEvent: true, passphrase: 'six lamps on the western quay' })).rejects.toThrow(
    'The passphrase does not open the second factors of this file',
  )
  const code = await codeOf(server, clientUid)
  await there.db.updateTable('client').set({ code }).where('uid', '=', org.clientUid).execute()
  await expect(attempt({ evenInEvent: true })).rejects.toThrow(`The code ${code} is in use here`)
  await there.db.updateTable('client').set({ code: 'other' }).where('uid', '=', org.clientUid).execute()
  expect((await attempt({ evenInEvent: true })).header.organisation.uid).toBe(clientUid)
})

test('CELL-03 a row that meets one of another organisation stops the import, with nothing changed', async ({
  server,
  folder,
}) => {
  const { clientUid } = await ended(server)
  const file = await exported(server, folder, clientUid)
  await using there = await startTestServer()
  const other = await there.given.organisation()
  const { code } = await server.db
    .selectFrom('selfReportPage')
    .select('code')
    .where('clientUid', '=', clientUid)
    .executeTakeFirstOrThrow()
  await there.db
    .insertInto('selfReportPage')
    .values({ clientUid: other.clientUid, siteUid: other.siteUid, code })
    .execute()

  await expect(imported(there.database, folder, { path: file.path })).rejects.toThrow(
    'A row of self_report_page meets one that is here (self_report_page_code_key). Nothing was changed.',
  )

  expect(await tablesWith({ database: there.database }, clientUid)).toEqual([])
})
