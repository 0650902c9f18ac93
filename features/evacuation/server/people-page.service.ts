import * as limits from '#kernel/limits.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { Pagination } from '../calls/evacuation.ts'

/** The requested page of a list: its number, and the key from `next_page_url` of the row after which it begins. */
export interface PageRequest {
  page: number
  after: string | null
}
/** The rows of a page: those after a key or, without a key, from an offset on. */
export interface Window<Key = string> {
  after: Key | null
  offset: number
  limit: number
}

export const firstPage: PageRequest = { page: 1, after: null }
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Reads what `presentPage` wrote into `next_page_url`. Throws `invalid_request` if `after` does not have the form of a key. */
export function readPageRequest({ page = '1', after }: { page?: string; after?: string }, key = uuid): PageRequest {
  if (after !== undefined && !key.test(after))
    throw new Refusal('invalid_request', 'This page address is not valid.', ['querystring/after'])
  return { page: Number(page), after: after ?? null }
}

/** One row more than a page shows whether another page follows. */
export const windowOf = ({ page, after }: PageRequest): Window => ({
  after,
  offset: after ? 0 : (page - 1) * limits.pageSize,
  limit: limits.pageSize + 1,
})

interface PageOf<Row> {
  /** The rows of the window, in order. */
  rows: readonly Row[]
  keyOf: (row: Row) => string
  total: number
  path: string
  /** Further parameters for the address of the next page. */
  query?: Record<string, string>
}

/** The rows to show and their position among all rows. */
export function presentPage<Row>({ page }: PageRequest, { rows, keyOf, total, path, query = {} }: PageOf<Row>) {
  const shown = rows.slice(0, limits.pageSize)
  const last = shown.at(-1)
  const hasMore = rows.length > limits.pageSize && last
  const next = hasMore && new URLSearchParams({ page: String(page + 1), ...query, after: keyOf(last) })
  const pagination: Pagination = {
    next_page_url: next ? `${path}?${next}` : null,
    total,
    from: shown.length ? (page - 1) * limits.pageSize + 1 : 0,
    current_page: page,
    total_pages: Math.ceil(total / limits.pageSize),
  }
  return { shown, pagination }
}
