import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
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
