import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '#web/session/api.ts'
import { filterQuery, type MessengerFilters } from './messenger-filters.ts'

/** The lists of wardens that say who has written. */
export const messengerLists = [
  ['attendance', 'messenger'],
  ['attendance', 'messenger list'],
  ['message', 'inbox'],
] as const

/** Keys begin with the topic that makes real-time refetch them. */
export const messengerDataQuery = queryOptions({
  queryKey: ['attendance', 'messenger'],
  queryFn: ({ signal }) => call('GET /api/message/data', {}, { signal }),
  meta: { topics: ['event', 'message'] },
})

/** Filters and search are the server's work. */
export const messengerListQuery = (filters: MessengerFilters, search: string) =>
  queryOptions({
    queryKey: ['attendance', 'messenger list', filters, search],
    queryFn: ({ signal }) => call('GET /api/message/filter/data', { query: filterQuery(filters, search) }, { signal }),
    placeholderData: keepPreviousData,
    meta: { topics: ['message'] },
  })

export const inboxQuery = (search: string) =>
  queryOptions({
    queryKey: ['message', 'inbox', search],
    queryFn: ({ signal }) =>
      call('GET /api/message/cspd/filter/data', { query: search ? { searchText: search } : {} }, { signal }),
    placeholderData: keepPreviousData,
    meta: { topics: ['attendance'] },
  })
