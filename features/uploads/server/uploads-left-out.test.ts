import { expect, test } from 'vitest'
import { urlOf } from '#kernel/client/client.ts'
import type { MappedColumn } from '#kernel/console-kinds.ts'
import type { UploadUid } from '#kernel/ids.ts'
import { asAdministrator, givenAdministrator } from '#server/testing/administrators.ts'
import { rowsOf } from '#server/testing/import-test.ts'
import { refused } from '#server/testing/refused.ts'
import { applyUpload, downloadLeftOutRows, getUpload, listUploadProblems } from '../calls.ts'
import { openUploading } from './uploads.fixture.ts'

type Uploading = Awaited<ReturnType<typeof openUploading>>

const people = (rows: string) => `code,first_name,last_name,email,floor\n${rows}`
async function leftOut({ server, call }: Uploading, uid: UploadUid, file = 'people.csv') {
  const url = urlOf(downloadLeftOutRows, { params: { uid, file } })
  const { body } = await server.app.inject({ url, headers: { authorization: `Bearer ${call.token}` } })
  return body
}
const namesOf = async (at: Uploading) =>
  (await rowsOf<{ code: string }>(at.db, "select code from person where code ~ '^N' order by 1")).map(
    ({ code }) => code,
  )
async function problemsOf(at: Uploading, uid: UploadUid) {
  const { problems } = await at.call(listUploadProblems, { params: { uid } })
  return problems.map(({ file, line, reason }) => `${file} ${line}: ${reason}`)
}

test('IMP-53 IMP-54 one bad cell keeps back its row alone, and its file is repaired and uploaded as it is', async () => {
  await using at = await openUploading()
  const table = people(
    'N1,Nia,North,nia@small.test,B1/G\nN2,"Ned ""Jr""","North, old",ned@,B1/NO\nN3,Nat,North,nat@small.test,B1/L1\n',
  )

  const upload = await at.check({ 'people.csv': table })
  const unasked = at.call(applyUpload, { params: { uid: upload.uid }, body: { ends: null } })
  expect(await refused(unasked)).toEqual(['invalid_request'])
  expect(await namesOf(at)).toEqual([])
  const applied = await at.apply(upload.uid, null, at.call, 1)
  const file = await leftOut(at, upload.uid)

  expect(upload).toMatchObject({ problems: 2, may_apply: true, good_rows: 2, bad_rows: 1, added: 2 })
  expect(upload.bad_files).toEqual([{ file: 'people.csv', rows: 1, is_kept: true }])
  expect(applied).toMatchObject({ state: 'applied', added: 2, bad_rows: 1 })
  expect(await namesOf(at)).toEqual(['N1', 'N3'])
  expect(file).toBe(
    `\ufeffleft_out_because,code,first_name,last_name,email,floor\r
email 'ned@' is not an email address; floor 'B1/NO' is not a known floor,N2,"Ned ""Jr""","North, old",ned@,B1/NO\r
`,
  )
  const again = await at.check({ 'people.csv': file })
  expect(await leftOut(at, again.uid)).toBe(file)
  const repaired = await at.check({ 'people.csv': file.replace('old",ned@,B1/NO', 'old",ned@small.test,B1/G') })
  expect(repaired).toMatchObject({ problems: 0, added: 1, bad_files: [] })
  expect(await at.apply(repaired.uid)).toMatchObject({ state: 'applied', added: 1 })
  expect(await namesOf(at)).toEqual(['N1', 'N2', 'N3'])
  expect(at.troubles).toEqual([])
})

test('IMP-53 a NUL, which no database stores, is a wrong cell in any column and keeps back its row alone', async () => {
  await using at = await openUploading()

  const upload = await at.check({
    'people.csv': people('N1,N\0ia,North,,B1/G\nN2,Ned,North,,B1/\0\nN3,Nat,North,,B1/L1\n'),
  })
  const applied = await at.apply(upload.uid, null, at.call, upload.bad_rows)

  expect(await problemsOf(at, upload.uid)).toEqual([
    'people.csv 2: contains a line break or an unprintable character',
    "people.csv 3: 'B1/\u001a' is not a known floor",
  ])
  expect(applied).toMatchObject({ state: 'applied', added: 1, bad_rows: 2 })
  expect(await namesOf(at)).toEqual(['N3'])
  expect(at.troubles).toEqual([])
})

