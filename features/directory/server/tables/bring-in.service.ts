import { createHash } from 'node:crypto'
import type { ClientUid, UploadUid } from '#kernel/ids.ts'
import type { Db } from '#server/platform/db/db.ts'
import type { JournalActor } from '#server/platform/db/journal.ts'
import type { DocumentStore } from '#server/platform/documents/document-store.ts'
import { opposedBy, type PutOff, type Wishes } from '../difference-of-ended.ts'
import { folderSource, type OnWindows, reasonHeading } from '../files/csv-folder.ts'
import { directoryFiles } from '../files/directory-files.ts'
import { describeReason, type ImportProblem, inOrder, Problems } from '../files/problems.ts'
import { endWithClient, lockImport, unlockImport } from '../import.queries.ts'
import { planningAgain } from '../import.service.ts'
import { countLines, type OnProgress } from '../import-progress.ts'
import { changedRows, type DifferenceKind, type DifferenceRow, type FileChanges } from '../import-report.ts'
import { fewRows, rowsIn } from '../import-steps.ts'
import { again, PlanAgain } from '../protect-on-duty.ts'
import { type CheckedTables, readOrganisationFile } from '../read-tables.ts'
import { type Ends, endsOf, mustBeTyped, mustStay, numberOf } from '../require-confirmation.ts'
import { getClient } from '../stored/load-code-index.queries.ts'
import { planAll, readAll, writeTables } from '../write-tables.ts'
import type { Acting } from '../writing/row-writer.ts'
import { type LeftOutOf, LeftOutRows, type ToldProblem } from './left-out-rows.ts'
import { inTheirWords, type OtherHeadings, withOurHeadings } from './other-headings.service.ts'
import { refuseSettings, withoutPasswords } from './refuse-in-upload.ts'
import { type RowsReach, refuseBeyond, withMembers } from './rows-within.ts'

export type { Ends, LeftOutOf, OtherHeadings, RowsReach, ToldProblem, Wishes }

export { reasonHeading }

/** Names of the files of the import format. */
export const tableFiles: readonly string[] = Object.values(directoryFiles).map(({ file }) => file)

/** Files of the import format in a folder, brought in by an administrator. */
export interface BringIn extends RowsReach {
  clientUid: ClientUid
  /** Marks the plans that it makes and ends, so that they can be found again. */
  uploadUid: UploadUid
  folder: string
  now: Date
  endMissing: boolean
  documents: DocumentStore
  /** Who brings them in. */
  acting: Acting
  /** People who can administer the whole organisation. One stays. */
  usable: readonly string[]
  onProgress: OnProgress
  onWindows: OnWindows
  /** people.csv has other headings. */
  otherHeadings?: OtherHeadings | undefined
}

export interface Hint {
  file: string
  reason: string
  rows: number
  lines: number[]
}

/** What the files would change. */
export interface TablesDifference {
  files: ({ file: string } & Record<DifferenceKind, number>)[]
  ends: Ends
  /** The number that must be typed before so many end. Null where none must. */
  mustType: number | null
  /** A row needs a code. */
  asksCode: boolean
  /** Row by row, in the order of writing. Rows of accounts follow from those of their people. */
  rows(): Generator<DifferenceRow>
  /** Rows with a bad cell, by file, and how many others there are. */
  leftOut: LeftOutOf[]
  others: number
  /** Staff who get no floor, or lose theirs. */
  withoutFloor: number
  /** Cells that are read otherwise than they may be meant: how many rows, and the lines of the first. */
  hints: Hint[]
  /** The same for the same difference. */
  digest: Buffer
}

/** Each reads all files again: a row may name one that names one that is left out. */
const mostRounds = 20
/** Problems that are told. Rows whose problems are not could not be handed back. */
export const mostProblems = 100_000

/**
 * Reads and checks all files and finds the difference. Writes nothing. Rows with a bad cell are left out of the difference,
 * and so are those that name one of them. Without a difference nothing can be brought in.
 */
