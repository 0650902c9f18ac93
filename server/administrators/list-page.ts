import { type RawBuilder, sql } from 'kysely'
import type { ListPage } from '#kernel/console-list.ts'
import { fieldRefusal, Refusal } from '../platform/errors.ts'
import { decrypt, encrypt, type Keyring } from '../platform/secrets.ts'

const rowsOfPage = 50
/** Up to this number lists are counted exactly. */
export const countedTo = 10_000

/** The list that a key pages, so that no other list and no other organisation takes it. */
export interface ListName {
  /** Keys of the use `listKeys`. */
  seals: Keyring
  clientUid: string
  list: string
}

/** The part of a list that is asked for. The key is that of the row next to it, null at an end of the list. */
export interface Span {
  key: readonly string[] | null
  isBackwards: boolean
  /** One row more than a page has: it tells whether there are further ones. */
  limit: number
}

/** Reads what `presentPage` wrote into `more`. Throws `invalid_request` if a key is spoilt, or of another list. */
export function readSpan(name: ListName, { after, before }: { after?: string; before?: string }): Span {
  if (after !== undefined && before !== undefined) throw new Refusal('invalid_request', undefined, ['after', 'before'])
  const sealed = after ?? before
  return {
    key: sealed === undefined ? null : openKey(name, sealed, after === undefined ? 'before' : 'after'),
    isBackwards: before !== undefined,
    limit: rowsOfPage + 1,
  }
}

/** The rows of the page in the order of the list, with the keys of its neighbours. */
export function presentPage<Stored, Row>(
  name: ListName,
  span: Span,
  found: readonly Stored[],
  {
    keyOf,
    present,
    total,
    now,
  }: {
    keyOf: (row: Stored) => readonly string[]
    present: (row: Stored) => Row
    total: number
    now: Date
  },
): ListPage<Row> {
  const hasFurther = found.length === span.limit
  const shown = found.slice(0, span.limit - 1)
  if (span.isBackwards) shown.reverse()
  const [hasBefore, hasAfter] = span.isBackwards ? [hasFurther, true] : [span.key !== null, hasFurther]
  const [first, last] = [shown[0], shown.at(-1)]
  return {
    rows: shown.map(present),
    total,
    more: {
      before: hasBefore && first ? sealKey(name, keyOf(first)) : null,
      after: hasAfter && last ? sealKey(name, keyOf(last)) : null,
    },
    asOf: now.toISOString(),
  }
}

/** The condition and the order of a span over these columns, the last of which is unique. */
export function spanned(columns: readonly RawBuilder<unknown>[], { key, isBackwards, limit }: Span) {
  const values = sql.join(key ?? [])
  const comparison = isBackwards ? sql`<` : sql`>`
  const direction = isBackwards ? sql`desc` : sql`asc`
  return {
    condition: key ? sql<boolean>`(${sql.join(columns)}) ${comparison} (${values})` : sql<boolean>`true`,
    order: sql`order by ${sql.join(columns.map((column) => sql`${column} ${direction}`))} limit ${limit}`,
  }
}

/** By which column, and which way. By name for a list without a sort. */
export const readSort = <Column extends string>(sort: Column | `-${Column}` | undefined) => ({
  column: (sort?.replace('-', '') ?? 'name') as Column | 'name',
  isDescending: sort?.startsWith('-') ?? false,
})

/** Throws `invalid_request` for a list that is too long to be sorted by another column than its name. */
export function requireSortable(column: string, total: number, what: 'people' | 'assignments'): void {
  if (column === 'name' || total <= countedTo) return
  const message = `More than 10,000 ${what} match. Choose filters to sort them by this column.`
  throw fieldRefusal('invalid_request', message, 'sort')
}

/** More than are counted is an export, which a process apart makes. */
export function requireFile(total: number): void {
  if (total <= countedTo) return
  throw new Refusal('invalid_request', 'This list is too long for a file. Choose filters, or use Export everything.')
}

/** Bytes around what is sealed: nonce and tag. */
const shortestSealed = 28

const ofList = ({ clientUid, list }: ListName) => `${list} ${clientUid}`

const sealKey = (name: ListName, key: readonly string[]) =>
  encrypt(name.seals[0], Buffer.from(JSON.stringify(key)), ofList(name)).toString('base64url')

function openKey(name: ListName, sealed: string, field: string): string[] {
  const bytes = Buffer.from(sealed, 'base64url')
  const opened = bytes.length >= shortestSealed && decrypt(name.seals, bytes, ofList(name))
  if (!opened) throw new Refusal('invalid_request', 'This page of the list no longer exists.', [field])
  return JSON.parse(opened.toString()) as string[]
}
