import type { PgType } from '#server/platform/db/recordset.ts'
import { type Column, type Columns, headersOf, type ReadByHand, type ReadOf, storedNames } from '../../column-kinds.ts'
import type { Reading } from './reading.ts'
import type { RowCells } from './row-cells.ts'
import type { Cells } from './row-source.ts'

type Context = Pick<Reading, 'known'>

interface Kind<K extends Column['kind']> {
  pg: PgType
  /** Reports a bad cell. `empty`: what an empty one stands for. */
  read?: K extends ReadByHand
    ? undefined
    : (row: RowCells, name: string, column: Column & { kind: K }, context: Context & { empty: never }) => unknown
  /** As it is read back. `codeOf`: the code of the row with a uid. */
  write: (value: unknown, codeOf: (uid: unknown) => string) => string
}

const text = (value: unknown) => (value === null || value === undefined ? '' : String(value))
const withPlus = (value: unknown) => (value ? `+${value}` : '')
const ofText = { pg: 'text', write: text } as const
const ofReference = { pg: 'uuid', write: (uid: unknown, codeOf: (uid: unknown) => string) => codeOf(uid) } as const

/** How cells of each kind are read, stored and written. */
const kinds: { [K in Column['kind']]: Kind<K> } = {
  text: {
    ...ofText,
    read: (row, name, { must, longest }) => (must ? row.required(name, longest) : row.text(name, longest)),
  },
  lines: { ...ofText, read: (row, name) => row.lines(name) },
  'place code': { ...ofText, read: (row, name) => row.placeCode(name) },
  word: { ...ofText, read: (row, name, { of }, { empty }) => row.word(name, of, empty) },
  'yes or no': {
    pg: 'boolean',
    read: (row, name, _, { empty }) => row.yesNo(name, empty),
    write: (value) => (value === null ? '' : value ? 'yes' : 'no'),
  },
  'one or zero': {
    pg: 'boolean',
    read: (row, name) => row.word(name, ['0', '1'], '0') === '1',
    write: (value) => (value ? '1' : '0'),
  },
  'whole number': { pg: 'integer', read: (row, name) => row.integer(name), write: text },
  count: {
    pg: 'integer',
    read: (row, name, { least, most, usual = null }) => row.count(name, least, most) ?? usual,
    write: text,
  },
  shifts: { ...ofText, read: (row, name) => row.shifts(name) },
  zone: { ...ofText, read: (row, name, { empty }, { known }) => row.timezone(name, empty ?? known.client.timezone) },
  colour: { ...ofText, read: (row, name) => row.colour(name) },
  modules: {
    pg: 'text[]',
    read: (row, name) => row.modules(name),
    write: (value) => (value as string[]).join(' '),
  },
  email: { ...ofText, read: (row, name) => row.email(name) },
  emails: {
    pg: 'text',
    read: (row, name, { most }) => row.emails(name, most),
    write: (value) => text(value).replaceAll('\n', ' '),
  },
  mobile: { pg: 'text', read: (row, name, _, { known }) => row.mobile(name, known.client.country), write: withPlus },
  phone: { pg: 'text', read: (row, name, _, { known }) => row.phone(name, known.client.country), write: withPlus },
  link: { ...ofText, read: (row, name) => row.link(name) },
  site: ofReference,
  building: ofReference,
  role: ofReference,
  person: ofReference,
  group: ofReference,
  home: ofReference,
  name: ofText,
  account: ofReference,
  places: ofText,
  date: { pg: 'date', write: text },
  file: ofText,
  username: ofText,
  password: ofText,
}

/** The columns of a table, with their PostgreSQL types. */
export const typesOf = (table: Columns): Record<string, PgType> =>
  Object.fromEntries([...headersOf(table)].map(([stored, name]) => [stored, kinds[(table[name] as Column).kind].pg]))

/** The values of a row, but for those that its reader reads beside others. */
export function readCells<T extends Columns>(row: RowCells, table: T, context: Context): ReadOf<T> {
  const values: Record<string, unknown> = {}
  for (const [name, column] of Object.entries(table)) {
    const { read } = kinds[column.kind] as Kind<'text'>
    const [stored] = storedNames(name, column)
    if (!read || stored === undefined) continue
    const given = 'empty' in column ? column.empty : undefined
    const empty = typeof given === 'function' ? given(values as never) : given
    const isNull = empty === null && row.plain(name) === ''
    values[stored] = isNull ? null : read(row, name, column as never, { ...context, empty: empty as never })
  }
  return values as ReadOf<T>
}

/** A stored row as cells of its file. Of two columns behind a cell one is filled. */
export function writeCells(
  table: Columns,
  row: Readonly<Record<string, unknown>>,
  codeOf: (uid: unknown) => string,
): Cells {
  const cells: Record<string, string> = {}
  for (const [name, column] of Object.entries(table)) {
    const stored = column.file === false ? [] : storedNames(name, column)
    const written = stored.map((one) => kinds[column.kind].write(row[one], codeOf))
    if (stored.length > 0) cells[name] = written.find((cell) => cell !== '') ?? ''
  }
  return cells
}