export async function checkTables(
  session: Db,
  input: BringIn,
): Promise<{ problems: ToldProblem[]; difference?: TablesDifference }> {
  const leftOut = new LeftOutRows()
  const { mapping } = input.otherHeadings ?? {}
  const told = (problems: readonly ToldProblem[]) =>
    mapping ? problems.map((one) => ({ ...one, ...inTheirWords(mapping, one) })) : [...problems]
  for (let round = 1; ; round++) {
    const planned = await plan(session, input, leftOut, { dryRun: true })
    if (!planned.problems) return { problems: told(leftOut.problems), difference: planned.difference }
    const problems = inOrder([...leftOut.problems, ...planned.problems])
    // who is on a bad row is not missing
    if (!planned.canLeaveOut || input.endMissing || round === mostRounds || problems.length > mostProblems)
      return { problems: told(problems) }
    leftOut.leave(planned.problems)
  }
}

export interface Applying {
  /** The rows that are left out, as they were shown. */
  leftOut: readonly { file: string; line: number }[]
  /** Of the difference that was shown. Null once writing has begun: the rest is another one. */
  expected: Buffer | null
  /** Who is told in the journal row by row. */
  by: JournalActor | undefined
  /** Called before the first row is written. */
  onBegin: () => Promise<void>
  /** Ends that wait from before. */
  wishes: Wishes
  /** Ends that wait for someone on duty. */
  onPutOff: (putOff: PutOff) => Promise<void>
}

/**
 * Checks again under the lock of the organisation, and writes the difference by the steps of an import. A
 * run after an interrupted one writes what is left. 'another': the difference is not the expected one, nothing is written.
 */
export async function applyTables(
  session: Db,
  input: BringIn,
  { leftOut, expected, by, onBegin, wishes, onPutOff }: Applying,
): Promise<'applied' | 'another'> {
  const { code } = await getClient(session, input.clientUid)
  await lockImport(session, code)
  let isBegun = expected === null
  const without = new LeftOutRows(input.otherHeadings ? leftOut.map(({ line }) => ({ file: ofPeople, line })) : leftOut)
  try {
    await endWithClient(session)
    return await planningAgain(async () => {
      const waiting = await wishes.listOpen(session, input.clientUid)
      const planned = await plan(session, input, without, { dryRun: false, by })
      if (planned.problems) return 'another'
      const { read, parts, files, putOff, difference } = planned
      if (!isBegun && !difference.digest.equals(expected as Buffer)) return 'another'
      if (!(await wishes.drop(session, input.clientUid, opposedBy(read.tables, waiting)))) throw new PlanAgain()
      if (!isBegun) await onBegin()
      isBegun = true
      await writeTables(session, read.tables, { parts }, { onProgress: input.onProgress, changes: () => files })
      await onPutOff(putOff)
      return 'applied'
    })
  } finally {
    await unlockImport(session, code)
  }
}

/** The file that a table with other headings is turned into. */
const ofPeople = directoryFiles.people.file

interface Planning {
  dryRun: boolean
  by?: JournalActor | undefined
}

