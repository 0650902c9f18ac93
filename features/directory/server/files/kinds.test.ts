import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Columns } from '../../column-kinds.ts'
import { columns, type DirectoryFile } from '../../columns.ts'
import { noneKnown } from './code-index.ts'
import { examplesOf } from './column-examples.fixture.ts'
import { directoryFiles } from './directory-files.ts'
import { readCells, writeCells } from './kinds.ts'
import { Problems } from './problems.ts'
import { RowCells } from './row-cells.ts'

const tables = Object.entries(columns) as [DirectoryFile, Columns][]
const known = { ...noneKnown, client: { ...noneKnown.client, timezone: 'Australia/Sydney', country: 'AU' } }

/** The cells that an export has of a row with these cells. */
function writtenOf(table: Columns, cells: Record<string, string>) {
  const problems = new Problems()
  const row = new RowCells({ file: 'x.csv', line: 2, cells }, problems)
  const values = readCells(row, table, { known })
  expect(problems.list).toEqual([])
  return writeCells(table, values, () => '')
}

test.for(tables)('IMP-16 what an export writes of a cell is read back as the same: %s', ([, table]) => {
  const names = Object.keys(table).filter((name) => examplesOf(table[name] as Columns[string]))
  const cellsOf = (n: 0 | 1) =>
    Object.fromEntries(names.map((name) => [name, examplesOf(table[name] as Columns[string])?.[n] ?? '']))
  const [first, second] = [writtenOf(table, cellsOf(0)), writtenOf(table, cellsOf(1))]

  expect(writtenOf(table, { ...cellsOf(0), ...first })).toEqual(first)
  expect(writtenOf(table, { ...cellsOf(1), ...second })).toEqual(second)
  for (const name of names.filter((one) => one in first)) expect.soft(first[name], name).not.toBe(second[name])
})

test.for(tables)(
  'AUTH-06 the document of the format names each column, and those that a file must have: %s',
  ([key]) => {
    const { file, columns, required } = directoryFiles[key]
    const text = readFileSync(new URL('../../../../docs/import-format.md', import.meta.url), 'utf8')
    const line = text.split('\n').find((one) => one.startsWith(`| ${file} |`)) ?? ''
    const bold = [...line.matchAll(/\*\*(\w+)\*\*/g)].map(([, name]) => name)

    expect(bold).toEqual(required)
    for (const name of columns) expect.soft(line, name).toMatch(new RegExp(`[ *]${name}\\b`))
    const [, list = ''] = /^\|[^|]*\|(.*?)(?:\. |\|$)/.exec(line.replace(/\([^()]*\)/g, '')) ?? []
    const alone = list.split(',').map((part) => part.replaceAll('*', '').trim())
    expect(alone.filter((name) => /^[a-z_]+$/.test(name) && !columns.includes(name))).toEqual([])
  },
)
