import { queryOptions } from '@tanstack/react-query'
import type { CallName, Calls } from '#features/calls.ts'
import type { CallOptions } from '#kernel/client/client.ts'
import type { FloorStatusUid } from '#kernel/ids.ts'
import type { GivenInput } from '#kernel/route.ts'
import { idempotencyKeyHeader } from '#kernel/write-headers.ts'
import { newKey } from '#web/lib/new-key.ts'
import { consoleCall, sendConsoleFile } from '#web/session/console-session.ts'
import type { TypeSet } from '../../type-sets.ts'

export const statusesQuery = queryOptions({
  queryKey: ['lists', 'floor-statuses'],
  queryFn: ({ signal }) => consoleCall('GET /api/console/lists/floor-statuses', {}, { signal }),
})
export const eventTypesQuery = queryOptions({
  queryKey: ['lists', 'event-types'],
  queryFn: ({ signal }) => consoleCall('GET /api/console/lists/event-types', {}, { signal }),
})
export const checklistQuery = queryOptions({
  queryKey: ['lists', 'checklist'],
  queryFn: ({ signal }) => consoleCall('GET /api/console/lists/checklist', {}, { signal }),
})
export const templatesQuery = queryOptions({
  queryKey: ['lists', 'templates'],
  queryFn: ({ signal }) => consoleCall('GET /api/console/lists/templates', {}, { signal }),
})
export const documentsQuery = queryOptions({
  queryKey: ['lists', 'documents'],
  queryFn: ({ signal }) => consoleCall('GET /api/console/lists/documents', {}, { signal }),
})

type BodyOf<N extends CallName> = GivenInput<Calls[N]> extends { body: infer Body extends object } ? Body : never

export const addTypeSet = (set: TypeSet) =>
  consoleCall(
    'POST /api/console/lists/event-types/set',
    { body: { set } },
    { headers: { [idempotencyKeyHeader]: newKey() } },
  )

/** Adds a row, or changes the one that was read. */
const saving =
  <A extends CallName, C extends CallName>(add: A, change: C) =>
  (row: { uid: string; version: string } | undefined, body: BodyOf<A>, options: CallOptions): Promise<unknown> => {
    if (!row) return consoleCall(add, { body } as GivenInput<Calls[A]>, options)
    const input = { params: { uid: row.uid }, body: { ...body, version: row.version } }
    return consoleCall(change, input as GivenInput<Calls[C]>, options)
  }
export const saveStatus = saving(
  'POST /api/console/lists/floor-statuses',
  'POST /api/console/lists/floor-statuses/:uid',
)
export const saveEventType = saving('POST /api/console/lists/event-types', 'POST /api/console/lists/event-types/:uid')
export const saveItem = saving('POST /api/console/lists/checklist', 'POST /api/console/lists/checklist/:uid')
export const saveTemplate = saving('POST /api/console/lists/templates', 'POST /api/console/lists/templates/:uid')
export type DocumentBody = BodyOf<'POST /api/console/lists/documents'>
export const saveDocument = saving('POST /api/console/lists/documents', 'POST /api/console/lists/documents/:uid')

export const orderStatuses = (uids: FloorStatusUid[]) =>
  consoleCall('POST /api/console/lists/floor-statuses/order', { body: { uids } })
export const orderItems = (uids: string[]) => consoleCall('POST /api/console/lists/checklist/order', { body: { uids } })

/** Stores a file. The key that it answers is named by the document. */
export const storeFile = (file: Blob) =>
  sendConsoleFile<{ file: string; kind: string; bytes: number }>('/api/console/lists/documents/file', file)
