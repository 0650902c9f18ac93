import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openTestDatabase } from '../testing/database.ts'
import { runCommand } from '../testing/run-command.ts'
import { startTestServer } from '../testing/test-server.ts'

test('F19 the commands back up next to a running product, restore, and report what they did', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'evac-backup-command-'))
  const backup = join(folder, 'backup')
  await using server = await startTestServer()
  await server.runningEvent(await server.given.organisation())
  await using empty = await openTestDatabase()
  const run = (...args: string[]) => runCommand('commands/backup-main.ts', empty, ...args)

  const saved = await runCommand('commands/backup-main.ts', server.database, 'backup', backup)
  const restored = await run('restore', backup)
  const refused = await run('restore', backup)
  const misused = await run('restore')
  rmSync(folder, { recursive: true })

  expect(saved).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^Database: t_\w+ by the socket in .*\n[\d,]+ rows and 0 documents are in .*backup\./,
    ),
  })
  expect(restored).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringContaining('Everyone has to sign in again'),
  })
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('The database contains data.') })
  expect(misused).toMatchObject({ code: 2, stderr: expect.stringContaining('Usage: npm run backup') })
}, 120_000)

test('OPS-06 --keep makes backups side by side and --verify restores them on trial; a bad one counts for nothing', async () => {
  const [folder, dataDir] = [mkdtempSync(join(tmpdir(), 'evac-kept-')), mkdtempSync(join(tmpdir(), 'evac-data-'))]
  onTestFinished(() => [folder, dataDir].forEach((one) => void rmSync(one, { recursive: true })))
  // the embedded database of a trial may run as another account
  chmodSync(dataDir, 0o711)
  vi.stubEnv('DATA_DIR', dataDir)
  await using server = await startTestServer()
  await server.runningEvent(await server.given.organisation())
  const run = async (...args: string[]) => {
    // a backup is named by its second
    await delay(1_000)
    return runCommand('commands/backup-main.ts', server.database, 'backup', folder, ...args)
  }
  const kept = () => readdirSync(folder)

  expect(await run('--keep', '1', '--verify')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/ rows and 0 documents are in .*evac-\d{4}-.*\n[\d,]+ rows were restored on trial\./),
  })
  expect(readdirSync(dataDir)).toEqual(['last-backup'])
  const [first] = kept()
  expect((await run('--keep', '1')).stdout).toContain('Older backups that were deleted: 1.')
  expect(kept()).toHaveLength(1)
  expect(kept()).not.toContain(first)

  // the trial meets rows that the schema does not take
  rmSync(join(dataDir, 'last-backup'))
  await server.database.owner.pg.query('alter table event alter column message drop not null')
  await server.database.owner.pg.query('update event set message = null')
  expect(await run('--keep', '1', '--verify')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/evac-.* could not be restored into an empty database: .*message/),
  })
  expect(kept()).toHaveLength(2)
  expect(readdirSync(dataDir)).toEqual([])
  expect((await run('--keep', 'no')).code).toBe(2)
}, 120_000)