async function plan(session: Db, input: BringIn, leftOut: LeftOutRows, { dryRun, by }: Planning) {
  leftOut.others = 0
  const { clientUid, uploadUid, folder, now, endMissing, documents, usable, onProgress, otherHeadings } = input
  const client = await getClient(session, clientUid)
  const problems = new Problems()
  const files = folderSource(folder, input.onWindows, leftOut.keep)
  // with other headings they count for who is who
  const source = leftOut.without(
    withoutPasswords(otherHeadings ? withOurHeadings(files, { ...otherHeadings, session, client }) : files),
  )
  const organisation = (await readOrganisationFile(source, now, problems, { mayBeEmpty: true })) ?? {
    row: client,
    columns: new Set<string>(),
  }
  if (organisation.row.code !== client.code && problems.list.length === 0)
    problems.add('organisation.csv', 2, 'code', `organisation.csv belongs to ${organisation.row.code}.`)
  refuseSettings(client, organisation, problems)
  if (problems.list.length > 0) return { problems: problems.inOrder(), canLeaveOut: false }
  const notes = new Problems()
  const read = await readAll(session, {
    source,
    organisation,
    now,
    deactivateMissing: endMissing,
    documents,
    onProgress,
    acting: input.acting,
    mayAsk: dryRun,
    usable,
    notes,
    leftOut,
    lines: await countLines(folder),
  })
  refuseBeyond(read.tables, input, read.problems)
  const tables = withMembers(read.tables, input, read.problems)
  if (read.problems.list.length > 0) return { problems: read.problems.inOrder(), canLeaveOut: read.problems.areOfRows }
  const all = { ...read, tables }
  const planned = await planAll(session, all, {
    dryRun,
    documents,
    onProgress,
    notes,
    by,
    uploadUid,
    acting: input.acting,
    administrators: mustStay(tables, usable),
  })
  // in steps a worker that is killed between a person and their group would leave people whom no one of the group reaches
  if (input.reach.kind === 'group' && tables.members && rowsIn(planned.parts) > fewRows) {
    read.problems.add('people.csv', 0, '', 'adds too many people at once: divide it into tables of 1,000 rows')
    return { problems: read.problems.inOrder(), canLeaveOut: false }
  }
  const mapping = otherHeadings?.mapping
  const named = <T extends { file: string }>(rows: T[]) =>
    mapping ? rows.map((row) => ({ ...row, file: mapping.name })) : rows
  const counts = {
    leftOut: named(leftOut.files),
    others: leftOut.others,
    withoutFloor: countWithoutFloor(tables),
    hints: named(hintsOf(read.problems.hints)),
  }
  const found = differenceOf(planned.files, notes.inOrder(), endsOf(tables))
  return { ...planned, read: all, difference: { ...found, ...counts, asksCode: read.asksCode } }
}

const linesShown = 10

const hintsOf = (hints: readonly ImportProblem[]): Hint[] =>
  [...Map.groupBy(hints, ({ file, reason }) => `${file} ${reason}`).values()].map((some) => ({
    file: some[0]?.file ?? '',
    reason: some[0]?.reason ?? '',
    rows: some.length,
    lines: some.slice(0, linesShown).map(({ line }) => line),
  }))

/** Staff whom no event counts: new ones, and those who lose their floor. */
const countWithoutFloor = ({ people, held }: CheckedTables) =>
  (people?.rows ?? []).filter(({ uid, kind, isWanted, primaryFloorUid }) => {
    if (!isWanted || kind !== 'staff' || primaryFloorUid !== null) return false
    const before = held.person.get(uid)
    return !before?.active || before.primaryFloorUid !== null
  }).length

function differenceOf(
  files: readonly FileChanges[],
  notes: readonly ImportProblem[],
  ends: Ends,
): Pick<TablesDifference, 'files' | 'ends' | 'mustType' | 'rows' | 'digest'> {
  const told = files.filter(({ file }) => file !== 'accounts')
  const left = (of: string) => notes.filter(({ file }) => file === of).length
  function* rows(): Generator<DifferenceRow> {
    yield* changedRows(files)
    for (const note of notes)
      yield { file: note.file, kind: 'left', key: null, line: note.line || null, title: reasonOf(note), cells: [] }
  }
  const hash = createHash('sha256')
  for (const row of rows()) hash.update(`${JSON.stringify(row)}\n`)
  return {
    files: told
      .map(({ file, created, updated, ended }) => ({
        file,
        added: created,
        changed: updated,
        ended,
        left: left(file),
      }))
      .filter(({ added, changed, ended, left }) => added + changed + ended + left > 0),
    ends,
    mustType: mustBeTyped(ends) ? numberOf(ends) : null,
    rows,
    digest: hash.digest(),
  }
}

/** What the command's operator runs again waits, or is uploaded again. */
const reasonOf = (note: ImportProblem) =>
  describeReason(note).trim().replace(again, 'this waits until they are off duty, or you can upload it again')
