import type { DirectoryFile } from '../../columns.ts'
import type { FileFormat } from './directory-files.ts'
import { directoryFiles } from './directory-files.ts'
import type { Problems } from './problems.ts'

export type Cells = Readonly<Record<string, string>>

export interface SourceRow {
  file: string
  line: number
  /** Untrimmed cells of the columns in the header. */
  cells: Cells
  /** Rows of a form: the stored row that is meant, null for a new one. Rows of a file are known by their codes alone. */
  uid?: string | null
}

/** Where rows of the import format come from: a folder of files, or a form. */
export interface RowSource {
  has(format: FileFormat): boolean
  rows(format: FileFormat, problems: Problems): AsyncIterable<SourceRow> | Iterable<SourceRow>
  /** What a cell of the column `file` names. */
  findDocument(name: string): FoundDocument
}

/** A file to be stored, or the key of one in the store. */
export type FoundDocument = { path: string } | { storageKey: string } | { problem: string }

export type RowsByFile = Partial<Record<DirectoryFile, readonly SourceRow[]>>

/** Rows in memory. Their files are in the store already: a cell of the column `file` is a key. */
export function rowsSource(rows: RowsByFile): RowSource {
  const byFile = new Map(Object.entries(rows).map(([name, list]) => [directoryFiles[name as DirectoryFile].file, list]))
  return {
    has: ({ file }) => byFile.has(file),
    rows: ({ file }) => byFile.get(file) ?? [],
    findDocument: (storageKey) => ({ storageKey }),
  }
}
