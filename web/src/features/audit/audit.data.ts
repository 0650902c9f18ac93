import type { AuditEntry, downloadAudit, listAudit } from '@evac/contract/calls/console/audit.ts'
import { urlOf } from '@evac/contract/client/client.ts'
import type { CallInput } from '@evac/contract/route.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { consoleCall, readConsoleFile } from '../../session/console-session.ts'

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
