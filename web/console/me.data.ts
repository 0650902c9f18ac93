import { queryOptions, useQuery } from '@tanstack/react-query'
import { consoleLimits } from '#kernel/console-kinds.ts'
import { consoleCall } from '../session/console-session.ts'

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => consoleCall('GET /api/console/me', {}, { signal }),
})

/** Asked every 15 s while the page is visible. */
export const nowQuery = queryOptions({
  queryKey: ['now'],
  queryFn: ({ signal }) => consoleCall('GET /api/console/now', {}, { signal }),
  refetchInterval: consoleLimits.nowPoll,
})

/** The time zone of the organisation. Every page stands behind `meQuery`, so that it is known. */
export const useZone = (): string => useQuery(meQuery).data?.organisation.timezone ?? 'UTC'

export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: ({ signal }) => consoleCall('GET /api/console/overview', {}, { signal }),
})
