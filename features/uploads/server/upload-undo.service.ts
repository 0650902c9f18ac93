import { listAdministering } from '#features/administrators/server/administrators.service.ts'
import { dropOfUpload } from '#features/assignments/server/deferred-changes/deferred-changes.service.ts'
import { type AppliedRow, type Undone, undoTables } from '#features/directory/server/undo/undo.service.ts'
import { retireUnused } from '#features/places/server/place-changes.service.ts'
import { uploadLimits } from '#kernel/console-kinds.ts'
import type { ClientUid, PersonUid, PlaceUid } from '#kernel/ids.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import { type Administrator, journalAdministrator } from '#server/administrators/administrator.ts'
import type { Services } from '#server/http/services.ts'
import { type Db, inClients, type Tx } from '#server/platform/db/db.ts'
import { type JournalActor, record, unattended } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { undoUpload } from '../calls.ts'
import { actingOf, type Grant, listReached } from './download-tables.queries.ts'
import { undoActs } from './undo-acts.service.ts'
import * as found from './upload-found.queries.ts'
import { noting, tellingOf, type Working } from './upload-progress.ts'
import * as queries from './uploads.queries.ts'
import { hold, mayUndo, refuseInEvent, refuseSecond, wrongState } from './uploads.service.ts'

/** Hands the last applied upload to a worker, which takes it back. */
export async function undo(
  { jobs }: Pick<Services, 'jobs'>,
  tx: Tx,
  administrator: Administrator,
  { params: { uid } }: CallInput<typeof undoUpload>,
): Promise<CallAnswer<typeof undoUpload>> {
  const upload = await hold(tx, administrator, uid)
  if (upload.state === 'undoing' || upload.state === 'undone') return { state: upload.state }
  if (upload.state !== 'applied') throw wrongState(upload.state)
  if (!upload.undoUntil)
    throw new Refusal('invalid_transition', `Only the last upload can be undone, for ${uploadLimits.undoDays} days.`)
  if (!mayUndo(administrator, upload)) throw new Refusal('forbidden', 'Plans need the Plans permission.')
  if (changesGroups(upload) && !isOfOwnGroup(administrator, upload))
    throw new Refusal('forbidden', 'Only an administrator of the whole organisation can change groups.')
  await refuseInEvent(tx, administrator.clientUid)
  if (upload.result?.asksCode && !administrator.isConfirmed) throw new Refusal('confirm_identity')
  const options = { ...upload.options, undoConfirmed: administrator.isConfirmed }
  const start = { done: 0, total: upload.changes, stage: 'undoing', notice: null, attempts: 0, options }
  const by = { undoingAdministratorUid: administrator.administratorUid, undoneByPersonUid: administrator.personUid }
  await queries.updateUpload(tx, upload, { ...start, ...by, state: 'undoing' }).catch(refuseSecond)
  await jobs.enqueue(tx, 'uploads', { uid })
  return { state: 'undoing' }
}

const changesGroups = ({ options, result }: queries.UploadRecord) =>
  options.group !== undefined || (result?.files ?? []).some(({ file }) => groupFiles.has(file))
/** Whom it has added to the group that they administer. */
const isOfOwnGroup = ({ reach }: Administrator, { options }: queries.UploadRecord) =>
  reach.kind === 'organisation' || (reach.kind === 'group' && options.joins === reach.groupUid)
const groupFiles = new Set(['groups.csv', 'group_members.csv'])

/** What the last attempt has not done can be undone again. */
export const giveUpUndo = ({ system }: Working, upload: queries.UploadRecord, notice: string) =>
  queries.updateUpload(system, upload, { state: 'applied', notice, stage: null })

