import { queryOptions } from '@tanstack/react-query'
import type { Area } from '#kernel/kinds.ts'
import { call } from '../session/api.ts'

/** The buildings of an area with their floors. The key begins with the topic that makes real-time refetch it. */
export const areaFloorsQuery = (area: Area) =>
  queryOptions({
    queryKey: ['event', 'area floors', area],
    queryFn: async ({ signal }) => {
      const { floors } = await call('GET /api/evacuee/safety/floors', { query: { area } }, { signal })
      return floors
    },
  })