test('IMP-53 rows that name one that is left out are left out too, and say why', async () => {
  await using at = await openUploading()

  const upload = await at.check({
    'buildings.csv': 'site,code,name\nS1,B7,South House\nS1,B8,\n',
    'floors.csv': 'building,code,name,level\nB7,G,Ground,zero\nB7,L1,Level 1,1\nB7,L2,Level 2\nB8,G,Ground,0\n',
    'people.csv': people('N1,Nia,North,,B7/G\nN2,Ned,North,,B7/L1\nN3,Nat,North,,B8/G\nN4,Neo,North,,B7/L2\n'),
    'assignments.csv':
      'person,role,site,locations,date_from,date_to\nN1,FLOOR,S1,B1/G,today,today+9\nN2,FLOOR,S1,B7/L1,today,today+9\n',
  })
  const applied = await at.apply(upload.uid, null, at.call, 8)

  expect(await problemsOf(at, upload.uid)).toEqual([
    'buildings.csv 3: is empty',
    'floors.csv 2: is not a whole number',
    'floors.csv 4: has 3 cells where the header names 4 columns',
    "floors.csv 5: 'B8' is on line 3 of buildings.csv, which is left out",
    "people.csv 2: 'B7/G' is on line 2 of floors.csv, which is left out",
    "people.csv 4: 'B8' is on line 3 of buildings.csv, which is left out",
    "people.csv 5: 'B7/L2' is on line 4 of floors.csv, which is left out",
    "assignments.csv 2: 'N1' is on line 2 of people.csv, which is left out",
  ])
  expect(applied).toMatchObject({ state: 'applied', good_rows: 4, bad_rows: 8, added: 4 })
  expect(await namesOf(at)).toEqual(['N2'])
  expect(await leftOut(at, upload.uid, 'floors.csv')).toContain('4 columns,B7,L2,Level 2\r\n')
})

test('IMP-53 an assignment is not taken for one whose row is left out', async () => {
  await using at = await openUploading()
  const held = () => rowsOf(at.db, "select date_from, date_to from warden_assignment where date_to = '2099-12-31'")
  const before = await held()

  const upload = await at.check({
    'assignments.csv': `person,role,site,locations,date_from,date_to,status
P1,CHIEF,S1,,2020-01-01,soon,Accepted
P1,CHIEF,S1,,2027-01-01,2027-12-31,Offered
P2,FLOOR,S1,B1/L1,today-10,today+400,Offered
`,
  })
  await at.apply(upload.uid, null, at.call, 2)

  expect(await problemsOf(at, upload.uid)).toEqual([
    'assignments.csv 2: is not a date: write YYYY-MM-DD, or today, today+30, today-10',
    'assignments.csv 3: same person, role and site as on line 2, which is left out',
  ])
  expect(await held()).toEqual(before)
})

test('IMP-53 ORG-10 a file that is unreadable, ends of missing people and rows beyond the reach stay kept back', async () => {
  await using at = await openUploading()
  const bad = people('N1,Nia,North,nia@,B1/G\nP1,Ada,Abara,ada@small.test,B1/G\n')
  const [site] = await rowsOf<{ uid: never }>(
    at.db,
    "insert into site (client_uid, code, name, timezone) select uid, 'S2', 'Other', 'UTC' from client returning uid",
  )
  const elsewhere = await asAdministrator(
    at.server,
    await givenAdministrator(at.server, at.org, { reach: 'site', siteUid: site?.uid as never }),
  )

  const unreadable = await at.check({ 'people.csv': `${bad}N2,"Ned,North,,\n` })
  const ending = await at.check(
    {
      'people.csv': bad,
      'assignments.csv': 'person,role,site,locations,date_from,date_to\nP1,CHIEF,S1,,today,today\n',
    },
    { endMissing: true },
  )
  const beyond = await at.check(
    { 'people.csv': people('N1,Nia,North,,B1/G\nP1,Ada,Adams,,B1/L1\n') },
    { by: elsewhere },
  )

  expect(unreadable).toMatchObject({ may_apply: false, bad_rows: 0, files: [] })
  expect(ending).toMatchObject({ may_apply: false, bad_rows: 0, files: [] })
  expect(beyond).toMatchObject({ added: 0, changed: 0, left: 1, bad_rows: 1 })
  expect(await at.apply(beyond.uid, null, elsewhere, 1)).toMatchObject({ added: 0, changed: 0 })
  expect(await namesOf(at)).toEqual([])
  for (const { uid } of [unreadable, ending])
    expect(await refused(at.call(applyUpload, { params: { uid }, body: { ends: null, leave_out: 0 } }))).toEqual([
      'invalid_transition',
    ])
  expect(await refused(elsewhere(downloadLeftOutRows, { params: { uid: ending.uid, file: 'people.csv' } }))).toEqual([
    'not_found',
  ])
})