/** Takes the upload back. What a killed worker has left is gone on with. */
export async function workOnUndo(working: Working, session: Db, upload: queries.UploadRecord, grant: Grant) {
  const { system, announce } = working
  const { clientUid } = upload
  const actor = journalAdministrator({ clientUid, personUid: upload.undoneByPersonUid as PersonUid })
  const by = upload.changes <= uploadLimits.atOnce ? actor : undefined
  const applied = [...(await readApplied(system, upload)), ...(await takeWishes(system, upload, actor))]
  const progress = noting(working, upload)
  const reached = await listReached(system, grant)
  const { usable } = await listAdministering(system, clientUid)
  const undone = await undoTables(session, {
    acting: {
      as: actingOf(grant, upload.undoneByPersonUid as PersonUid, upload.options.undoConfirmed ?? false),
      telling: tellingOf(working),
    },
    clientUid,
    uploadUid: upload.uid,
    applied,
    now: working.now?.() ?? new Date(),
    usable,
    by,
    reach: grant.reach,
    people: reached.people,
    holders: reached.holders,
    onProgress: progress.note,
  }).finally(progress.settled)
  await retirePlaces(system, clientUid, by ?? unattended(clientUid), undone)
  await undoActs(system, upload, actor, applied, undone.left)
  await finish(system, upload, actor, { applied, left: undone.left })
  announce()
}

/** Rows of the difference that are read at once. */
const rowsAtOnce = 10_000

async function readApplied(system: Db, upload: queries.UploadRecord): Promise<AppliedRow[]> {
  const rows: AppliedRow[] = []
  for (let seq = 0; ; ) {
    const some = await found.listApplied(system, upload, seq, rowsAtOnce)
    rows.push(...some)
    seq = some.at(-1)?.seq ?? seq
    if (some.length < rowsAtOnce) return rows
  }
}

/** What the upload put off is dropped. What has happened since is taken back as what it ended at once. */
async function takeWishes(system: Db, { clientUid, uid }: queries.UploadRecord, actor: JournalActor) {
  const happened = await inClients(system, [clientUid], (tx) => dropOfUpload(tx, { ...actor, clientUid }, uid))
  return happened.map(({ personUid, assignmentUid }): AppliedRow => {
    const status = { column: 'status', before: 'Accepted', after: 'Withdrawn' }
    return assignmentUid
      ? { ...ofWish, file: 'assignments.csv', key: assignmentUid, cells: [status] }
      : { ...ofWish, file: 'people.csv', key: personUid, cells: [] }
  })
}
const ofWish = { kind: 'ended', line: null, title: 'A change that was waiting' } as const

const placesAtOnce = 100

async function retirePlaces(system: Db, clientUid: ClientUid, by: JournalActor, { places, left }: Undone) {
  for (let from = 0; from < places.length; from += placesAtOnce) {
    const some = places.slice(from, from + placesAtOnce)
    const uids = some.map(({ uid }) => uid as PlaceUid)
    const stay = await inClients(system, [clientUid], (tx) => retireUnused(tx, by, clientUid, uids))
    for (const { uid, of } of some) if (stay.has(uid)) left.set(of, stay.get(uid) as string)
  }
}

interface Outcome {
  applied: readonly AppliedRow[]
  left: ReadonlyMap<AppliedRow, string>
}

async function finish(system: Db, upload: queries.UploadRecord, actor: JournalActor, { applied, left }: Outcome) {
  const rows = [...left].map(([{ file, line, title }, reason]) => ({
    file: file === 'accounts' ? 'people.csv' : file,
    line: line ?? 0,
    column: '',
    reason: `${title}: ${reason}`,
  }))
  await found.keepFound(system, upload, 'uploadProblem', rows)
  await inClients(system, [upload.clientUid], async (tx) => {
    await queries.updateUpload(tx, upload, {
      state: 'undone',
      undoneAt: new Date(),
      stage: null,
      notice: null,
      problems: rows.length,
    })
    await record(tx, actor, {
      action: 'tables_undone',
      subjectType: 'administrator',
      subjectUid: upload.administratorUid,
      after: { rows: applied.length - left.size, left: left.size },
    })
  })
}
