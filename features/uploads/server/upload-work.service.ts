import { listAdministering } from '#features/administrators/server/administrators.service.ts'
import { putOff, wishesFor } from '#features/assignments/server/deferred-changes/deferred-changes.service.ts'
import {
  applyTables,
  type BringIn,
  checkTables,
  mostProblems,
  type TablesDifference,
} from '#features/directory/server/tables/bring-in.service.ts'
import { uploadLimits } from '#kernel/console-kinds.ts'
import { journalAdministrator } from '#server/administrators/administrator.ts'
import type { Db } from '#server/platform/db/db.ts'
import { inClients } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { actingOf, findGrant, type Grant, listReached } from './download-tables.queries.ts'
import { otherHeadingsOf } from './upload-codes.ts'
import { type Unpacked, unpack } from './upload-files.ts'
import * as found from './upload-found.queries.ts'
import { noting, Stopped, tellingOf, type Working } from './upload-progress.ts'
import { mayBring } from './upload-reach.ts'
import { giveUpUndo, workOnUndo } from './upload-undo.service.ts'
import * as queries from './uploads.queries.ts'

/** Attempts after which work that fails each time is given up. */
const mostAttempts = 20
/**
 * Checks and applies what is due. Any number of workers may run at once: one works on an upload. What a
 * killed one has left is gone on with from its last step.
 */
export async function workOnUploads(working: Working): Promise<void> {
  const { system, stopping, onTrouble } = working
  for (const due of await queries.listDue(system)) {
    if (stopping.aborted) return
    await system
      .connection()
      .execute((session) => workOn(working, session, due))
      .catch((error) => error instanceof Stopped || onTrouble(error))
  }
}

/** What no one has applied within a day is dropped. */
export const dropOldUploads = (system: Db) => queries.dropOld(system, uploadLimits.partsHours)

async function workOn(
  working: Working,
  session: Db,
  key: { clientUid: Grant['clientUid']; uid: queries.UploadRecord['uid'] },
) {
  if (!(await queries.claimWork(session, key))) return
  try {
    const upload = await queries.findUpload(session, key.clientUid, key.uid)
    if (upload?.state === 'undoing') return await takeBack(working, session, upload)
    if (upload?.state !== 'checking' && upload?.state !== 'applying') return
    const grant = await findGrant(working.system, upload.administratorUid)
    if ((await queries.countAttempt(session, upload)) > mostAttempts)
      return await fail(working, upload, 'The upload failed several times. Upload the files again.')
    if (!grant) return await fail(working, upload, 'The person who uploaded this is no longer an administrator.')
    await withFiles(working, session, upload, grant)
  } finally {
    await queries.releaseWork(session, key)
  }
}

async function takeBack(working: Working, session: Db, upload: queries.UploadRecord) {
  const grant = upload.undoingAdministratorUid && (await findGrant(working.system, upload.undoingAdministratorUid))
  if (!grant) return await giveUpUndo(working, upload, 'The person who undid this is no longer an administrator.')
  if ((await queries.countAttempt(session, upload)) > mostAttempts)
    return await giveUpUndo(working, upload, 'The undo failed several times. You can undo the rest again.')
  await workOnUndo(working, session, upload, grant)
}

async function fail({ system }: Working, upload: queries.UploadRecord, notice: string) {
  await queries.updateUpload(system, upload, { state: 'failed', notice, stage: null })
  await queries.deleteParts(system, upload)
}

async function withFiles(working: Working, session: Db, upload: queries.UploadRecord, grant: Grant) {
  const { system } = working
  const parts = (file: string, nth: number) => queries.readPart(system, upload, file, nth)
  await using files = await unpack(upload.uid, upload.options.files ?? [], parts, mayBring(grant))
  const windows = new Map<string, string[]>()
  const progress = noting(working, upload)
  const reached = await listReached(system, grant)
  const { usable } = await listAdministering(system, grant.clientUid)
  const input: BringIn = {
    clientUid: grant.clientUid,
    uploadUid: upload.uid,
    folder: files.folder,
    now: working.now?.() ?? new Date(),
    acting: { as: actingOf(grant, upload.byPersonUid, upload.options.confirmed ?? false), telling: tellingOf(working) },
    endMissing: upload.options.endMissing ?? false,
    documents: working.documents,
    usable,
    reach: grant.reach,
    people: reached.people,
    holders: reached.holders,
    onProgress: progress.note,
    onWindows: (file, samples) => void windows.set(upload.options.mapping?.name ?? file, samples),
    otherHeadings: otherHeadingsOf(system, upload),
  }
  try {
    const given = { input, files, windows }
    if (upload.state === 'checking') await check(working, session, upload, given)
    else await apply(working, session, upload, given)
  } finally {
    await progress.settled()
  }
}

