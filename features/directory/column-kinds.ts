/**
 * What a column of the import format can be. Values are those of a stored row. `features/directory/server/files/kinds.ts`
 * reads and writes the cells of each kind.
 */
interface Common {
  /** Each file has it. */
  must?: true
  /** Of a file without it what is stored stays. 'empty': it is read as if its cells were empty. */
  missing?: 'empty'
  /** The columns of the table, if not named like that of the file. False: they are not in this table. */
  stored?: string | readonly string[] | false
  /** False: the table has it, and the file does not. */
  file?: false
  /** The journal keeps the values: places, roles, dates, states. Of all others it keeps the name. */
  journal?: true
  /** On screen, if that is not the name itself. */
  label?: string
  /** The cell in the template. */
  example?: string
  /** Of a plain setting or property, in its form: its label if not as above, the text beside the tick, below the field and for each word. */
  formLabel?: string
  tick?: string
  hint?: string
  words?: Readonly<Record<string, string>>
  /** The part of the form of settings. */
  group?: 'Texts and calls' | 'Events'
}

/** What an empty cell stands for. A function sees the cells before it. */
type Empty<T> = T | ((row: never) => T)

export type Column = Common &
  (
    | { kind: 'text'; longest?: number }
    /** Text of several lines. */
    | { kind: 'lines' }
    /** The code of a place, without the signs between codes. */
    | { kind: 'place code' }
    | { kind: 'word'; of: readonly string[]; empty?: Empty<string> | null }
    | { kind: 'yes or no'; empty: Empty<boolean> | null }
    /** 1 or 0, empty for 0. */
    | { kind: 'one or zero' }
    | { kind: 'whole number' }
    /** A number, `usual` or null if empty. */
    | { kind: 'count'; least: number; most?: number; usual?: number }
    /** Times at which shifts begin. */
    | { kind: 'shifts' }
    /** A time zone, that of the organisation if empty. */
    | { kind: 'zone'; empty?: string }
    /** Email addresses, one on each line. In a file spaces part them. */
    | { kind: 'emails'; most: number }
    | { kind: 'colour' | 'modules' | 'email' | 'mobile' | 'phone' | 'link' }
    | { kind: ReadByHand }
  )

/** Kinds whose cells mean something only beside others, as a date does beside a site: the reader of the row reads them. */
export type ReadByHand = Reference | 'name' | 'date' | 'home' | 'places' | 'file' | 'account' | 'username' | 'password'
/** The code of a row of another file. */
type Reference = 'site' | 'building' | 'role' | 'person' | 'group'

export type Columns = Readonly<Record<string, Column>>
/** Values that a form holds as they are. */
export type PlainColumns = Readonly<Record<string, Extract<Column, { kind: 'text' | 'lines' | 'word' | 'yes or no' }>>>

type ValueOf<C> = C extends { kind: 'word'; of: readonly (infer Word)[] }
  ? Word | NullOf<C>
  : C extends { kind: 'yes or no' }
    ? boolean | NullOf<C>
    : C extends { kind: 'one or zero' }
      ? boolean
      : C extends { kind: 'whole number' } | { kind: 'count'; usual: number }
        ? number
        : C extends { kind: 'count' }
          ? number | null
          : C extends { kind: 'modules' }
            ? string[]
            : C extends
                  | { kind: 'text' | 'lines' | 'place code' | 'shifts' | 'zone' | 'colour' | 'emails' }
                  | { must: true }
              ? string
              : string | null
type NullOf<C> = C extends { empty: null } ? null : never

type StoredAs<Name extends string, C> = C extends { stored: false }
  ? never
  : C extends { stored: infer Names extends string | readonly string[] }
    ? Names extends readonly (infer Each extends string)[]
      ? Each
      : Names
    : Camel<Name>
type Camel<Name extends string> = Name extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<Camel<Rest>>}`
  : Name

/** A stored row, without its uid. */
export type RowOf<T extends Columns> = {
  -readonly [Name in keyof T & string as StoredAs<Name, T[Name]>]: ValueOf<T[Name]>
}
/** What is read by kind alone. */
export type ReadOf<T extends Columns> = RowOf<{
  [Name in keyof T as T[Name] extends { kind: ReadByHand } ? never : Name]: T[Name]
}>
/** The same by the names of the file. */
export type ValuesOf<T extends Columns> = { -readonly [Name in keyof T]: ValueOf<T[Name]> }

/** Where the table has the values of a column of the file. */
export const storedNames = (name: string, { stored = camel(name) }: Column): readonly string[] =>
  stored === false ? [] : [stored].flat()

/** The columns of the file by those of the table. */
export const headersOf = (table: Columns): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(table).flatMap(([name, column]) =>
      storedNames(name, column).map((stored) => [stored, name] as const),
    ),
  )

/** Values by the names of the file, of a row of the table. */
export const valuesOf = <T extends Columns>(table: T, row: RowOf<T>): ValuesOf<T> =>
  Object.fromEntries(
    [...headersOf(table)].map(([stored, name]) => [name, row[stored as keyof RowOf<T>]]),
  ) as ValuesOf<T>

/** A row of the table, of values by the names of the file. */
export const rowOf = <T extends Columns>(table: T, values: ValuesOf<T>): RowOf<T> =>
  Object.fromEntries([...headersOf(table)].map(([stored, name]) => [stored, values[name as keyof T]])) as RowOf<T>

const camel = (name: string) => name.replace(/_./g, (letter) => letter.charAt(1).toUpperCase())
