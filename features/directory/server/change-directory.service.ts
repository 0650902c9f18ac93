import { sql } from 'kysely'
import { lockSite } from '#features/events/server/event.queries.ts'
import type { ClientUid, SiteUid } from '#kernel/ids.ts'
import { sqlState, type Tx } from '#server/platform/db/db.ts'
import type { JournalActor } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import { planTableAccounts, settleAccounts } from './accounts/table-accounts.ts'
import { planImport } from './compute-difference.ts'
import { describeReason, type ImportProblem, Problems } from './files/problems.ts'
import { rowsSource } from './files/row-source.ts'
import { findApplying, listManagerPosts, listOnDuty, lockDirectory, takePersonCodes } from './import.queries.ts'
import { changedRows, type DifferenceRow } from './import-report.ts'
import { writeAll } from './import-steps.ts'
import { joinEventsAt } from './join-events.ts'
import { holdTouched, PlanAgain } from './protect-on-duty.ts'
import { type CheckedTables, readOrganisationFile, readTables } from './read-tables.ts'
import { completeRows } from './stored/complete-form-row.ts'
import { getClient } from './stored/load-code-index.queries.ts'
import { type FormRow, type FormRows, loadNamed } from './stored/referenced-rows.ts'
import type { Acting } from './writing/row-writer.ts'

export type { Acting, DifferenceRow, FormRows }

/** Cells of a row, of values that a call names like the file. */
export const cellsOf = (values: Readonly<Record<string, string | number | boolean>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, cellOf(value)]))

function cellOf(value: string | number | boolean) {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return String(value)
}

export interface DirectoryChange {
  /** Who changes it. Their organisation is the one that is changed. */
  by: JournalActor & { clientUid: ClientUid }
  /** Rows of the import format, with `uid` where the code may change too, and only the columns that change. */
  rows: FormRows
  /** The time that decides `today`. */
  now: Date
  /** Who changes sign-ins: for rows that open accounts. A change of people runs in an act of the caller. */
  acting?: Acting | undefined
  /** Milliseconds to wait for another change of the organisation. Default: 5,000. */
  waitMs?: number
}

/** `line` is the number of the row, from 1. The reasons are those of an import. */
export type DirectoryProblem = ImportProblem

export type DirectoryChanged =
  | { problems: DirectoryProblem[] }
  | {
      problems?: undefined
      /** Uids by file, in the order of the rows. */
      uids: Partial<Record<keyof FormRows, string[]>>
      /** What stays as it is because a warden is on duty. */
      left: DirectoryProblem[]
      /** What has changed, row by row. */
      difference(): DifferenceRow[]
    }

/** Milliseconds to wait for another change of the same organisation. */
const longestWait = 5_000
/** Attempts to plan, because others may take a sign-in name or go on duty meanwhile. */
const mostAttempts = 3

/**
 * Changes what the rows name and nothing else, by the rules of an import, in the caller's transaction, which
 * sees all organisations. Reads only what the rows name or refer to. Throws `not_found` for an unknown uid, and as
 * `holdDirectory` does. With any problem nothing is written.
 */
export async function changeDirectory(tx: Tx, change: DirectoryChange): Promise<DirectoryChanged> {
  const client = await holdDirectory(tx, change.by.clientUid, change.waitMs)
  for (let attempt = 1; ; attempt++) {
    await sql`savepoint change_directory`.execute(tx)
    try {
      return await changeOnce(tx, client, change)
    } catch (error) {
      if (!isPassing(error)) throw error
      if (attempt === mostAttempts) throw new Refusal('busy')
      await sql`rollback to savepoint change_directory`.execute(tx)
    }
  }
}

/**
 * Waits for other changes of the organisation and keeps them out until the transaction ends. Throws `busy` while tables are
 * applied. This wait, and each later one of the transaction, fails after five seconds with 55P03: the console answers `busy`.
 */
export async function holdDirectory(tx: Tx, clientUid: ClientUid, waitMs = longestWait) {
  const client = await getClient(tx, clientUid)
  const applying = await findApplying(tx, clientUid)
  if (applying)
    throw new Refusal('busy', `Tables are being applied: ${counted(applying.done)} of ${counted(applying.total)}.`)
  await lockDirectory(tx, client.code, waitMs)
  return client
}

