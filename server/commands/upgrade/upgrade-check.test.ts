import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { noteBackup } from '#features/operation/server/backup/last-backup.ts'
import manifest from '../../../package.json' with { type: 'json' }
import { openTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { runCommand } from '../../testing/run-command.ts'
import { startTestServer } from '../../testing/test-server.ts'
import type { Finding } from '../doctor/finding.ts'
import { checkUpgrade, judgeVersion } from './upgrade.check.ts'

const lines = (findings: readonly Finding[]) => findings.map(({ state, what }) => `${state}: ${what}`).join('\n')

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'evac-upgrade-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

const told = async ({ owner }: TestDatabase, dataDir = folder()) => lines(await checkUpgrade(owner.db, { dataDir }))

test.for([
  ['0.1.0', '0.2.0', 'good: From 0.1.0 to 0.2.0: restart node after node'],
  ['0.2.0', '0.2.3', 'good: From 0.2.0 to 0.2.3: restart node after node'],
  ['0.1.4', '0.3.0', 'warning: From 0.1.4 to 0.3.0: stop all nodes first'],
  ['0.9.0', '1.0.0', 'warning: From 0.9.0 to 1.0.0: stop all nodes first'],
  ['0.2.0', '0.2.0', 'note: 0.2.0 runs already'],
  ['0.10.0', '0.9.9', 'fault: 0.10.0 runs, and this is 0.9.9'],
  [undefined, '0.2.0', 'note: No node answers at APP_URL'],
] as const)('OPS-04 from %s to %s: %s', ([from, to, wanted]) => {
  expect(lines([judgeVersion(from, to)])).toContain(wanted)
})

test('OPS-04 the check says what is to be migrated, and warns while an event runs or no backup is fresh', async () => {
  await using server = await startTestServer()
  const { database } = server
  const dataDir = folder()
  expect(await told(database, dataDir)).toMatch(
    /^good: The database needs no migration\nwarning: No backup[^\n]*\ngood: No event/,
  )
  noteBackup(dataDir)
  await database.owner.pg.query('delete from kysely_migration where name = (select max(name) from kysely_migration)')
  await server.runningEvent(await server.given.organisation())

  expect(await told(database, dataDir)).toMatch(
    /^good: The first node migrates the database: \d{4}-[\w-]+\nwarning: An event is running: upgrade when it has ended$/,
  )
})

test('OPS-04 a database of a newer version, and one in the middle of a restore, are refused', async () => {
  await using database = await openTestDatabase()
  const { pg } = database.owner
  await pg.query(`insert into kysely_migration (name, timestamp) values ('9999-of-tomorrow', '')`)
  expect(await told(database)).toBe(
    'fault: A newer version has migrated the database (9999-of-tomorrow): install that one',
  )

  await pg.query('create schema before_restore_unfinished')
  await expect(told(database)).rejects.toThrow('A restore of this database was interrupted')
})

test('OPS-04 the command asks the version that runs, and exits 1 if this one may not take over', async () => {
  await using database = await openTestDatabase()
  let version = '0.1.0'
  const node = createServer((_, reply) => reply.end(JSON.stringify({ version })))
  await new Promise<void>((done) => node.listen(0, '127.0.0.1', done))
  onTestFinished(() => void node.close())
  vi.stubEnv('APP_URL', `http://127.0.0.1:${(node.address() as AddressInfo).port}`)
  const run = (...words: string[]) => runCommand('commands/upgrade-check-main.ts', database, ...words)

  const may = await run()
  expect(may).toMatchObject({ code: 0, stdout: expect.stringContaining('This version may take over.') })
  expect(may.stdout).toContain(`From 0.1.0 to ${manifest.version}: restart node after node`)
  version = '99.0.0'
  expect(await run()).toMatchObject({ code: 1, stdout: expect.stringContaining('Do not upgrade to this version.') })
  expect((await run('now')).code).toBe(2)
})
