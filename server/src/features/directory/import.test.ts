import { expect, test } from 'vitest'
import { verifyPassword } from '../../platform/passwords.ts'
import { givenFolder } from '../../testing/given-folder.ts'
import { changesOf, openImportTest, rowsOf, rowVersions } from '../../testing/import-test.ts'
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

test('AUTH-06 every bad cell is told by file, line and column, and nothing is written', async () => {
  await using at = await openImportTest({
    'floors.csv': 'building,code,name,level,kind\nB1,G,Ground,zero,floor\nB9,L1,Level 1,1,floor\nB1,G,Again,2,roof\n',
    'people.csv': `code,first_name,last_name,email,mobile,password,floor,kind,visit_date
P1,Ada,"Abara
Brandt",ada@,12345,short,B1,staff,
P2,,Brandt,,,,B1/L7,staff,2026-01-01
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

test('AUTH-06 an assignment accepted in the app is not offered again by the next import', async () => {
  await using at = await openImportTest()
  await at.run()
  await rowsOf(at.db, "update warden_assignment set status = 'Accepted', responded_at = now() where status = 'Offered'")

  at.folder.edit('assignments.csv', 'today+300', 'today+400')
  const report = await at.run()

  expect(changesOf(report)).toEqual({ 'assignments.csv': { created: 0, updated: 1, ended: 0 } })
  const answers =
    "select status, responded_at is not null as responded from warden_assignment where imported_status = 'Offered'"
  expect(await rowsOf(at.db, answers)).toEqual([{ status: 'Accepted', responded: true }])
})

test('AUTH-06 a status cell that changed is written and stands in the journal', async () => {
  await using at = await openImportTest()
  await at.run()

  at.folder.edit('assignments.csv', 'Offered', 'Declined')
  await at.run()

  expect(
    await rowsOf(at.db, "select status, declined_note, responded_at from warden_assignment where status = 'Declined'"),
  ).toEqual([{ status: 'Declined', declinedNote: null, respondedAt: null }])
  expect(await rowsOf(at.db, 'select action, before, after from journal')).toEqual([
    { action: 'assignment_changed', before: { status: 'Offered' }, after: { status: 'Declined', by: 'import' } },
  ])
})

test('AUTH-06 the areas of an assignment are replaced only when they differ', async () => {
  await using at = await openImportTest()
  await at.run()

  at.folder.edit('assignments.csv', 'S1,B1/L1,', 'S1,B1/G;B1/L1,')
  const report = await at.run()

  expect(changesOf(report)).toEqual({ 'assignments.csv': { created: 0, updated: 1, ended: 0 } })
  const areas = 'select f.code from assignment_location l join floor f on f.uid = l.floor_uid order by f.code'
  expect(await rowsOf(at.db, areas)).toEqual([{ code: 'G' }, { code: 'L1' }])
})

test('AUTH-06 days written as today follow the day at the site', async () => {
  await using at = await openImportTest()

  // 13:30 UTC on the last day of March is 00:30 of the first of April in Sydney
  await at.run({ now: new Date('2026-03-31T13:30:00Z') })
  await at.run({ now: new Date('2026-04-02T00:00:00Z') })

  expect(await rowsOf(at.db, "select visit_date from person where kind = 'visitor'")).toEqual([
    { visitDate: '2026-04-02' },
  ])
  expect(await rowsOf(at.db, "select date_from, date_to from warden_assignment where status = 'Offered'")).toEqual([
    { dateFrom: '2026-03-23', dateTo: '2027-01-27' },
  ])
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

test('AUTH-06 two imports at once take turns', async () => {
  await using at = await openImportTest()

  const reports = await Promise.all([at.run(), at.run(), at.run()])

  expect(reports.map((report) => report.errors)).toEqual([[], [], []])
  expect(reports.filter((report) => Object.keys(changesOf(report)).length > 0)).toHaveLength(1)
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

test('AUTH-06 a file that cannot be read whole does not make errors of those that name its rows', async () => {
  await using at = await openImportTest({ 'people.csv': 'code,first_name,surname\nP1,Ada,Abara\n' })

  const report = await at.run()

  expect(report.errors.map(({ file, line, column }) => `${file} ${line} ${column}`)).toEqual([
    'people.csv 1 surname',
    'people.csv 1 last_name',
  ])
})

test('AUTH-06 --deactivate-missing refuses a file without rows: a broken export would end everybody', async () => {
  await using at = await openImportTest()
  await at.run()

  at.folder.write('people.csv', 'code,first_name,last_name\n')
  at.folder.write('peeps.csv', 'person\n')
  at.folder.write('assignments.csv', 'person,role,site,date_from,date_to\n')
  const report = await at.run({ deactivateMissing: true })

  expect(report.errors.map(({ file, line }) => `${file} ${line}`)).toEqual(['people.csv 0', 'assignments.csv 0'])
})

test('AUTH-06 assignments without a status column keep theirs, and are offered when they are new', async () => {
  await using at = await openImportTest()
  await at.run()

  at.folder.write(
    'assignments.csv',
    `person,role,site,locations,date_from,date_to
P1,CHIEF,S1,,2020-01-01,2099-12-31
P3,FLOOR,S1,B1/L1,2020-01-01,2099-12-31
`,
  )
  const report = await at.run()

  expect(changesOf(report)).toMatchObject({ 'assignments.csv': { created: 1, updated: 0 } })
  const statuses =
    'select p.code, a.status from warden_assignment a join person p on p.uid = a.person_uid order by p.code'
  expect(await rowsOf(at.db, statuses)).toEqual([
    { code: 'P1', status: 'Accepted' },
    { code: 'P2', status: 'Offered' },
    { code: 'P3', status: 'Offered' },
  ])
})
