import type { Db } from '#server/platform/db/db.ts'
import type { JournalActor } from '#server/platform/db/journal.ts'
import type { DocumentStore } from '#server/platform/documents/document-store.ts'
import { planTableAccounts, settleAccounts } from './accounts/table-accounts.ts'
import { type ImportPlan, planImport } from './compute-difference.ts'
import { directoryFiles } from './files/directory-files.ts'
import { type LeftOut, Problems } from './files/problems.ts'
import type { RowSource } from './files/row-source.ts'
import { listManagerPosts, listOnDuty, listRunningEvents } from './import.queries.ts'
import { type OnProgress, stageOf } from './import-progress.ts'
import type { FileChanges } from './import-report.ts'
import { type OnDone, rowsIn, runSteps } from './import-steps.ts'
import { joinEvents } from './join-events.ts'
import { holdTouched } from './protect-on-duty.ts'
import { type CheckedTables, type OrganisationFile, readTables } from './read-tables.ts'
import { storageKeyOf } from './storage-key.ts'
import { type Held, loadAll } from './stored/stored-rows.ts'
import { leaveRefused } from './tables/left-by-authority.ts'
import type { Acting } from './writing/row-writer.ts'

/** Tables to bring in, by the command or by an upload. */
export interface TablesInput {
  source: RowSource
  organisation: OrganisationFile
  now: Date
  /** Ends people and assignments that are missing from the files. */
  deactivateMissing: boolean
  /** Stores files of documents.csv. Without it such a document is a problem. */
  documents: DocumentStore | undefined
  /** About how many rows there are. */
  lines: number
  onProgress: OnProgress
  /** Who brings the tables in. `mayAsk`: a code that a row needs is asked later. */
  acting: Acting
  mayAsk?: boolean
  /** People who can administer the whole organisation. The end of the last one waits. */
  usable?: readonly string[]
  /** Collects rows that are left. */
  notes: Problems
  /** Rows that the source does not give. */
  leftOut?: LeftOut
}

export type TablesRead = Awaited<ReturnType<typeof readAll>>

/** Reads and checks all rows against each other and the organisation. Writes nothing. */
export async function readAll(session: Db, input: TablesInput) {
  const { source, organisation, lines, onProgress, documents, acting, mayAsk = false, usable = [], notes } = input
  const problems = new Problems(input.leftOut)
  const onRow = stageOf('reading', lines, onProgress)
  const stored = await loadAll(session, organisation.row, {
    columns: organisation.columns,
    plans: source.has(directoryFiles.peeps),
    assignments: source.has(directoryFiles.assignments),
    members: source.has(directoryFiles.groupMembers),
  })
  const all = await readTables(stored, { ...input, problems, onRow })
  const { tables, asksCode } = await leaveRefused(session, all, { acting, mayAsk, usable }, notes)
  onRow(lines) // the estimate counted cells of several lines as rows
  const onDuty = await listOnDuty(session, tables.known.client.uid)
  const { plan, existing } = await planTableAccounts(session, tables, onDuty, problems)
  const files = tables.documents?.rows.filter(({ path }) => path !== null) ?? []
  if (files.length > 0 && !documents)
    problems.add('documents.csv', 0, 'file', 'needs a place for files, and none is configured')
  return { tables, asksCode, onDuty, plan, existing, files, problems }
}

export interface PlanOptions {
  /** Nothing will be written: passwords are not hashed, files of documents not stored. */
  dryRun: boolean
  documents: DocumentStore | undefined
  onProgress: OnProgress
  notes: Problems
  /** Who is told in the journal, row by row. */
  by?: JournalActor | undefined
  /** People who stay, because no one could administer the organisation without them. */
  administrators?: ReadonlySet<string>
  /** The upload that marks the plans that it makes and ends. */
  uploadUid?: string | undefined
  acting: Acting
  onDone?: OnDone
}

/** The difference between the tables and the organisation: the one that a dry run prints and an upload shows and writes. */
export async function planAll(session: Db, read: TablesRead, options: PlanOptions) {
  const { tables, plan, existing, onDuty, files } = read
  const {
    dryRun,
    documents,
    onProgress,
    notes,
    by,
    administrators,
    uploadUid,
    acting,
    onDone = () => undefined,
  } = options
  const accounts = await settleAccounts(plan, { dryRun, onProgress })
  const storageKeys = await storeDocuments(files, tables.held.document, dryRun ? undefined : documents)
  const planned = planImport({
    tables,
    accounts,
    existing,
    storageKeys,
    onDuty,
    notes,
    onDone,
    uploadUid,
    acting,
    ...(by && { by }),
    ...(administrators && { administrators }),
    managers: await listManagerPosts(session, tables.known.client.uid),
    running: await listRunningEvents(session, tables.known.client.uid),
    planned: plan.accounts,
  })
  return { ...planned, accounts }
}

/** Writes the difference by steps, then tells running events of new people. `changes`: what has been written, once it is. */
export async function writeTables(
  session: Db,
  tables: CheckedTables,
  { parts }: Pick<ImportPlan, 'parts'>,
  { onProgress, changes }: { onProgress: OnProgress; changes: () => readonly FileChanges[] },
): Promise<void> {
  const hold: Parameters<typeof runSteps>[2] = (tx, touching) => holdTouched(tx, tables.known.client.uid, touching)
  await runSteps(session, parts, hold, stageOf('writing', rowsIn(parts), onProgress))
  await joinEvents(session, tables.known, changes()).catch(tellNotJoined)
}

/** The files were written, but not all new people joined the running events. The next run adds them. */
export class NotJoined extends Error {
  override name = 'NotJoined'
}

function tellNotJoined(cause: unknown): never {
  throw new NotJoined(
    'The files were imported, but running events did not get everyone in them: run the import again.',
    { cause },
  )
}

/**
 * Storage keys by document code. A file that the document has already keeps its key, whatever it is called. Stores
 * others before their rows are written. A dry run stores nothing.
 */
async function storeDocuments(
  rows: readonly { uid: string; code: string; path: string | null }[],
  held: Held['document'],
  store: DocumentStore | undefined,
) {
  const keys = new Map<string, string>()
  for (const { uid, code, path } of rows) {
    if (path === null) continue
    const before = held.get(uid)?.storageKey
    const key = await storageKeyOf(code, path, before)
    await store?.keep(key, path)
    keys.set(code, key)
  }
  return keys
}