interface Given {
  input: BringIn
  files: Unpacked
  windows: ReadonlyMap<string, string[]>
}

async function check(
  { system }: Working,
  session: Db,
  upload: queries.UploadRecord,
  given: Given,
  notice: string | null = null,
) {
  const { files, windows } = given
  const checked = files.problems.length > 0 ? { problems: files.problems } : await checkTables(session, given.input)
  const { problems, difference } = { difference: undefined, ...checked }
  const { reach } = given.input
  await found.keepFound(system, upload, 'uploadProblem', problems.slice(0, mostProblems))
  await found.keepFound(system, upload, 'uploadChange', difference?.rows() ?? [])
  await queries.updateUpload(system, upload, {
    ...{
      state: 'checked',
      checkedAt: new Date(),
      problems: problems.length,
      notice,
      stage: null,
      attempts: 0,
      hasKeys: true,
    },
    changes: difference ? changesIn(difference) : 0,
    digest: difference?.digest ?? null,
    options: { ...upload.options, joins: reach.kind === 'group' ? reach.groupUid : undefined },
    leftOut: [
      ...upload.leftOut.filter(({ file }) => files.leftOut.every((other) => other.file !== file)),
      ...files.leftOut,
    ],
    result: {
      files: difference?.files ?? [],
      ends: difference?.ends ?? noEnds,
      mustType: difference?.mustType ?? null,
      asksCode: difference?.asksCode ?? false,
      withoutFloor: difference?.withoutFloor ?? 0,
      hints: difference?.hints ?? [],
      ...(difference && problems.length > 0 && { rows: { leftOut: difference.leftOut, others: difference.others } }),
      windows: [...windows].map(([file, samples]) => ({ file, samples })),
    },
  })
}

const noEnds = { people: { number: 0, of: 0 }, assignments: { number: 0, of: 0 } }
const changesIn = ({ files }: TablesDifference) =>
  files.reduce((sum, { added, changed, ended }) => sum + added + changed + ended, 0)

async function apply(working: Working, session: Db, upload: queries.UploadRecord, given: Given) {
  const { system, announce } = working
  const { clientUid, byPersonUid } = upload
  const actor = journalAdministrator({ clientUid, personUid: byPersonUid })
  const outcome = await applyTables(session, given.input, {
    leftOut: await found.listLeftOut(system, upload),
    expected: upload.begunAt ? null : upload.digest,
    by: upload.changes <= uploadLimits.atOnce ? actor : undefined,
    onBegin: () => queries.updateUpload(system, upload, { begunAt: new Date() }),
    wishes: wishesFor(byPersonUid),
    onPutOff: async ({ people, assignments }) => {
      const wish = { clientUid, byPersonUid, uploadUid: upload.uid }
      await inClients(system, [clientUid], async (tx) => {
        for (const personUid of people)
          await putOff(tx, {
            ...wish,
            kind: 'deactivation',
            personUid,
            assignmentUid: null,
            reason: null,
          })
        for (const { uid, personUid } of assignments)
          await putOff(tx, {
            ...wish,
            kind: 'assignment_end',
            personUid,
            assignmentUid: uid,
            reason: 'Ended by an upload',
          })
      })
    },
  })
  if (outcome === 'another')
    return check(working, session, upload, given, 'The data has changed since the check. Look at the new changes.')
  const sum = (kind: 'added' | 'changed' | 'ended') =>
    (upload.result?.files ?? []).reduce((total, file) => total + file[kind], 0)
  await inClients(system, [clientUid], async (tx) => {
    const { made: _, ...options } = upload.options
    await queries.updateUpload(tx, upload, {
      state: 'applied',
      appliedAt: new Date(),
      stage: null,
      notice: null,
      options,
    })
    await queries.deleteParts(tx, upload)
    await record(tx, actor, {
      action: 'tables_applied',
      subjectType: 'administrator',
      subjectUid: upload.administratorUid,
      after: { added: sum('added'), changed: sum('changed'), ended: sum('ended') },
    })
  })
  announce()
}
