import { expect, test } from 'vitest'
import { openTestDatabase } from '#server/testing/database.ts'
import { givenFolder } from '#server/testing/given-folder.ts'
import { changesOf, openImportTest, rowsOf, rowVersions } from '#server/testing/import-test.ts'
import { runCommand } from '#server/testing/run-command.ts'
import { importOrganisation } from './import.service.ts'
import { describeReport } from './import-report.ts'

/** The small organisation with twelve more people. */
const more = Array.from({ length: 12 }, (_, n) => `M${n},Mira,Many ${n},,,,,B1/L1,staff,,no\n`)
async function openLarger() {
  const at = await openImportTest()
  at.folder.edit('people.csv', 'V1,Vera', `${more.join('')}V1,Vera`)
  await at.run()
  return at
}

test('AUTH-06 people.csv that was cut ends no one until the operator gives the number', async () => {
  await using at = await openLarger()
  const before = await rowVersions(at.db)
  at.folder.edit('people.csv', more.slice(0, 2).join(''), '')

  const refused = await at.run({ deactivateMissing: true, mayEnd: 1 })
  const meant = await at.run({ deactivateMissing: true, mayEnd: 2 })

  expect(refused).toMatchObject({ errors: [], files: [] })
  expect(describeReport(refused)).toBe(
    'It would end 2 of 16 people and 0 of 2 assignments: above 10%, or above 20. Check them with --dry-run. To go ahead, add --yes-end 2.\nNothing was written.',
  )
  expect(changesOf(meant)).toEqual({ 'people.csv': { created: 0, updated: 0, ended: 2 } })
  expect(before).toHaveLength((await rowVersions(at.db)).length)
})

test('AUTH-06 one person of many may leave without a word', async () => {
  await using at = await openLarger()
  at.folder.edit('people.csv', more[0] as string, '')

  const report = await at.run({ deactivateMissing: true, mayEnd: 0 })

  expect(changesOf(report)).toEqual({ 'people.csv': { created: 0, updated: 0, ended: 1 } })
})

test.for([
  ['withdraws', 'today+300,Offered', 'today+300,Withdrawn'],
  ['has over', '2099-12-31', '2021-12-31'],
])('AUTH-06 assignments that a file %s are ends, too', async ([, from = '', to = '']) => {
  await using at = await openImportTest()
  await at.run()
  at.folder.edit('assignments.csv', from, to)

  expect((await at.run({ mayEnd: 0 })).refused).toEqual([expect.stringContaining('1 of 2 assignments')])
})

test('AUTH-06 a code that no organisation has is no slip of the pen only when the operator says so', async () => {
  await using database = await openTestDatabase()
  using folder = givenFolder()
  using slip = givenFolder({ 'organisation.csv': 'code,name\nSMAL,Small Ltd\n' })
  const run = (...args: string[]) => runCommand('commands/import-main.ts', database, ...args)

  await importOrganisation({ db: database.system.db, folder: folder.path })
  const refused = await run(slip.path)
  const preview = await run(slip.path, '--dry-run')
  const clients = () => rowsOf(database.system.db, 'select code from client order by code')
  const before = await clients()
  await importOrganisation({ db: database.system.db, folder: slip.path, mayBeNew: true })

  const why = "No organisation has the code 'SMAL'; the nearest are 'SMALL'."
  expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining(why) })
  expect(preview).toMatchObject({ code: 3, stdout: expect.stringContaining(why) })
  expect(before).toEqual([{ code: 'SMALL' }])
  expect(await clients()).toEqual([{ code: 'SMAL' }, { code: 'SMALL' }])
})

test('AUTH-06 AMB-153 a dry run lists who and what, by name, but no password and no plan', async () => {
  await using at = await openImportTest()
  await at.run()
  at.folder.edit('floors.csv', 'Level 1,1,', 'Level One,1,')
  at.folder.edit('people.csv', '0491 000 901,evacuate1,B1/G', '0491 000 999,evacuate2,B1/L1')
  at.folder.edit('people.csv', 'P3,Cleo,Cho,cleo@small.test,,,,B1/L1,staff,,no\n', 'P4,Dan,Diaz,,,,,B1/G,staff,,no\n')
  at.folder.write('peeps.csv', 'person,disability,assistance,other,summary\nP4,Blind,Take the arm,,Take the arm\n')
  at.folder.edit('assignments.csv', 'P2,FLOOR,S1,B1/L1,today-10,today+300,Offered\n', '')
  const before = await rowVersions(at.db)

  const text = describeReport(await at.run({ dryRun: true, deactivateMissing: true, mayEnd: 0 }))

  for (const line of [
    'floors.csv, changed:\n  B1/L1 Level One: name Level 1 → Level One\n',
    'accounts, changed:\n  P1 Ada Abara: signs in with mobile 61491000901 → 61491000999, a new password\n',
    'people.csv, added:\n  P4 Dan Diaz\n',
    'people.csv, changed:\n  P1 Ada Abara: mobile +61491000901 → +61491000999, floor B1/G → B1/L1\n',
    'people.csv, ended:\n  P3 Cleo Cho\n',
    'peeps.csv, added:\n  P4 Dan Diaz\n',
    'assignments.csv, ended:\n  P2 Ben Brandt, FLOOR at S1\n',
    'would end 1 of 4 people and 1 of 2 assignments',
  ])
    expect(text).toContain(line)
  expect(text).not.toMatch(/evacuate|Blind|Take the arm|argon2/)
  expect(await rowVersions(at.db)).toEqual(before)
})

test('AUTH-06 a dry run names the first twenty of a kind, or all', async () => {
  const people = Array.from({ length: 500 }, (_, n) => `M${n},Mira,Many ${n}\n`).join('')
  await using at = await openImportTest({
    'people.csv': `code,first_name,last_name\n${people}`,
    'peeps.csv': undefined,
    'assignments.csv': undefined,
  })

  const report = await at.run({ dryRun: true })

  expect(describeReport(report)).toContain('  M19 Mira Many 19\n  … and 480 more: --all')
  expect(describeReport(report, { all: true })).toContain('  M499 Mira Many 499')
})

test('AUTH-06 wardens of the files who cannot sign in are named: by code in a run, by name in a dry run', async () => {
  using folder = givenFolder()
  folder.edit('people.csv', 'ben@small.test,benb,0491 000 902', ',,')
  await using database = await openTestDatabase()
  const run = (over: object) => importOrganisation({ db: database.system.db, folder: folder.path, ...over })
  const none = { texts: false, mails: false }

  expect(describeReport(await run({ dryRun: true }))).toMatch(/cannot sign in.*\n {2}P2 Ben Brandt$/)
  expect(describeReport(await run({ ways: none }))).toMatch(/cannot sign in.*\n {2}P2$/)
  folder.edit('people.csv', 'Brandt,,,', 'Brandt,ben@small.test,benb,0491 000 902')
  for (const [ways, named] of [
    [none, ['P2 Ben Brandt']],
    [{ ...none, texts: true }, []],
    [{ ...none, mails: true }, []],
  ] as const)
    expect((await run({ ways })).cannotSignIn).toEqual(named)
})
