import { type Static, Type } from 'typebox'
import { exportFormats, exportNames, exportStates } from '#features/records/kinds.ts'
import { EventUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'

/** A file that is made of a record. */
export type RecordExport = Static<typeof RecordExport>
export const RecordExport = Type.Object({
  uid: Type.String({ format: 'uuid' }),
  state: Type.Enum([...exportStates]),
  /** In per cent. */
  progress: Type.Integer({ minimum: 0, maximum: 100 }),
  /**
   * Of a ready file: GET /api/exports/:uid?expires&signature&session, an attachment, for 15 minutes without a token, until
   * the session ends. Each answer has a new one.
   */
  url: Type.Optional(Type.String()),
  /** Of one that failed: why, for people. Absent where trying again may help. */
  message: Type.Optional(Type.String()),
})

export const exportRecord = defineCall({
  summary: 'Begins to make a file of a record: PDF, spreadsheets, or everything for checking',
  method: 'POST',
  path: '/api/event/records/:eventUid/exports',
  params: Type.Object({ eventUid: EventUid }),
  body: Type.Object(
    { format: Type.Enum([...exportFormats]), names: Type.Enum([...exportNames]) },
    { additionalProperties: false },
  ),
  reply: RecordExport,
  policy: { access: 'session', flag: 'Module_Event_Records', orConsole: 'records' },
  refusals: ['not_found', 'record_not_ready', 'pdf_unavailable'],
})

export const getExport = defineCall({
  summary: 'How far an own export is. Ask each second while it is being made',
  method: 'GET',
  path: '/api/event/exports/:uid',
  params: Type.Object({ uid: Type.String({ format: 'uuid' }) }),
  reply: RecordExport,
  policy: { access: 'session', flag: 'Module_Event_Records', orConsole: 'records' },
  refusals: ['not_found'],
})