test('IMP-53 IMP-09 a row that has become wrong since the check is shown before anything is written', async () => {
  await using at = await openUploading()
  const upload = await at.check({
    'people.csv': people('N1,Nia,North,nia@,B1/G\nN2,Ned,North,,B1/L1\nN3,Nat,North,,B1/G\n'),
  })
  await rowsOf(
    at.db,
    "update person set primary_floor_uid = null; update floor set retired_at = now() where code = 'L1'",
  )

  const again = await at.apply(upload.uid, null, at.call, 1)

  expect(again).toMatchObject({ state: 'checked', notice: expect.stringMatching(/^The data has changed/), bad_rows: 2 })
  expect(await namesOf(at)).toEqual([])
  expect(await at.apply(upload.uid, null, at.call, 2)).toMatchObject({ state: 'applied', added: 1 })
  expect(await namesOf(at)).toEqual(['N3'])
})

test('IMP-54 rows of plans are not kept, and an undo takes what came in back', async () => {
  await using at = await openUploading()
  const upload = await at.check({
    'people.csv': people('N1,Nia,North,nia@,B1/G\nN2,Ned,North,,B1/L1\n'),
    'peeps.csv': 'person,assistance,consent\nP3,Secret help,maybe\nN2,Other help,\n',
  })

  await at.apply(upload.uid, null, at.call, 2)

  expect(upload.bad_files).toEqual([
    { file: 'people.csv', rows: 1, is_kept: true },
    { file: 'peeps.csv', rows: 1, is_kept: false },
  ])
  expect(await refused(at.call(downloadLeftOutRows, { params: { uid: upload.uid, file: 'peeps.csv' } }))).toEqual([
    'not_found',
  ])
  expect(JSON.stringify(await rowsOf(at.db, 'select cells, reason from upload_problem'))).not.toMatch(/Secret|Other/)
  expect(await at.undo(upload.uid)).toMatchObject({ state: 'undone', bad_files: [], bad_rows: 0 })
  expect(await rowsOf(at.db, "select active from person where code = 'N2'")).toEqual([{ active: false }])
})

test('IMP-53 IMP-54 of a table with other headings the rows keep its headings and its people', async () => {
  await using at = await openUploading()
  const headings: Partial<Record<MappedColumn, string>> = { full_name: 'Name', mobile: 'Phone', floor: 'Room' }
  const mapping = {
    name: 'Staff list.csv',
    columns: Object.entries(headings).map(([column, heading]) => ({ column: column as MappedColumn, heading })),
  }
  const table =
    'Name;Phone;Room;Subject\nNia North;0491 000 777;Ground;Art\nCleo Cho;12;Ground;Maths\nNed North;;Attic;Art\n'

  const upload = await at.check({ 'people.csv': table }, { mapping })
  await at.apply(upload.uid, null, at.call, 2)
  const file = await leftOut(at, upload.uid, 'Staff list.csv')
  const repaired = await at.check(
    { 'people.csv': file.replace(',,Attic,', ',,Level 1,').replace(',12,', ',0491 000 778,') },
    { mapping },
  )

  expect(file.split('\r\n').slice(0, 3)).toEqual([
    '\ufeffleft_out_because,Name,Phone,Room,Subject',
    expect.stringMatching(/^"?Phone '12' cannot be read as a phone number: .*,Cleo Cho,12,Ground,Maths$/),
    expect.stringMatching(/^"?Room 'Attic' is not a known floor: .*,Ned North,,Attic,Art$/),
  ])
  expect(await at.apply(repaired.uid)).toMatchObject({ state: 'applied', added: 1, changed: 1 })
  expect(await rowsOf(at.db, "select first_name from person where last_name = 'North' order by 1")).toEqual([
    { firstName: 'Ned' },
    { firstName: 'Nia' },
  ])
})

test('NUM-04 of two numbers in a cell the first is kept, and the upload says on which lines', async () => {
  await using at = await openUploading()
  const rows =
    'N1,Nia,North,0491 000 777 / 0491 000 778\nN2,Ned,North,0491 000 779\nN3,Nat,North,0491 000 780 or 12 345 678\n'

  const upload = await at.check({ 'people.csv': `code,first_name,last_name,mobile\n${rows}` })
  await at.apply(upload.uid)

  expect(upload.hints).toEqual([
    { file: 'people.csv', reason: 'Two numbers: only the first is kept.', rows: 2, lines: [2, 4] },
  ])
  expect(await rowsOf(at.db, "select mobile from person where code = 'N1'")).toEqual([{ mobile: '61491000777' }])
})

test('IMP-55 staff without a floor are counted before they are brought in', async () => {
  await using at = await openUploading()

  const upload = await at.check({
    'people.csv': people('N1,Nia,North,,\nN2,Ned,North,,B1/G\nP3,Cleo,Cho,cleo@small.test,\n'),
  })
  await at.apply(upload.uid)
  const again = await at.check({ 'people.csv': people('N1,Nia,Norton,,\n') })

  expect(upload.without_floor).toBe(2)
  expect(again).toMatchObject({ changed: 1, without_floor: 0 })
  expect(await at.call(getUpload, { params: { uid: upload.uid } })).toMatchObject({ state: 'applied' })
})
