import { expect, test } from 'vitest'
import type { MappedColumn } from '#kernel/console-kinds.ts'
import { asAdministrator, givenAdministrator } from '#server/testing/administrators.ts'
import { rowsOf, rowVersions } from '#server/testing/import-test.ts'
import { refused } from '#server/testing/refused.ts'
import { checkUpload, listUploadProblems, type Mapping, openUpload } from '../calls.ts'
import { openUploading } from './uploads.fixture.ts'

type Uploading = Awaited<ReturnType<typeof openUploading>>

const headings: Partial<Record<MappedColumn, string>> = {
  last_name: 'Surname',
  first_name: 'Given name',
  email: 'Email address',
  mobile: 'Phone',
  floor: 'Room/Floor',
}
const mappingOf = (columns: Partial<Record<MappedColumn, string>> = headings): Mapping => ({
  name: 'Staff list.csv',
  columns: Object.entries(columns).map(([column, heading]) => ({ column: column as MappedColumn, heading })),
})
const head = 'Surname,Given name,Email address,Phone,Room/Floor,Subject\n'
const staff = `${head}Abara,Ada,ADA@small.test,,North House - Level 1,Maths
Brandt,Benjamin,,0491 000 902,B1/L1,Music
cho, Cleo ,,,,Art
Diaz,Dan,dan@small.test,0491 000 909,north house/G,Art
Eden,Eve,,,Level 1,
`

async function problemsOf(at: Uploading, table: string, columns = headings) {
  const { uid } = await at.check({ 'people.csv': table }, { mapping: mappingOf(columns) })
  const { problems } = await at.call(listUploadProblems, { params: { uid } })
  return problems.map(({ line, column, reason }) => `${line} ${column}: ${reason}`)
}

const peopleOf = (at: Uploading) =>
  rowsOf(
    at.db,
    `select p.code, p.name, p.email, p.mobile, f.code as floor,
       p.is_client_master as is_manager
     from person p left join floor f on f.uid = p.primary_floor_uid where p.code !~ '^(V1|A-|ADM)' and p.last_name <> 'Lind' order by 1`,
  )

test('IMP-05 who is who by e-mail, mobile or full name; new people get codes; the same table again changes nothing', async () => {
  await using at = await openUploading()
  const number = () => rowsOf(at.db, 'select last_person_number from client')
  const before = await number()

  const upload = await at.check({ 'people.csv': staff }, { mapping: mappingOf() })

  expect(at.troubles).toEqual([])
  expect(upload.files).toEqual([{ file: 'people.csv', added: 2, changed: 3, ended: 0, left: 0 }])
  expect(upload.own_name).toBe('Staff list.csv')
  expect(await number()).toEqual(before)
  const rows = await at.changes(upload.uid)
  expect(rows.map(({ kind, line, title }) => `${kind} ${line} ${title}`)).toEqual([
    'added 5 P-000001 Dan Diaz',
    'added 6 P-000002 Eve Eden',
    'changed 2 P1 Ada Abara',
    'changed 3 P2 Benjamin Brandt',
    'changed 4 P3 Cleo cho',
  ])
  expect(await at.apply(upload.uid)).toMatchObject({ state: 'applied', added: 2, changed: 3 })
  expect(await peopleOf(at)).toEqual([
    {
      code: 'P-000001',
      name: 'Dan Diaz',
      email: 'dan@small.test',
      mobile: '61491000909',
      floor: 'G',
      isManager: false,
    },
    { code: 'P-000002', name: 'Eve Eden', email: null, mobile: null, floor: 'L1', isManager: false },
    { code: 'P1', name: 'Ada Abara', email: 'ada@small.test', mobile: '61491000901', floor: 'L1', isManager: true },
    {
      code: 'P2',
      name: 'Benjamin Brandt',
      email: 'ben@small.test',
      mobile: '61491000902',
      floor: 'L1',
      isManager: false,
    },
    { code: 'P3', name: 'Cleo cho', email: 'cleo@small.test', mobile: null, floor: 'L1', isManager: false },
  ])
  const again = await at.check({ 'people.csv': staff }, { mapping: mappingOf() })
  expect(again).toMatchObject({ problems: 0, files: [], may_apply: false })
  expect(at.troubles).toEqual([])
})

test('IMP-05 a code of ours is first, a code of theirs comes with a new person, and one of a visitor is refused', async () => {
  await using at = await openUploading()
  const columns: typeof headings = { code: 'Staff no', full_name: 'Name', email: 'Mail' }
  const table =
    'Staff no;Name;Mail\nP2;Abara, Ada;ben@small.test\n4711;Mary Jane Watson;mary@small.test\n4712;Cleo Cho;\n'

  const upload = await at.check({ 'people.csv': table }, { mapping: mappingOf(columns) })

  const rows = await at.changes(upload.uid)
  expect(rows.map(({ kind, title, cells }) => [kind, title, cells.map(({ after }) => after)])).toEqual([
    ['added', '4711 Mary Jane Watson', expect.arrayContaining(['Mary Jane', 'Watson'])],
    ['changed', 'P2 Ada Abara', ['Ada', 'Abara']],
  ])
  expect(await at.apply(upload.uid)).toMatchObject({ state: 'applied', added: 1, changed: 1 })
  expect(await problemsOf(at, 'Staff no,Name,Mail\nV1,Vera Vos,\nX,",",\n', columns)).toEqual([
    '2 Staff no: is the code of a visitor',
    '3 Name: Enter a first name or a last name.',
  ])
})

