import { expect, test } from 'vitest'
import type { ClientUid } from '#kernel/ids.ts'
import { changesOf, openImportTest, rowsOf, rowVersions } from '#server/testing/import-test.ts'
import type { Column, Columns } from '../column-kinds.ts'
import { columns, type DirectoryFile } from '../columns.ts'
import { examplesOf } from './files/column-examples.fixture.ts'
import { directoryFiles } from './files/directory-files.ts'
import { exportTables } from './tables/export.service.ts'

/** Cells that mean something beside others. The others are examples of their kind. */
const given: Record<DirectoryFile, Record<string, string>> = {
  organisation: { code: 'SMALL' },
  sites: { code: 'S1', timezone: 'Australia/Perth' },
  buildings: { site: 'S1', code: 'B1' },
  floors: { building: 'B1', code: 'G' },
  roles: { code: 'CHIEF', area_domain: 'Site' },
  people: { code: 'P1', first_name: 'Ada', last_name: 'Abara', username: 'adaa', password: 'evacuate1', floor: 'B1/G' },
  groups: { code: 'T1' },
  groupMembers: { group: 'T1', person: 'P1' },
  peeps: { person: 'P1', consent_on: '2026-01-31', review_on: '2026-02-28' },
  assignments: { person: 'P1', role: 'CHIEF', site: 'S1', date_from: '2020-01-01', date_to: '2099-12-31' },
  eventTypes: { code: 'FIRE' },
  floorStatuses: { code: 'NS' },
  checklist: { code: 'C1' },
  templates: { code: 'E1' },
  documents: { code: 'D1', url: 'https://example.com/plan.pdf', site: 'S1', role: 'CHIEF', person: 'P1' },
}

/** Each optional cell holds something that is not its default. */
const told: Record<string, string[][]> = Object.fromEntries(
  Object.entries(given).map(([key, own]) => {
    const { file, required, optional } = directoryFiles[key as DirectoryFile]
    const table: Columns = columns[key as DirectoryFile]
    const header = [...new Set([...Object.keys(own), ...required, ...optional])]
    return [file, [header, header.map((name) => own[name] ?? examplesOf(table[name] as Column)?.[0] ?? '')]]
  }),
)
const csv = (rows: readonly string[][]) => rows.map((row) => `${row.join()}\n`).join('')
const without = (column: string, [header = [], ...rows]: string[][]) =>
  csv([header, ...rows].map((row) => row.filter((_, at) => header[at] !== column)))
const emptied = (column: string, [header = [], ...rows]: string[][]) =>
  csv([header, ...rows.map((row) => row.map((cell, at) => (header[at] === column ? '' : cell)))])

/** One optional column of each file at a time, as long as any file has one that was not taken: an import for each would take minutes. */
const turns = (isMeant: (column: string) => boolean = () => true) => {
  const files = Object.values(directoryFiles).map(({ file, optional }) => ({ file, columns: optional.filter(isMeant) }))
  const most = Math.max(...files.map(({ columns }) => columns.length))
  return Array.from({ length: most }, (_, nth) =>
    files.flatMap(({ file, columns }) => {
      const name = columns[nth]
      return name === undefined ? [] : [{ file, name, rows: told[file] ?? [] }]
    }),
  )
}
const allTold = Object.fromEntries(Object.entries(told).map(([file, rows]) => [file, csv(rows)]))
const writeAll = ({ folder }: Awaited<ReturnType<typeof openImportTest>>, changed: Record<string, string>) => {
  for (const [file, text] of Object.entries({ ...allTold, ...changed })) folder.write(file, text)
}

test('AUTH-06 each optional column that is left out of its header leaves what the database holds', async () => {
  await using at = await openImportTest(allTold)
  expect((await at.run()).errors).toEqual([])
  const before = await rowVersions(at.db)

  for (const turn of turns()) {
    for (const { file, name, rows } of turn) expect(rows[0], file).toContain(name)
    writeAll(at, Object.fromEntries(turn.map(({ file, name, rows }) => [file, without(name, rows)])))
    const report = await at.run()
    const names = turn.map(({ file, name }) => `${file} without ${name}`).join()
    expect([report.errors, changesOf(report)], names).toEqual([[], {}])
  }

  expect(await rowVersions(at.db)).toEqual(before)
})

test('AUTH-06 each optional column is read and stored: its cell emptied changes what the database holds', async () => {
  await using at = await openImportTest(allTold)
  expect((await at.run()).errors).toEqual([])

  for (const turn of turns((column) => column !== 'password')) {
    writeAll(at, Object.fromEntries(turn.map(({ file, name, rows }) => [file, emptied(name, rows)])))
    const report = await at.run()
    expect(report.errors).toEqual([])
    // what signs a person in is counted apart
    const changed = Object.keys(changesOf(report)).map((file) => (file === 'accounts' ? 'people.csv' : file))
    for (const { file, name } of turn) expect.soft(changed, `${file} with an empty ${name}`).toContain(file)
    writeAll(at, {})
    await at.run()
  }
})

