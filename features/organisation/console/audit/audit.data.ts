import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { urlOf } from '#kernel/client/client.ts'
import type { CallInput } from '#kernel/route.ts'
import { consoleCall, readConsoleFile } from '#web/session/console-session.ts'
import type { AuditEntry, downloadAudit, listAudit } from '../../calls/audit.ts'

export type { AuditEntry }
export type AuditQuery = CallInput<typeof listAudit>['query']
type FileQuery = CallInput<typeof downloadAudit>['query']

export const auditFilters = ['who', 'operator', 'kind', 'person', 'from', 'to'] as const

export const auditQuery = (query: AuditQuery) =>
  queryOptions({
    queryKey: ['audit', query],
    queryFn: ({ signal }) => consoleCall('GET /api/console/audit', { query }, { signal }),
    placeholderData: keepPreviousData,
  })

export const readFile = ({ after: _, before: __, ...query }: AuditQuery) =>
  readConsoleFile(urlOf({ path: '/api/console/audit/file' }, { query: query as FileQuery & Record<string, string> }))
