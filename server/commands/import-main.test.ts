import { expect, test } from 'vitest'
import { startEvent } from '#features/directory/server/import-in-event.fixture.ts'
import { openTestDatabase, type TestDatabase } from '../testing/database.ts'
import { givenFolder } from '../testing/given-folder.ts'
import { rowsOf } from '../testing/import-test.ts'
import { runCommand } from '../testing/run-command.ts'

const runImport = (database: TestDatabase, ...args: string[]) =>
  runCommand('commands/import-main.ts', database, ...args)

test('AUTH-06 the command imports, exits with 0, and reports the changes by file', async () => {
  await using database = await openTestDatabase()
  const many = Array.from({ length: 1_500 }, (_, n) => `M${n},Mira,Many ${n},B1/L1\n`).join('')
  using folder = givenFolder({
    'people.csv': `code,first_name,last_name,floor\n${many}`,
    'peeps.csv': undefined,
    'assignments.csv': undefined,
  })

  const { code, stdout, stderr } = await runImport(database, folder.path)

  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/people\.csv +1,500 +0 +0 +0\n/) })
  expect(stderr).toMatch(/^reading 0 %.*\n(reading \d+ %.*\n)+(writing \d+ %.*\n)*writing 100 %, [\d,]+ of [\d,]+\n$/)
})

test('AUTH-06 the command exits with 1 and prints the places of the errors, at most 100, and their number', async () => {
  await using database = await openTestDatabase()
  const bad = Array.from({ length: 250 }, (_, n) => `F${n},Floor ${n},high\n`).map((row) => `B1,${row}`)
  using folder = givenFolder({
    'floors.csv': `building,code,name,level\n${bad.join('')}`,
    'people.csv': 'code,first_name,last_name\nP1,Ada,Abara\nP2,Ben,Brandt\nP3,Cleo,Cho\n',
    'assignments.csv': undefined,
  })

  const { code, stdout, stderr } = await runImport(database, folder.path, '--dry-run')

  expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/^Database: .+\n$/) })
  const lines = stderr.trim().split('\n')
  expect(lines[0]).toBe('floors.csv, line 2, column level: is not a whole number')
  expect(lines.slice(99)).toEqual([
    expect.stringContaining('line 101,'),
    '… and 150 more.',
    '',
    '250 errors. Nothing was written.',
  ])
})

test('AUTH-06 with --help the command exits with 0 and prints its usage', async () => {
  await using database = await openTestDatabase()

  expect(await runImport(database, '--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('--yes-end N') })
})

test.for(['', 'one-folder another-folder', 'folder --deactivate', 'folder --yes-end many'])(
  'AUTH-06 with "%s" the command exits with 2 and prints its usage',
  async (words) => {
    await using database = await openTestDatabase()

    const { code, stderr } = await runImport(database, ...words.split(' ').filter(Boolean))

    expect(code).toBe(2)
    expect(stderr).toContain('Usage: npm run import -- FOLDER [--dry-run [--all]]')
  },
)

test('AMB-067 the command says that the files are in if only running events could not be told', async () => {
  await using at = await startEvent()
  at.folder.edit('people.csv', 'V1,Vera', 'V2,Vida,Vos,,,,,B1/L1,visitor,today,no\nV1,Vera')
  const { pg } = at.server.database.owner
  await pg.query(`create function fail() returns trigger language plpgsql as $$ begin raise 'no place'; end $$;
    create trigger fail before insert on evacuee for each row execute function fail()`)

  const { code, stderr } = await runImport(at.server.database, at.folder.path)

  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('The files were imported') })
  expect(stderr).not.toContain('nothing was written')
  expect(await rowsOf(at.db, "select code from person where code = 'V2'")).toEqual([{ code: 'V2' }])
})
