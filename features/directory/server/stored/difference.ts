import type { HeldRow, TargetColumn, TargetName, TargetRow } from './write.queries.ts'

export interface ChangedRow<N extends TargetName> {
  row: TargetRow<N>
  held: HeldRow<N>
  /** The columns that differ. */
  columns: TargetColumn<N>[]
}

export interface Difference<N extends TargetName> {
  added: TargetRow<N>[]
  changed: ChangedRow<N>[]
}

/** Compares the rows of a file with the stored ones. The import writes only the differences. A dry run shows them. */
export function differenceOf<N extends TargetName>(
  rows: readonly TargetRow<N>[],
  heldOf: (row: TargetRow<N>) => HeldRow<N> | undefined,
  columns: readonly TargetColumn<N>[],
): Difference<N> {
  const added: TargetRow<N>[] = []
  const changed: ChangedRow<N>[] = []
  for (const row of rows) {
    const held = heldOf(row)
    if (!held) {
      added.push(row)
      continue
    }
    const different = columns.filter((column) => textOf(row[column]) !== textOf(held[column]))
    if (different.length > 0) changed.push({ row, held, columns: different })
  }
  return { added, changed }
}

/** Compares cells (texts, whole numbers, booleans, lists of words) as text. Null equals only null. */
const textOf = (value: unknown) => (value === null || value === undefined ? null : String(value))
