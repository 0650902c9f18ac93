import type { AssignmentUid } from '@evac/contract/ids.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../session/api.ts'

/** ROLE-07, AMB-072. The key names the assignment: one person may hold several. */
export const roleQuery = (assignment: AssignmentUid | null) =>
  queryOptions({
    queryKey: ['event', 'role', assignment],
    queryFn: ({ signal }) => call('GET /api/reportin/index', {}, { signal }),
    select: ({ data }) => data,
  })