const counted = (n: number) => n.toLocaleString('en-AU')

/** For a form: throws `invalid_request` with the reason of each field. */
export function requireNone(
  changed: DirectoryChanged,
): asserts changed is Exclude<DirectoryChanged, { problems: DirectoryProblem[] }> {
  const [first] = changed.problems ?? []
  if (!first) return
  const problems = (changed.problems ?? []).map((problem) => ({
    field: problem.column,
    row: problem.line,
    message: describeReason(problem),
  }))
  throw new Refusal('invalid_request', describeReason(first), [...new Set(problems.map(({ field }) => field))], {
    problems,
  })
}

/** A concurrent change has invalidated the plan. */
const isPassing = (error: unknown) => error instanceof PlanAgain || ['23503', '23505'].includes(sqlState(error) ?? '')

async function changeOnce(
  tx: Tx,
  client: Awaited<ReturnType<typeof getClient>>,
  { by, rows, now, acting }: DirectoryChange,
): Promise<DirectoryChanged> {
  const [problems, left] = [new Problems(), new Problems()]
  const coded = await giveCodes(tx, by.clientUid, rows)
  const stored = await loadNamed(tx, client, coded)
  const source = rowsSource(completeRows(stored, coded, problems))
  const tables = await readTables(stored, {
    organisation: (await readOrganisationFile(source, now, problems)) ?? { row: client, columns: new Set() },
    source,
    now,
    problems,
    deactivateMissing: false,
    onRow: () => undefined,
  })
  const onDuty = await listOnDuty(tx, by.clientUid)
  const { plan, existing } = await planTableAccounts(tx, tables, onDuty, problems)
  if (problems.list.length > 0) return { problems: problems.inOrder() }
  const accounts = await settleAccounts(plan, { dryRun: false, onProgress: () => undefined })
  const { parts, files } = planImport({
    tables,
    accounts,
    existing,
    onDuty,
    by,
    acting,
    managers: await listManagerPosts(tx, by.clientUid),
    planned: plan.accounts,
    storageKeys: new Map(),
    notes: left,
    onDone: () => undefined,
  })
  const sites = sitesToJoin(tables)
  for (const siteUid of sites) await lockSite(tx, siteUid)
  await writeAll(tx, parts, (touching) => holdTouched(tx, by.clientUid, touching))
  for (const siteUid of sites) await joinEventsAt(tx, by.clientUid, siteUid, 'console')
  return { uids: uidsOf(tables), left: left.inOrder(), difference: () => [...changedRows(files)] }
}

/** Sites where the rows may bring a warden or a visitor to a running event, in lock order. */
function sitesToJoin({ assignments, people, known }: CheckedTables): SiteUid[] {
  const brings = assignments !== undefined || people?.rows.some(({ kind }) => kind === 'visitor')
  return brings ? [...known.sites.values()].map(({ uid }) => uid).sort() : []
}

function uidsOf(tables: CheckedTables) {
  const files = [
    'sites',
    'buildings',
    'floors',
    'roles',
    'people',
    'peeps',
    'assignments',
    'eventTypes',
    'floorStatuses',
    'checklist',
    'templates',
    'documents',
  ] as const
  return Object.fromEntries(
    files.flatMap((file) => (tables[file] ? [[file, tables[file].rows.map(({ uid }) => uid)]] : [])),
  )
}

/** 'P-000001' and so on for new people without a code. */
async function giveCodes(tx: Tx, clientUid: ClientUid, rows: FormRows): Promise<FormRows> {
  const isWithout = ({ uid, code }: FormRow) => !uid && !code?.trim()
  const count = rows.people?.filter(isWithout).length ?? 0
  if (!rows.people || count === 0) return rows
  const codes = (await takePersonCodes(tx, clientUid, count)).values()
  return {
    ...rows,
    people: rows.people.map((row) => (isWithout(row) ? { ...row, uid: null, code: codes.next().value ?? '' } : row)),
  }
}
