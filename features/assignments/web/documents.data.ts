import { queryOptions } from '@tanstack/react-query'
import type { AssignmentUid } from '#kernel/ids.ts'
import { call } from '#web/session/api.ts'

const isWebAddress = (link: string) => /^https?:\/\//i.test(link)
/** Links to stored files are good for 15 minutes. */
const refetchEvery = 10 * 60_000

/** By name, and only links that lead to the web. */
export const documentsQuery = (assignment: AssignmentUid | null) =>
  queryOptions({
    queryKey: ['assignment', 'documents', assignment],
    queryFn: async ({ signal }) => {
      if (!assignment) return { documents: [] }
      return call('GET /api/v2/warden/documents', { query: { wardenAssignmentUID: assignment } }, { signal })
    },
    select: ({ documents }) => documents.filter(({ Document_S3_Link }) => isWebAddress(Document_S3_Link)),
    refetchInterval: refetchEvery,
  })
