import type { Column, PlainColumns, ValuesOf } from '#features/directory/column-kinds.ts'
import type { Field } from '#web/console/form/fields.tsx'
import type { Values } from '#web/console/form/use-form.ts'

/** As the table of columns has it. */
export function plainField<V extends Values>({
  label = '',
  formLabel = label,
  tick,
  hint,
  words,
  ...column
}: Column): Field<V> {
  return {
    label: formLabel,
    hint,
    ...(tick !== undefined && { tick }),
    ...(words && { options: Object.entries(words).map(([value, word]) => ({ value, label: word })) }),
    ...(column.kind === 'count' && { inputMode: 'numeric' as const }),
    ...((column.kind === 'lines' || column.kind === 'emails') && { isLong: true as const }),
    ...(column.kind === 'text' && column.longest !== undefined && { maxLength: column.longest }),
  }
}

export const plainFields = <V extends Values, T extends PlainColumns>(table: T) =>
  Object.fromEntries(Object.entries(table).map(([name, column]) => [name, plainField<V>(column)])) as {
    [N in keyof T]: Field<V>
  }

/** What a new row begins with: what an empty cell stands for, the first word if that depends on others. */
export const begunOf = <T extends PlainColumns>(table: T) =>
  Object.fromEntries(Object.entries(table).map(([name, column]) => [name, begun(column)])) as ValuesOf<T>

function begun(column: PlainColumns[string]) {
  if (column.kind === 'word') return typeof column.empty === 'string' ? column.empty : column.of[0]
  return column.kind === 'yes or no' ? column.empty === true : ''
}
