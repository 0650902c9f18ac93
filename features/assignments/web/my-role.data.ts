import { queryOptions } from '@tanstack/react-query'
import type { AssignmentUid } from '#kernel/ids.ts'
import { call } from '#web/session/api.ts'

/** The key names the assignment: one person may hold several. */
export const roleQuery = (assignment: AssignmentUid | null) =>
  queryOptions({
    queryKey: ['event', 'role', assignment],
    queryFn: ({ signal }) => call('GET /api/reportin/index', {}, { signal }),
    select: ({ data }) => data,
  })
