import type { UploadUid } from '#kernel/ids.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import type { Administrator } from '#server/administrators/administrator.ts'
import { type ListName, presentPage, readSpan } from '#server/administrators/list-page.ts'
import type { Services } from '#server/http/services.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { keyring } from '#server/platform/secrets.ts'
import type { getUpload, listUploadChanges, listUploads, UploadRow } from '../calls.ts'
import * as found from './upload-found.queries.ts'
import * as queries from './uploads.queries.ts'
import { mayApply, mayUndo, requireUpload, seenBy } from './uploads.service.ts'

type Listing = Pick<Services, 'secrets' | 'clock'>

/** The newest first. */
export async function list(
  { secrets, clock }: Listing,
  tx: Tx,
  administrator: Administrator,
  query: CallInput<typeof listUploads>['query'],
): Promise<CallAnswer<typeof listUploads>> {
  const { clientUid } = administrator
  const name: ListName = { seals: keyring(secrets, 'listKeys'), clientUid, list: 'uploads' }
  const span = readSpan(name, query)
  const rows = await queries.listPage(tx, clientUid, seenBy(administrator), span)
  return presentPage(name, span, rows, {
    keyOf: ({ createdAt, uid }) => [createdAt.toISOString(), uid],
    present: (upload) => presentRow(administrator, upload),
    total: await queries.countUploads(tx, clientUid, seenBy(administrator)),
    now: clock.now(),
  })
}

function presentRow(administrator: Administrator, upload: queries.UploadRecord): UploadRow {
  const { uid, state, kind, by, createdAt, problems, result } = upload
  const sum = (kind: 'added' | 'changed' | 'ended' | 'left') =>
    (result?.files ?? []).reduce((total, file) => total + file[kind], 0)
  return {
    uid,
    state,
    kind,
    by,
    at: createdAt.toISOString(),
    problems,
    undo_until: mayUndo(administrator, upload) ? (upload.undoUntil?.toISOString() ?? null) : null,
    added: sum('added'),
    changed: sum('changed'),
    ended: sum('ended'),
    left: sum('left'),
  }
}

export async function present(
  tx: Tx,
  administrator: Administrator,
  uid: UploadUid,
): Promise<CallAnswer<typeof getUpload>> {
  const upload = await requireUpload(tx, administrator, uid)
  const { state, leftOut, options, result, stage, done, total, notice, appliedAt, undoneAt } = upload
  const isAtWork = state === 'checking' || state === 'applying' || state === 'undoing'
  const none = { number: 0, of: 0 }
  return {
    ...presentRow(administrator, upload),
    files: result?.files ?? [],
    left_out: leftOut,
    windows: result?.windows ?? [],
    own_name: options.mapping?.name ?? null,
    end_missing: options.endMissing ?? false,
    ...presentLeftOut(administrator, upload),
    without_floor: result?.withoutFloor ?? 0,
    hints: result?.hints ?? [],
    ends: result?.ends ?? { people: none, assignments: none },
    must_type: result?.mustType ?? null,
    progress: isAtWork ? { stage: stage ?? 'reading', done, total } : null,
    notice,
    may_apply: mayApply(upload) && upload.byPersonUid === administrator.personUid,
    applied_at: appliedAt?.toISOString() ?? null,
    undone_at: undoneAt?.toISOString() ?? null,
  }
}

/** An undo has replaced the problems, and with them the cells. */
function presentLeftOut({ seesPlans }: Administrator, { state, result }: queries.UploadRecord) {
  const { leftOut = [], others = 0 } = (state !== 'undone' && result?.rows) || {}
  const files = leftOut.filter(({ file }) => seesPlans || file !== 'peeps.csv')
  return {
    good_rows: others,
    bad_rows: files.reduce((sum, { rows }) => sum + rows, 0),
    bad_files: files.map(({ file, rows, headings }) => ({ file, rows, is_kept: headings.length > 0 })),
  }
}

/** Columns that hold codes of buildings and floors. */
const placeColumns = new Set(['building', 'floor', 'locations'])
const placeCodesOf = ({ cells }: found.ChangeRow) =>
  cells
    .filter(({ column }) => placeColumns.has(column))
    .flatMap(({ before, after }) => [before, after].flatMap((cell) => (cell ?? '').split(';')))
    .filter(Boolean)

/** Row by row, by key. Who has a plan is for those with the Plans permission. */
export async function listChanges(
  { secrets, clock }: Listing,
  tx: Tx,
  administrator: Administrator,
  { params: { uid }, query }: CallInput<typeof listUploadChanges>,
): Promise<CallAnswer<typeof listUploadChanges>> {
  const upload = await requireUpload(tx, administrator, uid)
  const name: ListName = {
    seals: keyring(secrets, 'listKeys'),
    clientUid: administrator.clientUid,
    list: `changes of ${uid}`,
  }
  const span = readSpan(name, query)
  const kinds = query.kind ? [query.kind] : (['added', 'changed', 'ended', 'left'] as const)
  const { seesPlans } = administrator
  const files = (upload.result?.files ?? []).filter(
    ({ file }) => (query.file === undefined || file === query.file) && (seesPlans || file !== 'peeps.csv'),
  )
  const rows = await found.listChanges(tx, upload, { ...query, seesPlans }, span)
  const names = await found.listPlaceNames(tx, upload.clientUid, rows.flatMap(placeCodesOf))
  return presentPage(name, span, rows, {
    keyOf: ({ seq }) => [String(seq)],
    present: (row) => ({
      ...row,
      places: [...new Set(placeCodesOf(row))].flatMap((code) => {
        const name = names.get(code)
        return name === undefined ? [] : [{ code, name }]
      }),
    }),
    total: files.flatMap((file) => kinds.map((kind) => file[kind])).reduce((sum, rows) => sum + rows, 0),
    now: clock.now(),
  })
}
