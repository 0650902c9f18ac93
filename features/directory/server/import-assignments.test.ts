import { expect, test } from 'vitest'
import { changesOf, openImportTest, rowsOf } from '#server/testing/import-test.ts'

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
