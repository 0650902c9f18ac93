import { type Column, type Columns, headersOf } from '../../column-kinds.ts'
import { columns, type DirectoryFile } from '../../columns.ts'

export interface FileFormat {
  file: string
  columns: readonly string[]
  required: readonly string[]
  /** Optional columns whose stored values stay if the file lacks them. */
  optional: readonly string[]
  /** Columns that are not named are passed over. */
  passesOver?: true
}

/** The files of an organisation, in reading order. */
export const directoryFiles = Object.fromEntries(
  Object.entries(columns).map(([name, table]) => [name, formatOf(name, table)]),
) as Record<DirectoryFile, FileFormat>

function formatOf(name: string, table: Columns): FileFormat {
  const inFile = Object.entries(table).filter(([, { file }]) => file !== false)
  const which = (isMeant: (column: Column) => boolean) =>
    inFile.filter(([, column]) => isMeant(column)).map(([header]) => header)
  return {
    file: `${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}.csv`,
    columns: which(() => true),
    required: which(({ must }) => must === true),
    optional: which(({ must, missing }) => !must && !missing),
  }
}

const headers = new Map(Object.values(columns).flatMap((table: Columns) => [...headersOf(table)]))
/** The column of the file with the values of a column of a table. */
export const headerOf = (stored: string) => headers.get(stored) ?? stored