test('NUM-06 IMP-05 a full name of one word is a last name, and who is stored by one name keeps it', async () => {
  await using at = await openUploading()
  const columns: typeof headings = { full_name: 'Name', email: 'Mail' }
  const bring = async (table: string, mapping: Mapping) => {
    const { uid } = await at.check({ 'people.csv': table }, { mapping })
    const rows = await at.changes(uid)
    if (rows.length > 0) await at.apply(uid)
    return rows.map(({ kind, title }) => `${kind} ${title}`)
  }
  const table = 'Name,Mail\nSuharto,s@small.test\n"Sukarno, ",\nAbara,ada@small.test\n'

  expect(await bring(table, mappingOf(columns))).toEqual([
    'added P-000001 Suharto',
    'added P-000002 Sukarno',
    'changed P1 Abara',
  ])
  expect(await bring(table, mappingOf(columns))).toEqual([])
  // the same people in a table with a column for each
  const parted = 'Given,Family,Mail\nSuharto,,s@small.test\n,,ben@small.test\nAda,,ada@small.test\n'
  const given: typeof headings = { first_name: 'Given', last_name: 'Family', email: 'Mail' }
  expect(await problemsOf(at, parted, given)).toEqual(['3 Given: Enter a first name or a last name.'])
  const repaired = parted.replace(',,ben', 'Bo,,ben')
  expect(await bring(repaired, mappingOf(given))).toEqual(['changed P2 Bo Brandt', 'changed P1 Ada Abara'])
  expect(await bring('Family,Mail\nRahayu,s@small.test\n', mappingOf({ last_name: 'Family', email: 'Mail' }))).toEqual([
    'changed P-000001 Rahayu',
  ])
  expect((await peopleOf(at)).map((one) => (one as { name: string }).name)).toEqual([
    'Rahayu',
    'Sukarno',
    'Ada Abara',
    'Bo Brandt',
    'Cleo Cho',
  ])
})

test('IMP-05 a name of two people, a person on two lines, and a floor that is none or two are bad cells under their headings', async () => {
  await using at = await openUploading({
    'buildings.csv': 'site,code,name\nS1,B1,North House\nS1,B2,South House\n',
    'floors.csv': 'building,code,name,level\nB1,G,Ground,0\nB1,L1,Level 1,1\nB2,G,Ground,0\n',
    'people.csv': `code,first_name,last_name,email,mobile,floor
P1,Ada,Abara,ada@small.test,0491 000 901,B1/G
P2,Ben,Brandt,ben@small.test,,B1/G
P3,Cleo,Cho,cleo@small.test,,B1/L1
P4,Cleo,Cho,,,B1/L1
`,
    'documents.csv': undefined,
  } as never)
  const advice = 'give a code, an email or a mobile that only one of them has'

  const problems = await problemsOf(
    at,
    `${head}Cho,Cleo,,,,
Abara,Ada,ada@small.test,,Ground,
Abara,Adele,,0491 000 901,,
Gray,Gus,,,South House - Attic,
Hill,Hal,,,,
Hill,Hal,,,,
Ives,Ida,not-an-address,,South House/ground,
`,
  )
  const cleos = await at.check(
    { 'people.csv': `${head}Cho,Cleo,cleo@small.test,,,\nCho,Cleo,,,,\n` },
    { mapping: mappingOf() },
  )
  const hills = `${head}Hill,Hal,one@small.test,,,\nHill,Hal,two@small.test,,,\n`
  const two = await at.check({ 'people.csv': hills }, { mapping: mappingOf() })

  expect(problems).toEqual([
    `2 Surname: is the name of 2 people: ${advice}`,
    "3 Room/Floor: is the name of 2 floors: write 'Building - Floor', each by its name or code",
    '4 : is the same person as line 3',
    "5 Room/Floor: is not a known floor: write 'Building - Floor', each by its name or code",
    `6 Surname: is a name that another row or person has: ${advice}`,
    `7 Surname: is a name that another row or person has: ${advice}`,
    '8 Email address: is not an email address',
  ])
  const places = { last_name: 'Surname', first_name: 'Given name', building: 'Block', floor: 'Level' }
  const fox = 'Surname,Given name,Block,Level\nFox,Fay,South House,Ground\nGil,Guy,South House,\n'
  const placed = await at.check({ 'people.csv': fox }, { mapping: mappingOf(places) })
  expect(placed).toMatchObject({ problems: 0, added: 2 })
  expect(
    (await at.changes(placed.uid)).map(({ cells }) => cells.find(({ column }) => column === 'floor')?.after),
  ).toEqual(['B2/G', undefined])

  expect(cleos).toMatchObject({ problems: 0, files: [] })
  expect(await at.apply(two.uid)).toMatchObject({ state: 'applied', added: 2 })
  expect(await at.check({ 'people.csv': hills }, { mapping: mappingOf() })).toMatchObject({ problems: 0, files: [] })
})

