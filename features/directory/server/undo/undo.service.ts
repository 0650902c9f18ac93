import type { ClientUid, UploadUid } from '#kernel/ids.ts'
import type { Db } from '#server/platform/db/db.ts'
import type { JournalActor } from '#server/platform/db/journal.ts'
import { planTableAccounts } from '../accounts/table-accounts.ts'
import { directoryFiles } from '../files/directory-files.ts'
import { describeReason, type ImportProblem, Problems } from '../files/problems.ts'
import { rowsSource } from '../files/row-source.ts'
import { endWithClient, listOnDuty, lockImport, unlockImport } from '../import.queries.ts'
import { planningAgain } from '../import.service.ts'
import type { OnProgress } from '../import-progress.ts'
import { readOrganisationFile, readTables } from '../read-tables.ts'
import { mustStay } from '../require-confirmation.ts'
import { completeRows } from '../stored/complete-form-row.ts'
import { getClient, listUsernames } from '../stored/load-code-index.queries.ts'
import { loadAll } from '../stored/stored-rows.ts'
import { leaveRefused } from '../tables/left-by-authority.ts'
import { type RowsReach, refuseBeyond } from '../tables/rows-within.ts'
import { planAll, type TablesRead, writeTables } from '../write-tables.ts'
import type { Acting } from '../writing/row-writer.ts'
import { undoPlans } from './undo-peeps.ts'
import { type AppliedRow, type Chosen, type ChosenRow, chooseRows, formsOf } from './undo-rows.ts'

export type { AppliedRow }

export interface Undo extends RowsReach {
  clientUid: ClientUid
  uploadUid: UploadUid
  /** The difference that was applied, in its order. */
  applied: readonly AppliedRow[]
  now: Date
  /** Who takes it back. */
  acting: Acting
  /** People who can administer the whole organisation. One stays. */
  usable: readonly string[]
  /** Who is told in the journal row by row. */
  by: JournalActor | undefined
  onProgress: OnProgress
}

export interface Undone {
  /** Rows that stay as they are, and why. */
  left: Map<AppliedRow, string>
  /** Added places that the caller retires, if no one is there. Floors first. */
  places: Chosen['places']
}

/** Attempts to leave out rows that cannot be brought back. Each leaves out all that it finds. */
const mostRounds = 10

/**
 * Takes an upload back by the rules and the steps of an import, under the lock of the organisation. What cannot be
 * is left with its reason. A run after an interrupted one goes on with the rest.
 */
export async function undoTables(session: Db, undo: Undo): Promise<Undone> {
  const { code } = await getClient(session, undo.clientUid)
  await lockImport(session, code)
  try {
    await endWithClient(session)
    return await planningAgain(async () => {
      const { read, chosen } = await readBack(session, undo)
      const { onProgress, by, usable, acting } = undo
      const notes = new Problems()
      const planned = await planAll(session, read, {
        dryRun: false,
        documents: undefined,
        onProgress,
        notes,
        by,
        acting,
        administrators: mustStay(read.tables, usable),
      })
      await writeTables(session, read.tables, planned, { onProgress, changes: () => [] })
      await undoPlans(session, chosen.plans, undo, chosen.left)
      for (const note of notes.list) leave(chosen, note)
      return { left: chosen.left, places: chosen.places.toReversed() }
    })
  } finally {
    await unlockImport(session, code)
  }
}

/** The rows that take the upload back, checked as those of a form. */
async function readBack(session: Db, undo: Undo): Promise<{ read: TablesRead; chosen: Chosen }> {
  const left = new Map<AppliedRow, string>()
  for (let round = 0; round < mostRounds; round++) {
    const tried = await tryRows(session, undo, left)
    if (tried.read.problems.list.length === 0) return tried
    const found = tried.read.problems.list.map((problem) => leave(tried.chosen, problem))
    if (!found.some(Boolean)) throw new Error(describeReason(tried.read.problems.list[0] as ImportProblem))
  }
  throw new Error('Some rows of this undo block each other.')
}

async function tryRows(session: Db, undo: Undo, left: Map<AppliedRow, string>) {
  const client = await getClient(session, undo.clientUid)
  const assignments = undo.applied.some(({ file }) => file === 'assignments.csv')
  const stored = await loadAll(session, client, { columns: new Set(), plans: false, assignments, members: false })
  const chosen = chooseRows(stored, await listUsernames(session, undo.clientUid), undo.applied, left)
  const problems = new Problems()
  const source = rowsSource(completeRows(stored, formsOf(chosen), problems))
  const organisation = chosen.rows.has('organisation')
    ? await readOrganisationFile(source, undo.now, problems)
    : undefined
  const all = await readTables(stored, {
    organisation: organisation ?? { row: client, columns: new Set() },
    source,
    now: undo.now,
    problems,
    deactivateMissing: false,
    onRow: () => undefined,
  })
  // a row that is not theirs to take back is a problem of the round, and left by the next one
  const { tables, asksCode } = await leaveRefused(
    session,
    all,
    { acting: undo.acting, mayAsk: false, usable: undo.usable },
    problems,
  )
  refuseBeyond(tables, undo, problems)
  const onDuty = await listOnDuty(session, undo.clientUid)
  const { plan, existing } = await planTableAccounts(session, tables, onDuty, problems)
  return { read: { tables, asksCode, onDuty, plan, existing, files: [], problems }, chosen }
}

/** Notes why the row of a problem stays. Undefined if the problem is of no row. */
function leave({ rows, left }: Chosen, problem: ImportProblem): ChosenRow | undefined {
  const list = [...rows].find(([file]) => fileOf(file) === problem.file)?.[1]
  const found = list?.[problem.line - 1]
  if (found && !left.has(found.of)) left.set(found.of, describeReason(problem))
  return found
}

const fileOf = (file: keyof typeof directoryFiles) => directoryFiles[file].file
