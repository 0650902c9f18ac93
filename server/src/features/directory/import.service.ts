import type { Db, Tx } from '../../platform/db.ts'
import type { DocumentStore } from '../../platform/document-store.ts'
import { type AccountUpdate, type AccountValues, listAccounts } from './accounts/account.queries.ts'
import { settlePasswords } from './accounts/account-passwords.ts'
import { type AccountPlan, planAccounts } from './accounts/account-plan.ts'
import { checkFolder } from './files/csv-folder.ts'
import { Problems } from './files/problems.ts'
import { listOnDuty, lockImports, type OnDuty, unlockImports } from './import.queries.ts'
import { countLines, type OnProgress, stageOf } from './import-progress.ts'
import type { FileChanges, ImportReport } from './import-report.ts'
import { joinEvents } from './join-events.ts'
import { type Folder, readFolder } from './read-folder.ts'
import { storageKeyOf } from './storage-key.ts'
import { type AccountChanges, type WriteInput, writeFolder } from './write-folder.ts'

export interface ImportOptions {
  /** Sees all clients (evac_system). */
  db: Db
  folder: string
  /** Tells what would change and changes nothing. */
  dryRun?: boolean
  /** Ends people and assignments that the files no longer have. */
  deactivateMissing?: boolean
  /** Where files of documents.csv are kept; absent: such a document is an error. */
  documents?: DocumentStore
  /** The time by which `today` is read. */
  now?: Date
  onProgress?: OnProgress
}

/**
 * AUTH-06, AMB-150: loads one organisation. Everything is read and checked first, passwords are hashed, then one
 * transaction writes what differs, and running events take in whom it brought. The journal's readers wait for open
 * transactions that have written something, so that one holds nothing but SQL.
 */
export async function importOrganisation(options: ImportOptions): Promise<ImportReport> {
  const problems = new Problems()
  checkFolder(options.folder, problems)
  if (problems.list.length > 0) return refuse(options, problems)
  return options.db.connection().execute(async (session) => {
    await lockImports(session)
    try {
      return await runImport(session, options, problems)
    } finally {
      await unlockImports(session)
    }
  })
}

async function runImport(session: Db, options: ImportOptions, problems: Problems): Promise<ImportReport> {
  const { dryRun = false, deactivateMissing = false, now = new Date(), onProgress = () => undefined } = options
  const lines = await countLines(options.folder)
  const onRow = stageOf('reading', lines, onProgress)
  const folder = await readFolder(session, { folder: options.folder, now, deactivateMissing, problems, onRow })
  if (!folder) return refuse(options, problems)
  onRow(lines) // cells that run over several lines were counted as rows
  const notes = new Problems()
  const onDuty = await listOnDuty(session, folder.known.client.uid)
  const plan = await planFolderAccounts(session, folder, onDuty, problems)
  const stored = folder.documents?.rows.filter(({ path }) => path !== null) ?? []
  if (stored.length > 0 && !options.documents)
    problems.add('documents.csv', 0, 'file', 'needs a place for files, and none is configured')
  if (problems.list.length > 0) return refuse(options, problems)

  const accounts = await settleAccounts(plan, { dryRun, onProgress })
  const storageKeys = await storeDocuments(stored, dryRun ? undefined : options.documents)
  const onRows = stageOf('writing', lines, onProgress)
  const files = await write(session, dryRun, { folder, accounts, storageKeys, notes, onRows })
  if (!dryRun) await joinEvents(session, folder.known, files).catch(tellNotJoined)
  onRows(lines)
  return { organisation: folder.organisation.row.code, dryRun, errors: [], notes: notes.list, files }
}

/** The files are written, and not everybody whom they bring has a place in the running events: the next run gives it. */
export class NotJoined extends Error {
  override name = 'NotJoined'
}

function tellNotJoined(cause: unknown): never {
  throw new NotJoined(
    'The files are in, but the running events were not told of all whom they bring: run the import again.',
    { cause },
  )
}

function refuse({ folder, dryRun = false }: ImportOptions, problems: Problems): ImportReport {
  return { organisation: folder, dryRun, errors: problems.inOrder(), notes: [], files: [] }
}

async function planFolderAccounts(
  session: Db,
  { wishes, known }: Folder,
  onDuty: readonly OnDuty[],
  problems: Problems,
): Promise<AccountPlan> {
  const all = (values: (string | null | undefined)[]) => [
    ...new Set(values.filter((value) => typeof value === 'string')),
  ]
  const lower = (values: (string | null | undefined)[]) => all(values).map((value) => value.toLowerCase())
  const existing = await listAccounts(session, {
    clientUid: known.client.uid,
    uids: all(wishes.map(({ accountUid }) => accountUid)),
    emails: lower(wishes.map(({ email }) => email)),
    usernames: lower(wishes.map(({ username }) => username)),
    mobiles: all(wishes.map(({ mobile }) => mobile)),
  })
  const staying = [...known.people.values()].filter(({ active, kind }) => active && kind === 'staff')
  const staff = new Set([...staying.map(({ uid }) => uid), ...onDuty.map(({ personUid }) => personUid)])
  return planAccounts({ wishes, existing, staff, problems })
}

async function settleAccounts(
  { accounts, released }: AccountPlan,
  options: { dryRun: boolean; onProgress: OnProgress },
): Promise<AccountChanges> {
  const withPassword = accounts.filter(({ wish }) => wish.password !== null)
  const onChecked = stageOf('checking passwords', withPassword.length, options.onProgress)
  const passwords = await settlePasswords({ accounts, ...options, onChecked })
  const created: AccountValues[] = []
  const updated: AccountUpdate[] = []
  for (const { uid, email, username, mobile, existing } of accounts) {
    const hashes = passwords.get(uid) ?? { passwordHash: null, importedPasswordHash: null }
    const values = { uid, email, username, mobile, ...hashes }
    if (!existing) created.push(values)
    else if (Object.entries(values).some(([column, value]) => existing[column as keyof AccountValues] !== value))
      updated.push({ ...values, heldPasswordHash: existing.passwordHash })
  }
  return {
    created,
    updated,
    unchanged: accounts.length - created.length - updated.length,
    released,
    accountOf: new Map(accounts.map(({ uid, wish }) => [wish.personUid, uid])),
  }
}

/** Keys by document code. Files are in place before the rows that name them; a dry run leaves them where they are. */
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

/** Carries the counts out of a transaction that is to leave nothing behind. */
class DryRunDone extends Error {
  readonly files: FileChanges[]
  constructor(files: FileChanges[]) {
    super('dry run')
    this.files = files
  }
}

async function write(session: Db, dryRun: boolean, input: WriteInput): Promise<FileChanges[]> {
  const work = async (tx: Tx) => {
    const files = await writeFolder(tx, input)
    if (dryRun) throw new DryRunDone(files)
    return files
  }
  return session
    .transaction()
    .execute(work)
    .catch((error) => {
      if (error instanceof DryRunDone) return error.files
      throw error
    })
}
