import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query'
import type { Occupant, Pagination } from '#features/evacuation/calls/evacuation.ts'
import { nextPageOf } from './people-pages.ts'

/** A page as the query cache stores it. */
export interface PeoplePage {
  pagination: Pagination
  /** When the page was read, in milliseconds. */
  readAt?: number
}
export type RowsOf<P> = (page: P) => readonly Occupant[]
type PageQuery = Record<string, string>

export interface Reading<P extends PeoplePage> {
  client: QueryClient
  queryKey: QueryKey
  pageParam: PageQuery | null
  /** The path of `next_page_url`. */
  path: string
  rowsOf: RowsOf<P>
  withRows: (page: P, rows: Occupant[]) => P
  read: (query: PageQuery | null) => Promise<P>
  /** Reads these rows in this order. Only for lists that keep their order (`keepOrder`). */
  readRows?: (uids: readonly string[]) => Promise<P>
}

/**
 * Keeps page borders fixed: if someone has joined or left, the page ends with another person than before. It is then
 * cut, or filled from the next page, to end where the following pages begin. Otherwise all of them would shift.
 */
export async function joined<P extends PeoplePage>(
  { path, rowsOf, withRows, read }: Reading<P>,
  list: InfiniteData<P>,
  pageOf: ReadonlyMap<string, number>,
  at: number,
  fresh: P,
): Promise<P> {
  const rows = [...rowsOf(fresh)]
  let next = fresh.pagination.next_page_url
  const follower = () => rows.findIndex(({ evacuee_list_uid: uid }) => (pageOf.get(uid) ?? 0) > at)
  const query = nextPageOf(next, path)
  if (follower() < 0 && query && at < list.pages.length - 1) {
    const more = await read(query)
    rows.push(...rowsOf(more))
    next = more.pagination.next_page_url
  }
  const end = follower()
  const behind = pageOf.get(rows[end]?.evacuee_list_uid ?? '')
  if (behind !== undefined) {
    rows.length = end
    next = list.pages[behind - 1]?.pagination.next_page_url ?? null
  }
  return { ...withRows(fresh, rows), pagination: { ...fresh.pagination, next_page_url: next } }
}