test('IMP-05 IMP-09 codes that someone else got since the check are shown anew; a killed worker gives no one another code', async () => {
  await using at = await openUploading()
  const upload = await at.check({ 'people.csv': staff }, { mapping: mappingOf() })
  await rowsOf(at.db, 'update client set last_person_number = 40')

  const moved = await at.apply(upload.uid)
  const titles = (await at.changes(upload.uid, { kind: 'added' })).map(({ title }) => title)
  // as a worker leaves it that is killed after one of the new people
  await rowsOf(
    at.db,
    `insert into person (client_uid, code, first_name, last_name, kind) select uid, 'P-000042', 'Eve', 'Eden', 'staff' from client`,
  )
  await rowsOf(at.db, `update upload set state = 'applying', begun_at = now() where uid = '${upload.uid}'`)
  await at.work()

  expect(moved).toMatchObject({
    state: 'checked',
    notice: expect.stringMatching(/^The data has changed since the check/),
  })
  expect(titles).toEqual(['P-000041 Dan Diaz', 'P-000042 Eve Eden'])
  const made = await rowsOf(at.db, "select code, last_name from person where code like 'P-%' order by 1")
  expect(made).toEqual([
    { code: 'P-000041', lastName: 'Diaz' },
    { code: 'P-000042', lastName: 'Eden' },
  ])
  expect(await rowsOf(at.db, "select options ? 'made' as is_kept from upload")).toEqual([{ isKept: false }])
  expect(at.troubles).toEqual([])
})

test('IMP-05 a column that is none of ours, none of theirs or chosen twice, no name and a second file are refused', async () => {
  await using at = await openUploading()
  const before = await rowVersions(at.db)
  const { uid } = await at.call(openUpload, {})
  for (const file of ['people.csv', 'roles.csv']) await at.send(at.call, uid, file, Buffer.from(staff))
  const check = (mapping: Mapping, files = ['people.csv']) =>
    refused(
      at.call(checkUpload, {
        params: { uid },
        body: { files: files.map((file) => ({ file, parts: 1 })), end_missing: false, mapping },
      }),
    )
  const named = { first_name: 'Given name', last_name: 'Surname' }
  const twice = mappingOf(named)

  expect(await check(mappingOf({ ...named, password: 'Phone' } as never))).toEqual(['invalid_request'])
  expect(await check({ ...twice, columns: [...twice.columns, { column: 'last_name', heading: 'Phone' }] })).toEqual([
    'invalid_request',
  ])
  expect(await check(mappingOf({ email: 'Email address' }))).toEqual(['invalid_request'])
  expect(await check(mappingOf({ ...named, full_name: 'Subject' }))).toEqual(['invalid_request'])
  expect(await check(mappingOf(named), ['people.csv', 'roles.csv'])).toEqual(['invalid_request'])
  expect((await rowVersions(at.db)).length).toBe(before.length)
  expect(await problemsOf(at, staff, { ...named, email: 'Post' })).toEqual(['1 Post: is missing in the header'])
})

test('IMP-05 ORG-10 a site finds and adds its own people alone', async () => {
  await using at = await openUploading({
    'sites.csv': 'code,name\nS1,Main Site\nS2,Other Site\n',
    'buildings.csv': 'site,code,name\nS1,B1,North House\nS2,B2,South House\n',
    'floors.csv': 'building,code,name,level\nB1,G,Ground,0\nB1,L1,Level 1,1\nB2,G,Ground,0\n',
  })
  const [site] = await rowsOf<{ uid: never }>(at.db, "select uid from site where code = 'S2'")
  const by = await asAdministrator(
    at.server,
    await givenAdministrator(at.server, at.org, { reach: 'site', siteUid: site?.uid as never }),
  )
  const mapping = mappingOf()

  const beyond = await at.check(
    { 'people.csv': `${head}Cho,Cleo,,,South House - Ground,\nGray,Gus,,,North House - Ground,\nHill,Hal,,,,\n` },
    { by, mapping },
  )
  const own = await at.check({ 'people.csv': `${head}Gray,Gus,,,South House - Ground,\n` }, { by, mapping })

  expect((await by(listUploadProblems, { params: { uid: beyond.uid } })).problems).toEqual([
    { file: 'Staff list.csv', line: 2, column: '', reason: 'is outside your reach' },
    { file: 'Staff list.csv', line: 3, column: 'Room/Floor', reason: 'is outside your reach' },
    { file: 'Staff list.csv', line: 4, column: 'Room/Floor', reason: 'is outside your reach' },
  ])
  expect(await at.apply(own.uid, null, by)).toMatchObject({ state: 'applied', added: 1 })
  const unmapped = mappingOf({ first_name: 'Given name', last_name: 'Surname', email: 'Email address' })
  const changed = await at.check({ 'people.csv': `${head}Gray,Gus,gus@small.test,,,\n` }, { by, mapping: unmapped })
  expect(changed).toMatchObject({ problems: 0, added: 0, changed: 1 })
})
