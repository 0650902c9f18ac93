import { expect, test } from 'vitest'
import { givenFolder } from '#server/testing/given-folder.ts'
import { changesOf, openImportTest, rowsOf } from '#server/testing/import-test.ts'
import { importOrganisation } from './import.service.ts'

test('AUTH-06 a missing row is left alone; --deactivate-missing ends people and assignments', async () => {
  await using at = await openImportTest()
  await at.run()
  at.folder.write('peeps.csv', 'person,disability,assistance,other,summary\n')
  at.folder.edit('people.csv', 'P3,Cleo,Cho,cleo@small.test,,,,B1/L1,staff,,no\n', '')
  at.folder.edit('assignments.csv', 'P2,FLOOR,S1,B1/L1,today-10,today+300,Offered\n', '')

  const kept = await at.run()
  const ended = await at.run({ deactivateMissing: true })

  expect(changesOf(kept)).toEqual({})
  expect(changesOf(ended)).toMatchObject({ 'people.csv': { ended: 1 }, 'assignments.csv': { ended: 1 } })
  expect(await rowsOf(at.db, 'select code from person where not active')).toEqual([{ code: 'P3' }])
  const over = "select status, imported_status, declined_note from warden_assignment where status <> 'Accepted'"
  expect(await rowsOf(at.db, over)).toEqual([
    { status: 'Withdrawn', importedStatus: 'Withdrawn', declinedNote: 'Ended by import' },
  ])
})

test('AUTH-06 a person and an assignment that come back are there again', async () => {
  await using at = await openImportTest()
  await at.run()
  const all = givenFolder()
  using _ = all
  at.folder.edit('people.csv', 'P3,Cleo,Cho,cleo@small.test,,,,B1/L1,staff,,no\n', '')
  at.folder.write('peeps.csv', 'person\n')
  at.folder.edit('assignments.csv', 'P2,FLOOR,S1,B1/L1,today-10,today+300,Offered\n', '')
  await at.run({ deactivateMissing: true })

  const report = await importOrganisation({ db: at.db, folder: all.path })

  expect(changesOf(report)).toEqual({
    'people.csv': { created: 0, updated: 1, ended: 0 },
    'assignments.csv': { created: 0, updated: 1, ended: 0 },
  })
  const statuses = 'select status, declined_note from warden_assignment order by status'
  expect(await rowsOf(at.db, statuses)).toEqual([
    { status: 'Accepted', declinedNote: null },
    { status: 'Offered', declinedNote: null },
  ])
})

test('AUTH-06 files that are not there are left alone, and their codes can be named', async () => {
  await using at = await openImportTest()
  await at.run()
  using part = givenFolder({
    ...Object.fromEntries(
      ['sites', 'buildings', 'floors', 'roles', 'peeps', 'event_types'].map((f) => [`${f}.csv`, undefined]),
    ),
    ...Object.fromEntries(['floor_statuses', 'templates', 'documents'].map((f) => [`${f}.csv`, undefined])),
    'people.csv': 'code,first_name,last_name,floor\nP9,Nia,Nunes,B1/G\n',
    'assignments.csv':
      'person,role,site,locations,date_from,date_to\nP9,FLOOR,S1,B1/G,today,today+1\nP3,FLOOR,S1,B1/G,today,today+1\n',
  })

  const report = await importOrganisation({ db: at.db, folder: part.path })

  expect(changesOf(report)).toEqual({
    accounts: { created: 1, updated: 0, ended: 0 },
    'people.csv': { created: 1, updated: 0, ended: 0 },
    'assignments.csv': { created: 2, updated: 0, ended: 0 },
  })
  expect(
    await rowsOf(at.db, "select a.email from person p join account a on a.uid = p.account_uid where code = 'P3'"),
  ).toEqual([{ email: 'cleo@small.test' }])
})

test('AUTH-06 a column left out of the header leaves what the database holds', async () => {
  await using at = await openImportTest()
  await at.run()

  at.folder.write('people.csv', 'code,first_name,last_name,floor\nP1,Adele,Abara,B1/G\n')
  await at.run()

  const [ada] = await rowsOf(
    at.db,
    "select p.first_name, p.mobile, p.is_client_master, a.email from person p join account a on a.uid = p.account_uid where code = 'P1'",
  )
  expect(ada).toEqual({ firstName: 'Adele', mobile: '61491000901', isClientMaster: true, email: 'ada@small.test' })
})

test('FLOOR-14 a plan whose texts are emptied ends; a new one is another row', async () => {
  await using at = await openImportTest()
  await at.run()

  at.folder.write('peeps.csv', 'person,disability,assistance,other,summary\nP3,,,,\n')
  const ended = await at.run()
  const again = await at.run()
  at.folder.write(
    'peeps.csv',
    'person,disability,assistance,other,summary\nP3,Low vision,Offer an elbow,,Offer an elbow\n',
  )
  await at.run()

  expect(changesOf(ended)).toEqual({ 'peeps.csv': { created: 0, updated: 0, ended: 1 } })
  expect(changesOf(again)).toEqual({})
  expect(await rowsOf(at.db, 'select disability, active from peep order by active')).toEqual([
    { disability: 'Deaf', active: false },
    { disability: 'Low vision', active: true },
  ])
})

test('PPL-21 PPL-22 files neither retire a place in use nor bring a retired one back, and leave it as it is', async () => {
  await using at = await openImportTest({ 'assignments.csv': undefined })
  await at.run()
  await rowsOf(
    at.db,
    "update floor set retired_at = now() where code = 'G'; update person set primary_floor_uid = null",
  )
  const floors = (g: string, l1: string) =>
    `building,code,name,level,active\nB1,G,Ground,0,${g}\nB1,L1,Level 1,1,${l1}\n`
  at.folder.write('people.csv', 'code,first_name,last_name\nP3,Cleo,Cho\n')
  at.folder.write('floors.csv', floors('yes', 'no'))
  const both = await at.run()
  at.folder.write('floors.csv', 'building,code,name,level\nB1,G,Ground,0\nB1,L1,Level 1,1\n')
  const without = await at.run()

  expect(both.errors).toMatchObject([
    { line: 2, column: 'active', reason: 'reopens a retired place: restore it in the console' },
    { line: 3, column: 'active', reason: 'ends a place in use: retire it in the console' },
  ])
  expect([without.errors, changesOf(without)['floors.csv']]).toEqual([[], undefined])
  expect(await rowsOf(at.db, 'select code from floor where retired_at is not null')).toEqual([{ code: 'G' }])
})
