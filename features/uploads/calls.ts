import { type Static, Type } from 'typebox'
import { mappedColumns, uploadChangeKinds, uploadKinds, uploadLimits, uploadStates } from '#kernel/console-kinds.ts'
import { listOf, listQuery } from '#kernel/console-list.ts'
import { UploadUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'

const policy = { access: 'console', right: 'tables' } as const
const params = Type.Object({ uid: UploadUid })
const closed = { additionalProperties: false } as const
const TextOrNull = Type.Union([Type.String(), Type.Null()])
const FileName = Type.String({ minLength: 1, maxLength: 200 })
const Counts = { added: Type.Integer(), changed: Type.Integer(), ended: Type.Integer(), left: Type.Integer() }
const State = Type.Object({ state: Type.Enum(uploadStates) })

export const getTableTemplates = defineCall({
  summary: 'A zip of the files of the import format, each with its header and an example row',
  method: 'GET',
  path: '/api/console/tables/templates',
  reply: Type.Object({ name: Type.String(), /** Base64. */ content: Type.String() }),
  policy,
})

export const exportTables = defineCall({
  summary:
    'Begins a zip of everything within reach; plans with the Plans permission, never passwords. A worker makes it',
  method: 'POST',
  path: '/api/console/export',
  reply: Type.Object({ uid: Type.String({ format: 'uuid' }) }),
  policy: { access: 'console', right: 'tables', confirmed: true },
  refusals: ['confirm_identity'],
})

export const getTablesExport = defineCall({
  summary: 'How far an own export is. Ask each second while it is being made. It lasts for an hour',
  method: 'GET',
  path: '/api/console/export/:uid',
  params: Type.Object({ uid: Type.String({ format: 'uuid' }) }),
  reply: Type.Object({
    state: Type.Enum(['making', 'ready', 'failed']),
    /** Of a ready one: opens it once, within 10 minutes, without a sign-in. Once used, the next answer has another one. */
    link: TextOrNull,
    /** Of one that failed: why, for people. Null where trying again may help. */
    message: TextOrNull,
  }),
  policy: { access: 'console', right: 'tables', confirmed: true },
  refusals: ['not_found', 'confirm_identity'],
})

export type UploadRow = Static<typeof UploadRow>
export const UploadRow = Type.Object({
  uid: UploadUid,
  state: Type.Enum(uploadStates),
  kind: Type.Enum(uploadKinds),
  /** Name of who brought it in. */
  by: Type.String(),
  at: Type.String(),
  ...Counts,
  /** Cells that are wrong. Once undone: rows that were left as they are. */
  problems: Type.Integer(),
  /** Until when the caller may undo it: the last one that was applied. Else null. */
  undo_until: TextOrNull,
})

const Ends = Type.Object({ number: Type.Integer(), of: Type.Integer() })

export type Upload = Static<typeof Upload>
export const Upload = Type.Object({
  ...UploadRow.properties,
  /** Tables by file, in the order of the import. */
  files: Type.Array(Type.Object({ file: Type.String(), ...Counts })),
  /** Files that are left out, and why. */
  left_out: Type.Array(Type.Object({ file: Type.String(), reason: Type.String() })),
  /** Files that are no UTF-8 and are read as Windows text, with up to three cells. */
  windows: Type.Array(Type.Object({ file: Type.String(), samples: Type.Array(Type.String()) })),
  /** The name of a single table with other headings, which stands among `files` as people.csv. */
  own_name: TextOrNull,
  /** Ends people and assignments that the files no longer have. */
  end_missing: Type.Boolean(),
  ends: Type.Object({ people: Ends, assignments: Ends }),
  /** Rows with a wrong cell, by file. They are left out if the others are brought in. `is_kept`: they can be downloaded. */
  bad_files: Type.Array(Type.Object({ file: Type.String(), rows: Type.Integer(), is_kept: Type.Boolean() })),
  bad_rows: Type.Integer(),
  good_rows: Type.Integer(),
  /** Staff who would have no floor, new ones and those who lose theirs. */
  without_floor: Type.Integer(),
  /** Cells that are read otherwise than they may be meant, with the lines of up to ten. */
  hints: Type.Array(
    Type.Object({
      file: Type.String(),
      reason: Type.String(),
      rows: Type.Integer(),
      lines: Type.Array(Type.Integer()),
    }),
  ),
  /** The number of ends that must be typed. Null where none must. */
  must_type: Type.Union([Type.Integer(), Type.Null()]),
  progress: Type.Union([
    Type.Object({ stage: Type.String(), done: Type.Integer(), total: Type.Integer() }),
    Type.Null(),
  ]),
  /** Why the difference is another one than before, or why the work has stopped. */
  notice: TextOrNull,
  /** Checked, with something to apply. Rows with a wrong cell are left out. */
  may_apply: Type.Boolean(),
  applied_at: TextOrNull,
  undone_at: TextOrNull,
})

export const listUploads = defineCall({
  summary: 'Uploads within reach, the newest first: state, who, counts',
  method: 'GET',
  path: '/api/console/uploads',
  query: Type.Object({ after: listQuery.after, before: listQuery.before }),
  reply: listOf(UploadRow),
  policy,
})

export const openUpload = defineCall({
  summary: 'Open an upload; one that the same administrator has left open, or that failed its check, is discarded',
  method: 'POST',
  path: '/api/console/uploads',
  reply: Type.Object({ uid: UploadUid }),
  policy,
  refusals: ['invalid_transition'],
})

export const storeUploadPart = defineCall({
  summary: 'A part of a file, up to 4 MB; each may come again. Files of another kind are named and left out',
  method: 'POST',
  path: '/api/console/uploads/:uid/files/:file',
  params: Type.Object({ uid: UploadUid, file: FileName }),
  /** Parts count from 1. */
  query: Type.Object({ part: Type.String({ maxLength: 2, pattern: '^[1-9][0-9]?$' }) }),
  /** `reason`: why the file is left out. */
  reply: Type.Object({ kept: Type.Boolean(), reason: TextOrNull }),
  policy,
  bytes: uploadLimits.part,
  refusals: ['not_found', 'invalid_transition', 'unsupported_media_type', 'body_too_large'],
})

/** A single table of people with other headings, sent as people.csv: which heading stands for which column. */
export type Mapping = Static<typeof Mapping>
const Mapping = Type.Object(
  {
    /** The name that the file has. */
    name: FileName,
    columns: Type.Array(
      Type.Object({ column: Type.Enum(mappedColumns), heading: Type.String({ minLength: 1, maxLength: 200 }) }, closed),
      { minItems: 1, maxItems: mappedColumns.length },
    ),
  },
  closed,
)

export const checkUpload = defineCall({
  summary: 'Read and check all files, write nothing, and find the difference. A worker does it',
  method: 'POST',
  path: '/api/console/uploads/:uid/check',
  params,
  body: Type.Object(
    {
      files: Type.Array(Type.Object({ file: FileName, parts: Type.Integer({ minimum: 1, maximum: 99 }) }, closed), {
        minItems: 1,
        maxItems: 20,
      }),
      end_missing: Type.Boolean(),
      mapping: Type.Optional(Mapping),
    },
    closed,
  ),
  reply: State,
  policy,
  refusals: ['not_found', 'forbidden', 'invalid_transition'],
})

export const getUpload = defineCall({
  summary: 'An upload: progress, counts by file, what is left out and why',
  method: 'GET',
  path: '/api/console/uploads/:uid',
  params,
  reply: Upload,
  policy,
  refusals: ['not_found'],
})

export const listUploadProblems = defineCall({
  summary: 'The first 100 cells that are wrong; once undone, rows that were left: file, line, column, reason',
  method: 'GET',
  path: '/api/console/uploads/:uid/problems',
  params,
  reply: Type.Object({
    problems: Type.Array(
      Type.Object({ file: Type.String(), line: Type.Integer(), column: Type.String(), reason: Type.String() }),
    ),
    total: Type.Integer(),
  }),
  policy,
  refusals: ['not_found'],
})

export const downloadUploadProblems = defineCall({
  summary: 'All cells that are wrong as a CSV file, up to 100,000',
  method: 'GET',
  path: '/api/console/uploads/:uid/problems/file',
  params,
  /** `text/csv` in UTF-8 with a byte order mark. */
  reply: Type.String(),
  policy,
  refusals: ['not_found'],
})

export const downloadLeftOutRows = defineCall({
  summary: 'The rows of a file that are left out as CSV, each behind its reasons; never of plans. Repair and upload it',
  method: 'GET',
  path: '/api/console/uploads/:uid/left-out/:file',
  params: Type.Object({ uid: UploadUid, file: FileName }),
  /** `text/csv` in UTF-8 with a byte order mark. */
  reply: Type.String(),
  policy,
  refusals: ['not_found'],
})

export type UploadChange = Static<typeof UploadChange>
export const UploadChange = Type.Object({
  seq: Type.Integer(),
  file: Type.String(),
  kind: Type.Enum(uploadChangeKinds),
  line: Type.Union([Type.Integer(), Type.Null()]),
  /** Which row. Of a row that is left as it is: why. */
  title: Type.String(),
  /** Of plans the names of the fields alone. */
  cells: Type.Array(Type.Object({ column: Type.String(), before: TextOrNull, after: TextOrNull })),
  /** Names of the places whose codes stand in the cells, without those that the upload itself adds. */
  places: Type.Array(Type.Object({ code: Type.String(), name: Type.String() })),
})

export const listUploadChanges = defineCall({
  summary: 'The difference row by row: line, cells before and after, or why a row is left as it is',
  method: 'GET',
  path: '/api/console/uploads/:uid/changes',
  params,
  query: Type.Object({
    file: Type.Optional(FileName),
    kind: Type.Optional(Type.Enum(uploadChangeKinds)),
    after: listQuery.after,
    before: listQuery.before,
  }),
  reply: listOf(UploadChange),
  policy,
  refusals: ['not_found'],
})

export const applyUpload = defineCall({
  summary: 'Apply the difference that was shown. A worker checks again and writes it',
  method: 'POST',
  path: '/api/console/uploads/:uid/apply',
  params,
  /** `ends`: the number that was typed, where one must be. `leave_out`: `bad_rows` as shown; none without it. */
  body: Type.Object(
    {
      ends: Type.Union([Type.Integer({ minimum: 0, maximum: 100_000_000 }), Type.Null()]),
      leave_out: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000_000 })),
    },
    closed,
  ),
  reply: State,
  policy,
  refusals: ['not_found', 'confirm_identity', 'busy', 'in_event', 'invalid_transition'],
})

export const undoUpload = defineCall({
  summary: 'Undo the last applied upload, for 7 days: a worker ends what it added and restores the rest',
  method: 'POST',
  path: '/api/console/uploads/:uid/undo',
  params,
  reply: State,
  policy: { access: 'console', right: 'tables', confirmed: true },
  refusals: ['not_found', 'forbidden', 'confirm_identity', 'busy', 'in_event', 'invalid_transition'],
})

export const dropUpload = defineCall({
  summary: 'Discard an upload; its files are deleted',
  method: 'POST',
  path: '/api/console/uploads/:uid/drop',
  params,
  reply: State,
  policy,
  refusals: ['not_found', 'invalid_transition'],
})
