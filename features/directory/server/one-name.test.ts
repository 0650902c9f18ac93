import { expect, test } from 'vitest'
import type { ClientUid } from '#kernel/ids.ts'
import { changesOf, openImportTest, rowsOf } from '#server/testing/import-test.ts'
import { exportTables } from './tables/export.service.ts'

const people = (...rows: string[]) => `code,first_name,last_name\n${rows.map((row) => `${row}\n`).join('')}`

test('NUM-06 IMP-16 one name is enough in a file, is kept as the last name, and comes back as it is from an export', async () => {
  await using at = await openImportTest({
    'people.csv': people('P1,Ada,Abara', 'P2,Suharto,', 'P3, ,Sukarno', 'P4,Mandela,\u200b'),
    'peeps.csv': undefined,
    'assignments.csv': undefined,
  })
  const stored = () => rowsOf(at.db, 'select code, first_name, last_name, name from person order by code')
  expect((await at.run()).errors).toEqual([])

  const before = await stored()
  const again = await at.run()
  const [client] = await rowsOf<{ uid: ClientUid }>(at.db, 'select uid from client')
  const everything = { plans: true, people: null, assignments: null }
  const { files } = await exportTables(at.db, client?.uid as ClientUid, everything)
  for (const { name, lines } of files) if (name.endsWith('.csv')) at.folder.write(name, [...lines()].join(''))
  const returned = await at.run()

  expect(before).toEqual([
    { code: 'P1', firstName: 'Ada', lastName: 'Abara', name: 'Ada Abara' },
    { code: 'P2', firstName: '', lastName: 'Suharto', name: 'Suharto' },
    { code: 'P3', firstName: '', lastName: 'Sukarno', name: 'Sukarno' },
    { code: 'P4', firstName: '', lastName: 'Mandela', name: 'Mandela' },
  ])
  expect([changesOf(again), returned.errors, changesOf(returned)]).toEqual([{}, [], {}])
  expect(await stored()).toEqual(before)
})

test('NUM-06 a row without any name is a bad row of its own', async () => {
  await using at = await openImportTest({
    'people.csv': people('P1,Ada,Abara', 'P2,, ', 'P3,,Cho'),
    'peeps.csv': undefined,
    'assignments.csv': undefined,
  })

  expect((await at.run()).errors).toEqual([
    { file: 'people.csv', line: 3, column: 'first_name', reason: 'Enter a first name or a last name.' },
  ])
})
