import { type Static, type TSchema, Type } from 'typebox'

/** What every list of the console takes beside its filters: a search, and the sealed key of the row next to the page. */
export const listQuery = {
  q: Type.Optional(Type.String({ maxLength: 100 })),
  /** From `more.after` of the page before: the rows behind it. Not with `before`. */
  after: Type.Optional(Type.String({ minLength: 1, maxLength: 2000 })),
  /** From `more.before` of the page behind: the rows in front of it. */
  before: Type.Optional(Type.String({ minLength: 1, maxLength: 2000 })),
}

/** By one of the columns, downwards with '-'. */
export const sortBy = <Column extends string>(columns: readonly Column[]) =>
  Type.Optional(Type.Enum(columns.flatMap((column): (Column | `-${Column}`)[] => [column, `-${column}`])))

const Key = Type.Union([Type.String(), Type.Null()])

export const listOf = <Row extends TSchema>(Row: Row) =>
  Type.Object({
    rows: Type.Array(Row),
    /** All rows within the filters: exact to 10,000; one more means more than that. */
    total: Type.Integer(),
    /** The keys of the neighbouring pages. Null where there is none. */
    more: Type.Object({ before: Key, after: Key }),
    /** When the rows were read, ISO 8601. */
    asOf: Type.String(),
  })

export interface ListPage<Row> extends Omit<Static<ReturnType<typeof listOf>>, 'rows'> {
  rows: Row[]
}
