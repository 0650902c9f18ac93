import { expect, test } from 'vitest'
import { openImportTest, rowsOf } from '#server/testing/import-test.ts'

test('AUTH-06 every bad cell is told by file, line and column, and nothing is written', async () => {
  await using at = await openImportTest({
    'floors.csv': 'building,code,name,level,kind\nB1,G,Ground,zero,floor\nB9,L1,Level 1,1,floor\nB1,G,Again,2,roof\n',
    'people.csv': `code,first_name,last_name,email,mobile,password,floor,kind,visit_date
P1,Ada,"Abara
Brandt",ada@,12345,short,B1,staff,
P2,,,,,,B1/L7,staff,2026-01-01
V1,Vera,Vos,,,,,visitor,2026-02-30
`,
  })

  const report = await at.run()

  expect(report.errors.map(({ file, line, column }) => `${file} ${line} ${column}`)).toEqual([
    'floors.csv 2 level',
    'floors.csv 3 building',
    'floors.csv 4 code',
    'floors.csv 4 kind',
    'people.csv 2 last_name',
    'people.csv 2 email',
    'people.csv 2 mobile',
    'people.csv 2 password',
    'people.csv 2 floor',
    'people.csv 4 first_name',
    'people.csv 4 floor',
    'people.csv 4 visit_date',
    'people.csv 5 floor',
    'people.csv 5 visit_date',
    'peeps.csv 2 person',
    'assignments.csv 3 locations',
  ])
  expect(await rowsOf(at.db, 'select code from client')).toEqual([])
})

test('AUTH-06 a file that cannot be read whole does not make errors of those that name its rows', async () => {
  await using at = await openImportTest({ 'people.csv': 'code,first_name,surname\nP1,Ada,Abara\n' })

  const report = await at.run()

  expect(report.errors.map(({ file, line, column }) => `${file} ${line} ${column}`)).toEqual([
    'people.csv 1 surname',
    'people.csv 1 last_name',
  ])
})

test('AUTH-06 --deactivate-missing refuses a file without rows: a broken export would end everyone', async () => {
  await using at = await openImportTest()
  await at.run()

  at.folder.write('people.csv', 'code,first_name,last_name\n')
  at.folder.write('peeps.csv', 'person\n')
  at.folder.write('assignments.csv', 'person,role,site,date_from,date_to\n')
  const report = await at.run({ deactivateMissing: true })

  expect(report.errors.map(({ file, line }) => `${file} ${line}`)).toEqual(['people.csv 0', 'assignments.csv 0'])
})
