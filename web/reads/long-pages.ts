import type { InfiniteData, QueryClient, QueryKey, QueryMeta } from '@tanstack/react-query'
import * as limits from '#kernel/limits.ts'
import type { PeoplePage, Reading, RowsOf } from './joined-page.ts'
import { isOrderKept } from './kept-order.ts'
import { peopleInView } from './people-in-view.ts'

export type { PeoplePage, RowsOf }

/** Lists with at most this many pages are refetched completely. */
const fewPages = 5

/**
 * Reads one page of a list. A refetch of a long list reads only the first page, which has the counts, and the pages in
 * view: 10,000 people are 500 pages, and every status would request all of them one by one. Other pages are refetched
 * when they come into view (`useFreshView`).
 */
export async function readPage<P extends PeoplePage>(reading: Reading<P>): Promise<P> {
  const { client, queryKey, pageParam, rowsOf, read, readRows } = reading
  const list = client.getQueryData<InfiniteData<P>>(queryKey)
  const known = list && indexOf(list, rowsOf)
  const at = known?.byParam.get(JSON.stringify(pageParam))
  const old = at === undefined ? undefined : list?.pages[at]
  if (!list || !known || at === undefined || !old) return stamped(await read(pageParam))

  const isInView = () => peopleInView.get().some((uid) => known.pageOf.get(uid) === at)
  const isLong = list.pages.length > fewPages
  if (isLong && at > 0 && !isInView()) return old
  const uids = rowsOf(old).map(({ evacuee_list_uid: uid }) => uid)
  if (readRows && isOrderKept(queryKey) && uids.length > 0 && uids.length <= limits.pageSize) {
    const { pagination, ...page } = await readRows(uids)
    return stamped({ ...page, pagination: { ...old.pagination, total: pagination.total } } as P)
  }
  if (!isLong) return stamped(await read(pageParam))
  const fresh = stamped(await read(pageParam))
  if (fresh.pagination.next_page_url === old.pagination.next_page_url) return fresh
  // borders move in long lists only, and there is signal: this page was just read
  return (await import('./joined-page.ts')).joined(reading, list, known.pageOf, at, fresh)
}

/**
 * Sets the first page of a list, which came with other data, before the list is shown. Returns false for a list that is
 * there already: it keeps its time, because it was not read again. `setQueryData` would make a query without `meta`, and
 * the phone would store the plans of its people.
 */
export function startPages<P>(
  client: QueryClient,
  { queryKey, meta }: { queryKey: QueryKey; meta?: QueryMeta },
  page: P,
) {
  const query = client.getQueryCache().build(client, client.defaultQueryOptions({ queryKey, ...(meta && { meta }) }))
  if (query.state.data !== undefined) return false
  query.setData({ pages: [page], pageParams: [null] }, { manual: true })
  return true
}

const stamped = <P extends PeoplePage>(page: P): P => ({ ...page, readAt: Date.now() })

interface Index {
  byParam: ReadonlyMap<string, number>
  pageOf: ReadonlyMap<string, number>
}
const indexes = new WeakMap<object, Index>()

/** Computed once per answer of the list. */
export function indexOf<P extends PeoplePage>(list: InfiniteData<P>, rowsOf: RowsOf<P>): Index {
  const made = indexes.get(list) ?? {
    byParam: new Map(list.pageParams.map((param, at) => [JSON.stringify(param), at])),
    pageOf: new Map(list.pages.flatMap((page, at) => rowsOf(page).map(({ evacuee_list_uid: uid }) => [uid, at]))),
  }
  indexes.set(list, made)
  return made
}