test('IMP-16 each optional column is in an export as it was imported', async () => {
  await using at = await openImportTest(allTold)
  expect((await at.run()).errors).toEqual([])
  const [client] = await rowsOf<{ uid: ClientUid }>(at.db, 'select uid from client')
  const everything = { plans: true, people: null, assignments: null }
  const { files } = await exportTables(at.db, client?.uid as ClientUid, everything)
  const tables = new Map(files.map(({ name, lines }) => [name, [...lines()].map(cellsOfLine)]))

  for (const { file, optional } of Object.values(directoryFiles)) {
    const [names = [], ...rows] = tables.get(file) ?? []
    const [header = [], row = []] = told[file] ?? []
    for (const column of optional.filter((name) => name !== 'password' && header.includes(name))) {
      const cells = rows.map((cell) => cell[names.indexOf(column)])
      expect.soft(cells, `${column} of ${file}`).toContain(row[header.indexOf(column)])
    }
  }
})
const cellsOfLine = (line: string) => line.replace('\ufeff', '').trim().split(',')

test('AAR-13 a new status without the column means clear if its name says so, in any letter case', async () => {
  await using at = await openImportTest({
    'floor_statuses.csv':
      'code,name,colour,display_order\nA,EVACUATED,green,1\nB,Clear,green,2\nC,cleared,green,3\nD,Not clear,red,4\nE,Evacuating,red,5\n',
  })
  expect((await at.run()).errors).toEqual([])
  const clear = await rowsOf<{ code: string }>(at.db, 'select code from floor_status where means_clear order by code')
  expect(clear.map(({ code }) => code)).toEqual(['A', 'B', 'C'])
})

test('AAR-38: a site says how often it drills and when its shifts begin, and anything else is refused', async () => {
  const sites = (days: string, shifts: string) =>
    `code,name,drill_every_days,drill_shifts\nS1,Main Site,${days},${shifts}\n`
  await using at = await openImportTest({ 'sites.csv': sites('7', ' 23:00; 07:00;15:00') })
  expect((await at.run()).errors).toEqual([])
  const site = () => rowsOf(at.db, 'select drill_every_days, drill_shifts from site')
  expect(await site()).toEqual([{ drillEveryDays: 7, drillShifts: '07:00;15:00;23:00' }])

  for (const [days, shifts] of [
    ...[
      ['6', ''],
      ['1826', ''],
      ['often', ''],
      ['90', '7:00'],
      ['90', '24:00'],
      ['90', '07:00;07:00'],
    ],
  ] as [string, string][]) {
    at.folder.write('sites.csv', sites(days, shifts))
    expect((await at.run()).errors, `${days} ${shifts}`).toHaveLength(1)
  }
  at.folder.write('sites.csv', sites('', ''))
  await at.run()
  expect(await site()).toEqual([{ drillEveryDays: 365, drillShifts: '' }])
})

test('AUTH-06 a new row whose optional columns are left out takes their defaults', async () => {
  await using at = await openImportTest({
    'sites.csv': 'code,name\nS1,Main Site\n',
    'floors.csv': 'building,code,name,level\nB1,G,Ground,0\nB1,L1,Level 1,1\n',
    'floor_statuses.csv': 'code,name,colour,display_order\nNS,Not Started,grey,1\n',
    'event_types.csv': 'code,type\nFIRE,Fire\n',
    'templates.csv': 'code,type,text\nE1,Evacuee,Are you safe?\n',
    'peeps.csv': 'person,summary\nP3,Tell in person\n',
  })

  expect((await at.run()).errors).toEqual([])
  expect(changesOf(await at.run())).toEqual({})
})

test('AAR-29 the checklist of an organisation has up to 40 items in use, no two of them alike', async () => {
  const items = (...rows: string[]) => `code,text,display_order,active\n${rows.map((row) => `${row}\n`).join('')}`
  const many = (inUse: number) =>
    items(...Array.from({ length: 42 }, (_, n) => `C${n},Item ${n}?,${n},${n < inUse ? 'yes' : 'no'}`))
  await using at = await openImportTest({ 'checklist.csv': many(40) })
  expect((await at.run()).errors).toEqual([])
  const stored = () => rowsOf(at.db, 'select text from checklist_item where active')
  expect(await stored()).toHaveLength(40)

  for (const [file, problem] of [
    [many(41), 'has more than 40 items in use'],
    [items('C1,Gas?,1,yes', 'C2,Gas?,2,yes', 'C0,Item 0?,3,no'), "is also the text of 'C1'"],
    [items(`C1,${'x'.repeat(201)},1,yes`), 'is longer than 200 characters'],
  ] as const) {
    at.folder.write('checklist.csv', file)
    expect(JSON.stringify((await at.run()).errors), problem).toContain(problem)
  }
  at.folder.write('checklist.csv', items('C1,Item 2?,1,yes', 'C2,Item 1?,2,yes'))
  expect((await at.run()).errors).toEqual([])
})
