import { queryOptions } from '@tanstack/react-query'
import { call } from '../session/api.ts'

/** The sites whose events this event manager manages, and the event at the own one. */
export const managedSitesQuery = queryOptions({
  queryKey: ['event', 'sites'],
  queryFn: ({ signal }) => call('GET /api/v2/event/buildings', {}, { signal }),
  select: ({ data }) => data,
  meta: { anyEvent: true },
})
