import { queryOptions } from '@tanstack/react-query'
import type { CallOptions } from '#kernel/client/client.ts'
import type { FloorStatusUid } from '#kernel/ids.ts'
import type { CallReply } from '#kernel/route.ts'
import { consoleCall, sendConsoleFile } from '#web/session/console-session.ts'
import type {
  ChecklistRow,
  DocumentRow,
  EventTypeRow,
  FloorStatusRow,
  listDocumentRows,
  TemplateRow,
} from '../../calls/lists.ts'

export type { ChecklistRow, DocumentRow, EventTypeRow, FloorStatusRow, TemplateRow }
export type Documents = CallReply<typeof listDocumentRows>

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

type Body<Row> = Omit<Row, 'uid' | 'version'>

/** Adds a row, or changes the one that was read. */
export const saveStatus = (row: FloorStatusRow | undefined, body: Body<FloorStatusRow>, options: CallOptions) =>
  row
    ? consoleCall(
        'POST /api/console/lists/floor-statuses/:uid',
        { params: { uid: row.uid }, body: { ...body, version: row.version } },
        options,
      )
    : consoleCall('POST /api/console/lists/floor-statuses', { body }, options)

export const orderStatuses = (uids: FloorStatusUid[]) =>
  consoleCall('POST /api/console/lists/floor-statuses/order', { body: { uids } })

export const saveEventType = (row: EventTypeRow | undefined, body: Body<EventTypeRow>, options: CallOptions) =>
  row
    ? consoleCall(
        'POST /api/console/lists/event-types/:uid',
        { params: { uid: row.uid }, body: { ...body, version: row.version } },
        options,
      )
    : consoleCall('POST /api/console/lists/event-types', { body }, options)

export const saveItem = (row: ChecklistRow | undefined, body: Body<ChecklistRow>, options: CallOptions) =>
  row
    ? consoleCall(
        'POST /api/console/lists/checklist/:uid',
        { params: { uid: row.uid }, body: { ...body, version: row.version } },
        options,
      )
    : consoleCall('POST /api/console/lists/checklist', { body }, options)

export const orderItems = (uids: string[]) => consoleCall('POST /api/console/lists/checklist/order', { body: { uids } })

export const saveTemplate = (row: TemplateRow | undefined, body: Body<TemplateRow>, options: CallOptions) =>
  row
    ? consoleCall(
        'POST /api/console/lists/templates/:uid',
        { params: { uid: row.uid }, body: { ...body, version: row.version } },
        options,
      )
    : consoleCall('POST /api/console/lists/templates', { body }, options)

export interface DocumentBody {
  name: string
  url: string
  file: string
  site: NonNullable<DocumentRow['site']>['uid'] | null
  role: NonNullable<DocumentRow['role']>['uid'] | null
  person: NonNullable<DocumentRow['person']>['uid'] | null
  in_use: boolean
}

export const saveDocument = (row: DocumentRow | undefined, body: DocumentBody, options: CallOptions) =>
  row
    ? consoleCall(
        'POST /api/console/lists/documents/:uid',
        { params: { uid: row.uid }, body: { ...body, version: row.version } },
        options,
      )
    : consoleCall('POST /api/console/lists/documents', { body }, options)

/** Stores a file. The key that it answers is named by the document. */
export const storeFile = (file: Blob) =>
  sendConsoleFile<{ file: string; kind: string; bytes: number }>('/api/console/lists/documents/file', file)
