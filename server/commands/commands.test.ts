import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { openTestDatabase } from '../testing/database.ts'
import { databaseUrl } from '../testing/run-command.ts'
import { startTestServer } from '../testing/test-server.ts'

/** Runs a program of the server in its own environment, with the given Node flags. */
function run(words: string[], settings: NodeJS.ProcessEnv = {}, flags: string[] = []) {
  const { DATABASE_URL: _, ...env } = process.env
  const command = [...flags, join(import.meta.dirname, words[0] as string), ...words.slice(1)]
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((done) =>
    execFile(process.execPath, command, { env: { ...env, ...settings } }, (error, stdout, stderr) =>
      done({ code: error?.code ?? 0, stdout, stderr }),
    ),
  )
}

const programs = [['../main.ts'], ['import-main.ts'], ['backup-main.ts', 'backup'], ['backup-main.ts', 'restore']]

test.for(programs)('%s prints its version and usage, and does nothing else', async (...[words]) => {
  const dataDir = join(tmpdir(), 'evac-nowhere')

  const [version, help] = await Promise.all(
    ['--version', '--help'].map((word) => run([...words, word], { DATA_DIR: dataDir })),
  )

  expect(version).toEqual({ code: 0, stdout: `evac ${manifest.version}\n`, stderr: '' })
  expect(help).toEqual({ code: 0, stdout: expect.stringMatching(/^Usage: npm /), stderr: '' })
  expect(existsSync(dataDir)).toBe(false)
})

test('/version returns the version', async () => {
  await using server = await startTestServer()

  expect((await server.app.inject('/version')).json()).toEqual({ version: manifest.version })
})

test.for([['import-main.ts'], ['backup-main.ts', 'backup'], ['backup-main.ts', 'restore']])(
  'without a database %s does not create one unless told, and says how to choose one',
  async (...[words]) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'evac-empty-'))

    const { code, stderr } = await run([...words, dataDir], { DATA_DIR: dataDir })

    expect(code).toBe(1)
    expect(stderr).toMatch(`DATABASE_URL is not set, and there is no database in ${dataDir}.`)
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false)
    rmSync(dataDir, { recursive: true })
  },
)

test('settings are read from the file, the environment takes precedence, and the password is never shown', async () => {
  await using database = await openTestDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'evac-settings-'))
  const file = join(folder, '.env')
  const named = databaseUrl(database).replace('evac@', 'evac:secret@')
  writeFileSync(file, `DATABASE_URL=${named}\nLOG_LEVEL=loud\n`)
  const backup = ['backup-main.ts', 'backup', join(folder, 'backup')]

  const refused = await run(backup, {}, [`--env-file-if-exists=${file}`])
  const done = await run(backup, { LOG_LEVEL: 'warn' }, [`--env-file-if-exists=${file}`])

  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("LOG_LEVEL is 'loud'") })
  expect(done.stdout).toMatch(
    `Database: ${database.connection.database} by the socket in ${database.connection.host}\n`,
  )
  expect(done.stdout + done.stderr).not.toContain('secret')
  rmSync(folder, { recursive: true })
})
