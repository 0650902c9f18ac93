import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Product } from './product.ts'

/** A line as it stands in the file, or cells that are quoted here. */
type Row = string | readonly string[]

/** By name without `.csv` (docs/import-format.md): the column names, then the rows. */
export type CsvFiles = Record<string, readonly [columns: string, ...rows: Row[]]>

/** Loads an organisation with the product's own importer. `documents` are text files by name. */
export async function importFiles(
  product: Pick<Product, 'import'>,
  files: CsvFiles,
  documents: Record<string, string> = {},
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'evac-organisation-'))
  for (const [name, rows] of Object.entries(files))
    writeFileSync(join(folder, `${name}.csv`), rows.map((row) => `${lineOf(row)}\n`).join(''))
  for (const [name, text] of Object.entries(documents)) writeFileSync(join(folder, name), text)
  await product.import(folder)
  rmSync(folder, { recursive: true })
}

const lineOf = (row: Row) => (typeof row === 'string' ? row : row.map(quoted).join(','))
const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
