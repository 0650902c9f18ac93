import { expect, test } from 'vitest'
import { givenFolder } from '#server/testing/given-folder.ts'
import { checkFolder, folderSource, readRows } from './csv-folder.ts'
import { directoryFiles } from './directory-files.ts'
import { describeProblem, Problems } from './problems.ts'

async function read(content: string | Buffer) {
  using folder = givenFolder({ 'buildings.csv': content })
  const problems = new Problems()
  const rows: { line: number; code?: string }[] = []
  for await (const { line, cells } of readRows(folder.path, directoryFiles.buildings, problems))
    rows.push({ line, ...cells })
  return { rows, problems: problems.list.map(describeProblem) }
}

test.for([
  ['line feeds', '\n'],
  ['carriage returns and line feeds', '\r\n'],
  ['carriage returns', '\r'],
])(
  'AUTH-06 lines are the physical ones with %s, also after quoted line breaks and empty lines',
  async ([, end = '']) => {
    const lines = ['site,code,name', '"S1",B1,"North', '', 'House, ""old"""', '', ',,', 'S1,B2,South']

    const { rows, problems } = await read(`\ufeff${lines.join(end)}`)

    expect(problems).toEqual([])
    expect(rows).toEqual([
      { line: 2, site: 'S1', code: 'B1', name: 'North\n\nHouse, "old"' },
      { line: 7, site: 'S1', code: 'B2', name: 'South' },
    ])
  },
)

test('AUTH-06 a header is read in any order and refused when it is not the file it should be', async () => {
  const order = await read('name,site,code\nNorth,S1,B1\n')
  const wrong = await read('site,code,Name,floors,code,\nS1,B1,North,3,B1,\n')

  expect(order.rows).toEqual([{ line: 2, site: 'S1', code: 'B1', name: 'North' }])
  expect(wrong.rows).toEqual([])
  expect(wrong.problems).toEqual([
    'buildings.csv, line 1, column Name: is not a column of this file; known are site, code, name, active',
    'buildings.csv, line 1, column floors: is not a column of this file; known are site, code, name, active',
    'buildings.csv, line 1, column code: is named twice in the header',
    'buildings.csv, line 1, column name: is missing in the header',
  ])
})

test('AUTH-06 AMB-153 a file that begins with its first row is refused without a word of that row', async () => {
  const { rows, problems } = await read('Ada,ada@small.test,evacuate1\nBen,ben@small.test,evacuate2\n')

  expect(rows).toEqual([])
  expect(problems).toEqual([
    'buildings.csv, line 1: is not a header: a header names the columns, from site, code, name, active',
  ])
})

test('AUTH-06 a row with too many or too few cells is told, the others are read', async () => {
  const { rows, problems } = await read('site,code,name\nS1,B1\nS1,B2,"East, old",x\nS1,B3,West\n')

  expect(rows.map(({ code }) => code)).toEqual(['B3'])
  expect(problems).toEqual([
    'buildings.csv, line 2: has 2 cells where the header names 3 columns',
    'buildings.csv, line 3: has 4 cells where the header names 3 columns',
  ])
})

test.for([
  ['S1,B2,"East', 'line 3: a quote is opened here and never closed'],
  [
    'S1,B2,"East" Wing',
    'line 3: a closing quote is followed by something other than a comma; double any quote inside a cell',
  ],
  [
    'S1,B2,The "East"',
    'line 3: there is a quote inside a cell that is not quoted; quote the whole cell and double the quote',
  ],
])('AUTH-06 %s cannot be read: %s', async ([row = '', told = '']) => {
  const { problems } = await read(`site,code,name\nS1,B1,North\n${row}\nS1,B3,West\n`)

  expect(problems).toEqual([`buildings.csv, ${told}`])
})

test('AUTH-06 a file in another encoding is refused by line, also deep inside it', async () => {
  const many = 'S1,B1,Nørd\n'.repeat(60_000)
  const bytes = Buffer.concat([Buffer.from(`site,code,name\n${many}`), Buffer.from('S1,B2,S\u00fcd\n', 'latin1')])

  const { problems } = await read(bytes)

  expect(problems).toEqual(['buildings.csv, line 60002: is not UTF-8 text; save the file as "CSV UTF-8"'])
})

const rows = [
  { line: 0, site: 'S1', code: 'B1', name: 'Nørd' },
  { line: 1, site: 'S1', code: 'B2', name: 'South, old' },
]
const lines = ['site;code;name', 'S1;B1;Nørd', 'S1;B2;South, old']
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')
test.for([
  ['a separator line', ['sep=;', ...lines].join('\r\n'), 3],
  ['16-bit Unicode', utf16(lines.join('\r\n')), 2],
  ['16-bit Unicode, big end first', utf16(lines.join('\r\n')).swap16(), 2],
  ['16-bit Unicode with tabs and a separator line', utf16(['sep=\t', ...lines].join('\n').replaceAll(';', '\t')), 3],
  ['a title row and an empty one', ['Buildings 2026;;', '', ...lines].join('\n'), 4],
  ['nine titles', [...Array.from({ length: 9 }, (_, n) => `Title ${n};by Ada`), ...lines].join('\n'), 11],
  ['empty last columns', lines.map((line) => `${line};;;`).join('\n'), 2],
  ['a column without heading or cells', lines.map((line) => line.replace(';', ';;')).join('\n'), 2],
] as const)('NUM-05 IMP-06 a table with %s is read as it is', async ([, content, first]) => {
  const { rows: read, problems } = await readTable(content)

  expect(problems).toEqual([])
  expect(read).toEqual(rows.map((row) => ({ ...row, line: row.line + first })))
})

const readTable = (content: string | Buffer) => read(Buffer.from(content as string))

test('NUM-05 a cell in a column without a heading is told, and ten titles are too many', async () => {
  expect((await read('site,code,,name\nS1,B1,x,North\n')).problems).toEqual([
    'buildings.csv, line 2, column 3: is a cell in a column without a heading',
  ])
  expect((await read(`${'Title\n'.repeat(10)}site,code,name\nS1,B1,North\n`)).problems).toEqual([
    'buildings.csv, line 1: is not a header: a header names the columns, from site, code, name, active',
  ])
})

test('AUTH-06 an empty file is an error', async () => {
  expect((await read('')).problems).toEqual(['buildings.csv: is empty: the first line must name the columns'])
})

test('AUTH-06 a folder without organisation.csv, and a file with a mistyped name, are errors', () => {
  using folder = givenFolder({ 'organisation.csv': undefined, 'poeple.csv': 'code\n', 'notes.txt': 'read me' })
  const problems = new Problems()

  checkFolder(folder.path, problems)

  expect(problems.list).toMatchObject([{ file: 'organisation.csv', reason: 'is missing' }, { file: 'poeple.csv' }])
})

test.each([
  ['longer than the system allows', 'ก้'.repeat(250)],
  ['below a file', 'organisation.csv/plan.pdf'],
  ['not there', 'plan.pdf'],
])('IMP-53 a document whose name is %s is a wrong cell, and stops nothing', (_, name) => {
  using folder = givenFolder({})
  expect(folderSource(folder.path).findDocument(name)).toEqual({ problem: 'is not there' })
})
