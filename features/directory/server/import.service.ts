import { asOperator } from '#features/authority/server/decide.ts'
import { sweptJobs } from '#features/authority/server/told.service.ts'
import type { ClientUid } from '#kernel/ids.ts'
import { type Db, retriable, sqlState } from '#server/platform/db/db.ts'
import type { DocumentStore } from '#server/platform/documents/document-store.ts'
import { listCannotSignIn, type Ways } from './cannot-sign-in.ts'
import { opposedBy, type Wishes } from './difference-of-ended.ts'
import { checkFolder, folderSource } from './files/csv-folder.ts'
import { Problems } from './files/problems.ts'
import { endWithClient, lockImport, unlockImport } from './import.queries.ts'
import { countLines, type OnProgress } from './import-progress.ts'
import { DoneChanges, emptyReport, type ImportReport } from './import-report.ts'
import { Wording } from './preview.ts'
import { PlanAgain } from './protect-on-duty.ts'
import { type OrganisationFile, readOrganisationFile } from './read-tables.ts'
import { refusals } from './require-confirmation.ts'
import { findClient, listClientCodes } from './stored/load-code-index.queries.ts'
import { planAll, readAll, writeTables } from './write-tables.ts'

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
  /** Ends that wait from before: the files drop those that they are against. Default: there are none. */
  wishes?: Wishes
}

/** Attempts to plan, because someone may go on duty during each. */
const mostAttempts = 5

type Run = Required<Omit<ImportOptions, 'documents' | 'db' | 'wishes'>> & {
  wishes: Wishes | undefined
  documents: DocumentStore | undefined
  organisation: OrganisationFile
}

/**
 * Loads one organisation.
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
    ways: { texts: true, mails: true },
    documents: undefined,
    wishes: undefined,
    ...options,
    now,
    organisation,
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
  return planningAgain(() => runImport(session, run, report, done))
}

/** Runs work again that a concurrent change has invalidated, at most five times. */
export async function planningAgain<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === mostAttempts || !isPassing(error)) throw error
    }
  }
}

async function runImport(session: Db, run: Run, report: ImportReport, done: DoneChanges): Promise<ImportReport> {
  const { dryRun, onProgress } = run
  const notes = new Problems()
  const source = folderSource(run.folder)
  const client = await findClient(session, run.organisation.row.code)
  const waiting = (client && (await run.wishes?.listOpen(session, client.uid))) ?? []
  const telling = { sends: run.ways, jobs: sweptJobs, now: run.now }
  // of a new organisation no one is there to tell
  const acting = (clientUid: string) => ({ as: asOperator(clientUid as ClientUid), telling })
  const reading = { ...run, source, lines: await countLines(run.folder), acting: acting(client?.uid ?? ''), notes }
  const read = await readAll(session, reading)
  const { tables, problems, existing } = read
  if (problems.list.length > 0) return { ...report, errors: problems.inOrder() }
  const refused = refusals(tables, { ...run, codes: await listClientCodes(session) })
  if (refused.length > 0 && !dryRun) return { ...report, refused }

  const plan = await planAll(session, read, {
    ...run,
    notes,
    acting: acting(tables.known.client.uid),
    onDone: done.add,
  })
  const changes = () => done.changes(plan.files)
  const opposed = opposedBy(tables, waiting)
  if (!dryRun && client && (await run.wishes?.drop(session, client.uid, opposed)) === false) throw new PlanAgain()
  if (!dryRun) await writeTables(session, tables, plan, { onProgress, changes })
  const words = new Wording(tables)
  const cannotSignIn = listCannotSignIn(tables, existing, plan.accounts, run.ways).map((uid) => words.person(uid))
  return {
    ...report,
    refused,
    notes: notes.list,
    hints: problems.hints,
    files: dryRun ? plan.files : changes(),
    cannotSignIn,
  }
}

/** True for a deadlock or a concurrent change that invalidates the plan. False for a problem of the files. */
const isPassing = (error: unknown) =>
  error instanceof PlanAgain ||
  retriable.has(sqlState(error) ?? '') ||
  ['23503', '23505'].includes(sqlState(error) ?? '')
