import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderStore } from '#server/platform/documents/document-folder.ts'
import { openImportTest, rowsOf } from '#server/testing/import-test.ts'

/** Reasons by `line column` of one file. */
async function errorsOf(file: string, content: string) {
  await using at = await openImportTest({ [file]: content })
  const report = await at.run()
  return report.errors.filter((error) => error.file === file).map(({ line, column }) => `${line} ${column}`)
}

test('AUTH-06 sites, buildings and floors are refused by cell', async () => {
  expect(await errorsOf('sites.csv', 'code,name,timezone\nS1,Main Site,Sydney\nS/2,East,UTC\nS1,,UTC\n')).toEqual([
    '2 timezone',
    '3 code',
    '4 code',
    '4 name',
  ])
  expect(await errorsOf('buildings.csv', 'site,code,name\nS1,B1,North\nS1,B2,North\nS9,B3,East\n')).toEqual([
    '3 name',
    '4 site',
  ])
})

test('AMB-103 roles are refused by cell: unknown domains and modules', async () => {
  const roles =
    'code,name,area_domain,modules\nCHIEF,Chief,Campus,Event_Management\nFLOOR,Floor Warden,floor,Module_My_Messages\n'

  expect(await errorsOf('roles.csv', roles)).toEqual(['2 area_domain', '3 modules'])
})

test('AMB-103 places of an assignment fit the domain of its role and its site', async () => {
  const rows = ['P1,CHIEF,S1,B1', 'P2,FLOOR,S1,', 'P2,FLOOR,S1,B1', 'P2,FLOOR,S1,B1/L9', 'V1,CHIEF,S1,']
  const dates = [
    '2026-01-01,2025-01-01',
    ',2026-01-01',
    '2026-01-03,2026-01-04',
    '2026-01-05,2026-01-06',
    'today,today',
  ]

  const errors = await errorsOf(
    'assignments.csv',
    `person,role,site,locations,date_from,date_to\n${rows.map((row, i) => `${row},${dates[i]}\n`).join('')}`,
  )

  expect(errors).toEqual([
    '2 locations',
    '2 date_to',
    '3 locations',
    '3 date_from',
    '4 locations',
    '5 locations',
    '6 person',
  ])
})

test('AUTH-06 the same assignment twice is an error', async () => {
  const row = 'P2,FLOOR,S1,B1/L1,2026-01-01,2026-02-01\n'

  expect(await errorsOf('assignments.csv', `person,role,site,locations,date_from,date_to\n${row}${row}`)).toEqual([
    '3 date_from',
  ])
})

test('AUTH-06 messages are at most 130 characters, as every text message is', async () => {
  const fits = 'x'.repeat(130)

  expect(await errorsOf('event_types.csv', `code,type,message\nA,Fire,${fits}\nB,Gas,${fits}x\n`)).toEqual([
    '3 message',
  ])
  expect(await errorsOf('templates.csv', `code,type,text\nA,Warden,${fits}x\nB,Guest,Hello\nC,Evacuee,\n`)).toEqual([
    '2 text',
    '3 type',
    '4 text',
  ])
})

test('KIND-03 an event type is meant for live events or drills', async () => {
  expect(
    await errorsOf('event_types.csv', 'code,type,kind\nA,Fire,live\nB,Gas,Drill\nC,Flood,test\nD,Drill,\n'),
  ).toEqual(['4 kind'])
})

test('AMB-111 floor statuses have a colour we can draw', async () => {
  const statuses = 'code,name,colour,display_order\nA,Clear,#00FF00,1\nB,Busy,pinkish,2\nC,Late,red,x\n'

  expect(await errorsOf('floor_statuses.csv', statuses)).toEqual(['3 colour', '4 display_order'])
})

test('AMB-105 a visitor has a day and a building; staff have a floor or none', async () => {
  const people = `code,first_name,last_name,floor,kind,visit_date,username
V1,Vera,Vos,,visitor,today,
V2,Vida,Vos,B1/L1,visitor,,
V3,Vito,Vos,B1,visitor,today,vito
P1,Ada,Abara,B1,staff,,
P2,Ben,Brandt,B1/L1,staff,today,
P3,Cleo,Cho,,,,
`

  expect(await errorsOf('people.csv', people)).toEqual([
    '2 floor',
    '3 visit_date',
    '4 username',
    '5 floor',
    '6 visit_date',
  ])
})

const documents = (...rows: string[]) =>
  `code,name,url,file,site,role,person\n${rows.map((row) => `${row}\n`).join('')}`

test('AMB-071 a document is an https link or a file inside the folder, for a site, a role or a person', async () => {
  using outside = temporaryFolder()
  await using at = await openImportTest({
    'plan.pdf': '%PDF-1.7',
    'run.html': '<script>',
    'documents.csv': documents(
      'D1,Plain http,http://example.com/a.pdf,,S1,,',
      'D2,No scope,https://example.com/a.pdf,,,,',
      'D3,Above,,../plan.pdf,S1,,',
      'D4,Elsewhere,,link/plan.pdf,S1,,',
      'D5,Gone,,gone.pdf,S1,,',
      'D6,Runs,,run.html,S1,,',
      'D7,Both,https://example.com/a.pdf,plan.pdf,S1,,',
      'D8,Neither,,,S1,,',
      'D9,Nobody,https://example.com/a.pdf,,,,P9',
    ),
  })
  writeFileSync(join(outside.path, 'plan.pdf'), '%PDF-1.7')
  symlinkSync(outside.path, join(at.folder.path, 'link'))

  const report = await at.run({ documents: folderStore(outside.path) })

  expect(report.errors.map(({ line, column }) => `${line} ${column}`)).toEqual([
    '2 url',
    '3 site',
    '4 file',
    '5 file',
    '6 file',
    '7 file',
    '8 file',
    '9 url',
    '10 person',
  ])
})

test('AMB-071 a file is kept under its code and content, and a changed one beside it', async () => {
  using store = temporaryFolder()
  const kept = { documents: folderStore(store.path) }
  const documentsDir = join(store.path, 'documents')
  await using at = await openImportTest({
    'papers/plan.txt': 'first plan',
    'documents.csv': documents('D 1,Plan,,papers/plan.txt,S1,,'),
  })

  const dry = await at.run({ ...kept, dryRun: true })
  const homeless = await at.run()
  await at.run(kept)
  at.folder.write('papers/plan.txt', 'second plan')
  await at.run(kept)

  expect(dry.errors).toEqual([])
  expect(homeless.errors).toMatchObject([{ file: 'documents.csv', column: 'file' }])
  const [row] = await rowsOf<{ storageKey: string }>(at.db, 'select storage_key from document')
  expect(row?.storageKey).toMatch(/^D_1-[0-9a-f]{16}\.txt$/)
  expect(readdirSync(documentsDir)).toHaveLength(2)
  expect(readdirSync(documentsDir)).toContain(row?.storageKey)
})

function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), 'evac-store-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) }
}
