import { oneName } from '#kernel/name-fold.ts'
import type { Coded, Known } from './code-index.ts'
import type { FileFormat } from './directory-files.ts'
import { findAlike } from './find-alike.ts'
import type { NamedRow, Problems } from './problems.ts'
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
  if (key === '') row.noteRefusedCode()
  else known.set(key, { ...entry, line: row.line })
}

/** The row with the code in a cell of another file. Undefined, with a problem, if there is none. */
export function refer<K extends Coded>(
  known: ReadonlyMap<string, K>,
  row: RowCells,
  column: 'site' | 'building' | 'role' | 'person' | 'group',
): K | undefined {
  const code = row.required(column)
  const found = column === 'person' ? known.get(code) : findAlike(known, code)
  if (!found && code !== '') row.unknown(column, code, column)
  return found
}

/** For a misfit: the row that `refer` has found. */
export const named = (column: NamedRow['column'] & NamedRow['kind'], { code, line }: Coded): NamedRow => ({
  column,
  kind: column,
  code,
  line,
})

interface Named extends Coded {
  name: string
  isRetired?: true
}

interface Checking<K> {
  /** Of the stored row: its name, if there is one. */
  storedName: (uid: string) => unknown
  file: string
  problems: Problems
  /** Names are compared within it. */
  scopeOf?: (entry: K) => string
  column?: string
}

/** Reports names that are one by line. Those that are stored side by side stay, unless the database would reject the run. */
export function checkNames<K extends Named>(
  known: ReadonlyMap<string, K>,
  { storedName, file, problems, scopeOf = () => '', column = 'name' }: Checking<K>,
) {
  const holders = new Map<string, [string, K]>()
  const isStored = ({ uid, name }: K) => storedName(uid) === name
  for (const [code, entry] of known) {
    if (entry.isRetired || entry.name === '') continue
    const key = `${scopeOf(entry)}\n${oneName(entry.name)}`
    const [otherCode, other] = holders.get(key) ?? []
    holders.set(key, [code, entry])
    const later = entry.line === undefined ? other : entry
    if (!other || otherCode === undefined || later?.line === undefined) continue
    const isSame = entry.name === other.name
    const [earlierCode, earlier] = later === entry ? [otherCode, other] : [code, entry]
    const leftOut = earlier.line === undefined ? problems.lineLeftOut(file, earlierCode) : undefined
    const whose = `the ${column} of '${earlier.code}'`
    const why = leftOut === undefined ? '' : `: its row on line ${leftOut} is left out`
    if (isSame) problems.add(file, later.line, column, `is also ${whose}${why}`)
    else if (!isStored(entry) || !isStored(other))
      problems.add(file, later.line, column, `differs from ${whose} only in case or spaces${why}`)
  }
}
