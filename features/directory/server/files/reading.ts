import type { Coded, Known } from './code-index.ts'
import type { FileFormat } from './directory-files.ts'
import type { Problems } from './problems.ts'
import { RowCells } from './row-cells.ts'
import type { RowSource } from './row-source.ts'

/** The context of all row readers. */
export interface Reading {
  source: RowSource
  problems: Problems
  known: Known
  now: Date
}

/** The rows of an existing file, with the columns of its header. */
export interface FileRows<T> {
  rows: T[]
  columns: ReadonlySet<string>
}

export type RowReader<T> = (row: RowCells, reading: Reading) => T

/** All rows of a file in file order. Undefined if the source lacks the file. */
export async function readFile<T>(
  reading: Reading,
  format: FileFormat,
  read: RowReader<T>,
  onRow: () => void = () => undefined,
): Promise<FileRows<T> | undefined> {
  if (!reading.source.has(format)) return undefined
  const rows: T[] = []
  let columns: ReadonlySet<string> | undefined
  for await (const row of reading.source.rows(format, reading.problems)) {
    columns ??= new Set(Object.keys(row.cells))
    rows.push(read(new RowCells(row, reading.problems), reading))
    onRow()
  }
  return { rows, columns: columns ?? new Set() }
}

/** Overlays the stored row with the same code. A code that occurs twice in a file is a problem. */
export function learn<K extends Coded>(known: Map<string, K>, key: string, entry: K, row: RowCells, column = 'code') {
  const before = known.get(key)?.line
  if (before !== undefined) return row.problem(column, `is already on line ${before}`)
  if (key !== '') known.set(key, { ...entry, line: row.line })
}

/** The row with the code in a cell of another file. Undefined, with a problem, if there is none. */
export function refer<K>(
  known: ReadonlyMap<string, K>,
  row: RowCells,
  column: 'site' | 'building' | 'role' | 'person' | 'group',
): K | undefined {
  const code = row.required(column)
  const found = known.get(code)
  if (!found && code !== '') row.unknown(column, code, column)
  return found
}

interface Named extends Coded {
  name: string
  isRetired?: true
}

/** Reports duplicate names by line. Otherwise the database would reject the whole run. */
export function checkNames<K extends Named>(
  known: ReadonlyMap<string, K>,
  scopeOf: (entry: K) => string,
  file: string,
  problems: Problems,
  column = 'name',
) {
  const holders = new Map<string, K>()
  for (const entry of known.values()) {
    if (entry.isRetired) continue
    const key = `${scopeOf(entry)}\n${entry.name}`
    const other = holders.get(key)
    const later = entry.line === undefined ? other : entry
    if (other && later?.line !== undefined)
      problems.add(file, later.line, column, `is also the ${column} of '${(later === entry ? other : entry).code}'`)
    holders.set(key, entry)
  }
}
