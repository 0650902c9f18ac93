import type { Columns } from '#features/directory/column-kinds.ts'
import { columns } from '#features/directory/columns.ts'

/** A column is called the same in each file. */
const labels = new Map(
  Object.values(columns).flatMap((table: Columns) =>
    Object.entries(table).flatMap(([name, { label }]) => (label === undefined ? [] : [[name, label] as const])),
  ),
)

/** What a column of the import format is called on screen. */
export const columnWord = (column: string) =>
  labels.get(column) ?? `${column.charAt(0).toUpperCase()}${column.slice(1).replaceAll('_', ' ')}`
