import { expect, test } from 'vitest'
import { verifyPassword } from '#server/platform/passwords.ts'
import { givenFolder } from '#server/testing/given-folder.ts'
import { changesOf, openImportTest, rowsOf, rowVersions } from '#server/testing/import-test.ts'
import { importOrganisation } from './import.service.ts'

test('AUTH-06 a folder becomes an organisation, with accounts for its wardens and a password', async () => {
  await using at = await openImportTest()

  const report = await at.run()

  expect(report).toMatchObject({ organisation: 'SMALL', errors: [], notes: [] })
  expect(changesOf(report)).toMatchObject({ accounts: { created: 2 }, 'people.csv': { created: 4 } })
  const people = await rowsOf(
    at.db,
    'select code, mobile, account_uid is not null as account from person order by code',
  )
  expect(people).toEqual([
    { code: 'P1', mobile: '61491000901', account: true },
    { code: 'P2', mobile: '61491000902', account: true },
    { code: 'P3', mobile: null, account: false },
    { code: 'V1', mobile: '61491000904', account: false },
  ])
  const [ada] = await rowsOf<{ passwordHash: string }>(at.db, "select * from account where email = 'ada@small.test'")
  expect(await verifyPassword(ada?.passwordHash ?? '', 'evacuate1')).toBe(true)
})

test('AUTH-06 a second run changes nothing: no row is written, or even locked', async () => {
  await using at = await openImportTest()
  await at.run()
  const before = await rowVersions(at.db)

  const report = await at.run({ deactivateMissing: true })

  expect(changesOf(report)).toEqual({})
  expect(await rowVersions(at.db)).toEqual(before)
})

test('AUTH-06 a changed cell updates that row and no other', async () => {
  await using at = await openImportTest()
  await at.run()
  const before = await rowVersions(at.db)

  at.folder.edit('floors.csv', 'Level 1,1,', 'Level One,1,')
  const report = await at.run()

  expect(changesOf(report)).toEqual({ 'floors.csv': { created: 0, updated: 1, ended: 0 } })
  const written = (await rowVersions(at.db)).filter((version) => !before.includes(version))
  expect(written).toEqual([expect.stringContaining('Level One')])
})

test('AUTH-06 names pass from floor to floor in one run', async () => {
  await using at = await openImportTest()
  await at.run()

  at.folder.write('floors.csv', 'building,code,name,level,kind\nB1,G,Level 1,0,floor\nB1,L1,Ground,1,floor\n')
  const report = await at.run()

  expect(changesOf(report)).toEqual({ 'floors.csv': { created: 0, updated: 2, ended: 0 } })
  expect(await rowsOf(at.db, 'select code, name from floor order by code')).toEqual([
    { code: 'G', name: 'Level 1' },
    { code: 'L1', name: 'Ground' },
  ])
})

test('AUTH-06 a dry run tells what would change and writes nothing', async () => {
  await using at = await openImportTest()
  await at.run()
  const before = await rowVersions(at.db)

  at.folder.edit('sites.csv', 'Main Site', 'Head Office')
  at.folder.edit('people.csv', 'evacuate1', 'another1')
  const report = await at.run({ dryRun: true })

  expect(changesOf(report)).toMatchObject({ 'sites.csv': { updated: 1 }, accounts: { updated: 1 } })
  const values = (versions: string[]) => versions.map((version) => version.replace(/\d+ \d+\(.*$/, ''))
  expect(values(await rowVersions(at.db))).toEqual(values(before))
})

test('AUTH-06 another organisation with the same codes keeps every row as it is', async () => {
  await using at = await openImportTest()
  await at.run()
  const before = await rowVersions(at.db)
  using other = givenFolder({
    'organisation.csv': 'code,name,country\nOTHER,Other Ltd,NZ\n',
    'people.csv': 'code,first_name,last_name,mobile,username\nP1,Mere,Kaihau,021 000 0001,mere\nP2,Tai,Ruru,,tai\n',
    'peeps.csv': undefined,
  })

  const report = await importOrganisation({ db: at.db, folder: other.path, deactivateMissing: true })

  expect(report.errors).toEqual([])
  expect(await rowVersions(at.db)).toEqual(expect.arrayContaining(before))
})

test('AUTH-06 two imports at once take turns', async () => {
  await using at = await openImportTest()

  const reports = await Promise.all([at.run(), at.run(), at.run()])

  expect(reports.map((report) => report.errors)).toEqual([[], [], []])
  expect(reports.filter((report) => Object.keys(changesOf(report)).length > 0)).toHaveLength(1)
})

test('AUTH-06 templates are numbered in file order', async () => {
  await using at = await openImportTest()

  await at.run()

  expect(await rowsOf(at.db, 'select code from message_template order by id')).toEqual([{ code: 'E1' }, { code: 'E2' }])
})

test('AUTH-06 5,000 people load and load again', async () => {
  const people = Array.from({ length: 5_000 }, (_, n) => `M${n},Mira,Many ${n},m${n}@small.test,B1/L1\n`)
  await using at = await openImportTest({
    'people.csv': `code,first_name,last_name,email,floor\n${people.join('')}`,
    'peeps.csv': undefined,
    'assignments.csv': undefined,
  })
  const stages: string[] = []

  const first = await at.run({
    onProgress: ({ stage, done, total }) => void stages.push(`${stage} ${Math.round((done / total) * 100)}`),
  })
  const second = await at.run()

  expect(changesOf(first)).toMatchObject({ 'people.csv': { created: 5_000 } })
  expect(changesOf(second)).toEqual({})
  expect(stages).toEqual(expect.arrayContaining(['reading 50', 'reading 100', 'writing 100']))
})
