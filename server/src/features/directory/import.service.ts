import { type Db, retriable, sqlState } from '../../platform/db/db.ts'
import type { DocumentStore } from '../../platform/documents/document-store.ts'
import { planTableAccounts, settleAccounts } from './accounts/table-accounts.ts'
import { listCannotSignIn, type Ways } from './cannot-sign-in.ts'
import { checkFolder, folderSource } from './files/csv-folder.ts'
import { directoryFiles } from './files/directory-files.ts'
import { Problems } from './files/problems.ts'
import { refusals } from './guards.ts'
import { endWithClient, listManagerPosts, listOnDuty, lockImport, unlockImport } from './import.queries.ts'
import { countLines, type OnProgress, stageOf } from './import-progress.ts'
import { DoneChanges, emptyReport, type ImportReport } from './import-report.ts'
import { joinEvents } from './join-events.ts'
import { planImport } from './plan-import.ts'
import { Wording } from './preview.ts'
import { type OrganisationFile, readOrganisationFile, readTables } from './read-tables.ts'
import { holdTouched, PlanAgain } from './spare-on-duty.ts'
import { rowsIn, runSteps } from './steps.ts'
import { storageKeyOf } from './storage-key.ts'
import { loadAll } from './stored/held.ts'
import { listClientCodes } from './stored/known.queries.ts'

export interface ImportOptions {
  /** Sees all clients (evac_system). */
  db: Db
  folder: string
  /** Shows what would change and changes nothing. */
  dryRun?: boolean
  /** Ends people and assignments that are missing from the files. */
  deactivateMissing?: boolean
  /** Whether an unknown code may create a further organisation. Default: yes. */
  mayBeNew?: boolean
  /** How many people and assignments the import may end (guards.ts). Default: any number. */
  mayEnd?: number
  /** Stores files of documents.csv. Without it such a document is an error. */
  documents?: DocumentStore
  /** The configured ways to send links. Default: all. */
  ways?: Ways
  /** The time that decides `today`. */
  now?: Date
  onProgress?: OnProgress
}

/** Attempts to plan, because somebody may go on duty during each. */
const mostAttempts = 5

type Run = Required<Omit<ImportOptions, 'documents' | 'db'>> & {
  documents: DocumentStore | undefined
  organisation: OrganisationFile
}

/**
 * AUTH-06, AMB-150: loads one organisation.
 *
 * 1. Read and check all files. Nothing is written if there is a problem.
 * 2. Hash passwords.
 * 3. Write the differences in steps. A run after an interrupted one finds what is left.
 * 4. Add new wardens and visitors to running events.
 */
export async function importOrganisation(options: ImportOptions): Promise<ImportReport> {
  const { db, folder, now = new Date() } = options
  const problems = new Problems()
  checkFolder(folder, problems)
  const organisation =
    problems.list.length === 0 ? await readOrganisationFile(folderSource(folder), now, problems) : undefined
  const report = emptyReport(organisation?.row.code ?? folder, options.dryRun ?? false)
  if (!organisation) return { ...report, errors: problems.inOrder() }
  const run: Run = {
    ...{
      dryRun: false,
      deactivateMissing: false,
      mayBeNew: true,
      mayEnd: Number.POSITIVE_INFINITY,
      onProgress: () => undefined,
    },
    ...{ ways: { texts: true, mails: true }, documents: undefined },
    ...options,
    ...{ now, organisation },
  }
  return db.connection().execute(async (session) => {
    await lockImport(session, organisation.row.code)
    try {
      await endWithClient(session)
      return await runAgain(session, run, report)
    } finally {
      await unlockImport(session, organisation.row.code)
    }
  })
}

/**
 * Plans and writes. If a concurrent change (a sign-in name, a deadlock) invalidates a step, nothing of that step is
 * written and the rest is planned again.
 */
async function runAgain(session: Db, run: Run, report: ImportReport): Promise<ImportReport> {
  const done = new DoneChanges()
  for (let attempt = 1; ; attempt++) {
    try {
      return await runImport(session, run, report, done)
    } catch (error) {
      if (attempt === mostAttempts || !isPassing(error)) throw error
    }
  }
}

async function runImport(session: Db, run: Run, report: ImportReport, done: DoneChanges): Promise<ImportReport> {
  const { dryRun, documents, onProgress } = run
  const [problems, notes] = [new Problems(), new Problems()]
  const lines = await countLines(run.folder)
  const onRow = stageOf('reading', lines, onProgress)
  const source = folderSource(run.folder)
  const stored = await loadAll(session, run.organisation.row, {
    columns: run.organisation.columns,
    plans: source.has(directoryFiles.peeps),
    assignments: source.has(directoryFiles.assignments),
  })
  const tables = await readTables(stored, { ...run, source, problems, onRow })
  onRow(lines) // the estimate counted cells of several lines as rows
  const onDuty = await listOnDuty(session, tables.known.client.uid)
  const { plan, existing } = await planTableAccounts(session, tables, onDuty, problems)
  const files = tables.documents?.rows.filter(({ path }) => path !== null) ?? []
  if (files.length > 0 && !documents)
    problems.add('documents.csv', 0, 'file', 'needs a place for files, and none is configured')
  if (problems.list.length > 0) return { ...report, errors: problems.inOrder() }
  const refused = refusals(tables, { ...run, codes: await listClientCodes(session) })
  if (refused.length > 0 && !dryRun) return { ...report, refused }

  const accounts = await settleAccounts(plan, { dryRun, onProgress })
  const storageKeys = await storeDocuments(files, dryRun ? undefined : documents)
  const { files: changes, parts } = planImport({
    ...{ tables, accounts, existing, storageKeys, onDuty },
    managers: await listManagerPosts(session, tables.known.client.uid),
    planned: plan.accounts,
    ...{ notes, onDone: done.add },
  })
  if (!dryRun) {
    const hold: Parameters<typeof runSteps>[2] = (tx, touching) => holdTouched(tx, tables.known.client.uid, touching)
    await runSteps(session, parts, hold, stageOf('writing', rowsIn(parts), onProgress))
    await joinEvents(session, tables.known, done.changes(changes)).catch(tellNotJoined)
  }
  const words = new Wording(tables)
  const cannotSignIn = listCannotSignIn(tables, existing, accounts, run.ways).map((uid) => words.person(uid))
  return { ...report, refused, notes: notes.list, files: dryRun ? changes : done.changes(changes), cannotSignIn }
}

/** The files were written, but not all new people joined the running events. The next run adds them. */
export class NotJoined extends Error {
  override name = 'NotJoined'
}

function tellNotJoined(cause: unknown): never {
  throw new NotJoined(
    'The files are in, but the running events were not told of all whom they bring: run the import again.',
    { cause },
  )
}

/** True for a deadlock or a concurrent change that invalidates the plan. False for a problem of the files. */
const isPassing = (error: unknown) =>
  error instanceof PlanAgain ||
  retriable.has(sqlState(error) ?? '') ||
  ['23503', '23505'].includes(sqlState(error) ?? '')

/** Storage keys by document code. Stores files before their rows are written. A dry run stores nothing. */
async function storeDocuments(
  rows: readonly { code: string; path: string | null }[],
  store: DocumentStore | undefined,
) {
  const keys = new Map<string, string>()
  for (const { code, path } of rows) {
    if (path === null) continue
    const key = await storageKeyOf(code, path)
    await store?.keep(key, path)
    keys.set(code, key)
  }
  return keys
}
