import type { ClientUid, PersonUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { record, unattended } from '#server/platform/db/journal.ts'
import type { DataFile } from '../data-files.queries.ts'
import { isWithheld, withheldLine } from '../log-line.ts'
import { piecesOf } from '../merkle.ts'
import { packLines, unpackLines } from '../packed-lines.ts'
import { type RecordLine, saysStill } from '../record-lines.ts'
import type { LogOf } from '../sealing.queries.ts'
import { type ErasableFile, rangesOf } from './covered.ts'
import { listCovering } from './covering.queries.ts'
import * as queries from './erasure.queries.ts'

const msOfDay = 86_400_000

/** Why lines are erased. Without days: at once. */
interface Term {
  why: 'messages' | 'event' | 'audit' | 'person'
  days: number | null
}

/** Lines that are erased, by file, in any order. */
type Erased = Partial<Record<ErasableFile, readonly number[]>>

/** What is gone of a log stands in it: one entry for each file, in the transaction of the erasure. A log of version 1 has none. */
async function noteErased(tx: Tx, of: LogOf, { why, days }: Term, erased: Erased): Promise<void> {
  const all = Object.entries(erased).filter(([, numbers]) => numbers.length > 0)
  if (all.length === 0) return
  const endedAt = days === null ? null : await queries.findEnd(tx, of)
  const due = endedAt && days !== null ? new Date(endedAt.getTime() + days * msOfDay).toISOString() : null
  await record(
    tx,
    unattended(of.clientUid),
    all.map(([file, numbers]) => {
      const lines = rangesOf([...new Set(numbers)].sort((a, b) => a - b))
      const count = lines.reduce((sum, [from, to]) => sum + to - from + 1, 0)
      return {
        action: 'lines_erased',
        subjectType: 'event',
        subjectUid: of.eventUid,
        eventUid: of.eventUid,
        after: { file, lines, count, why, days, due },
      }
    }),
  )
}

/** Which files go with which kind of retention. */
const filesOf: Record<'messages' | 'event', readonly DataFile[]> = {
  messages: ['texts', 'messages'],
  event: ['people', 'texts', 'messages'],
}

/**
 * Erases from the log of an event what goes with `work`, which deletes rows of it: packed lines, words of managers, lines of the
 * record that it says no more, and additions. May be done in steps. Commits stay, so the log stays whole.
 */
export async function erasing<T>(
  tx: Tx,
  of: LogOf,
  { why, days }: { why: 'messages' | 'event'; days: number },
  work: () => Promise<T>,
): Promise<T> {
  const log = await queries.lockForm(tx, of)
  if (!log) return work()
  const before = await queries.listWholeAdditions(tx, of)
  const erased: Erased = {}
  for (const file of filesOf[why]) erased[file] = await withhold(tx, { ...of, files: [file] }, () => true)
  const [words, makers] = [await queries.deleteWords(tx, of), why === 'event' ? await queries.deleteMakers(tx, of) : []]
  erased.journal = [...words, ...makers]
  const done = await work()
  const stored = await queries.findStoredRecord(tx, of)
  erased.record = await withhold(tx, { ...of, files: ['record'] }, (line) => !isStillIn(stored, line))
  const after = new Set((await queries.listWholeAdditions(tx, of)).map(({ uid }) => uid))
  erased.entries = before.filter(({ uid }) => !after.has(uid)).map(({ n }) => n)
  await noteErased(tx, of, { why, days }, erased)
  return done
}

function isStillIn(stored: Parameters<typeof saysStill>[0] | null, line: string): boolean {
  return stored !== null && saysStill(stored, JSON.parse(line) as RecordLine)
}

/** Tiles read at one time. */
const tilesAtOnce = 64

/** Deletes the texts of packed lines. Returns the numbers of those that were there. */
async function withhold(
  tx: Tx,
  of: Parameters<typeof queries.listPacked>[1],
  isGone: (line: string) => boolean,
  onTile: (tile: queries.PackedLines, numbers: readonly number[]) => void = () => undefined,
): Promise<number[]> {
  const numbers: number[] = []
  let last: queries.PackedLines | undefined
  do {
    const tiles = await queries.listPacked(tx, of, last, tilesAtOnce)
    for (const tile of tiles) {
      const lines = await unpackLines(tile.lines)
      const gone = [...lines.keys()].filter((at) => !isWithheld(lines[at] as string) && isGone(lines[at] as string))
      if (gone.length === 0) continue
      await queries.saveLines(tx, tile, await withoutLines(lines, gone, tile.commits))
      const found = gone.map((at) => tile.idx * 256 + at + 1)
      numbers.push(...found)
      onTile(tile, found)
    }
    last = tiles.at(-1)
  } while (last)
  return numbers
}

async function withoutLines(lines: readonly string[], gone: readonly number[], commits: Buffer): Promise<Buffer> {
  const pieces = piecesOf(commits)
  const left = [...lines]
  for (const at of gone) left[at] = withheldLine('erased', pieces[at] as Buffer, pathOf(lines[at] as string))
  return packLines(left)
}

/** What a line of a record is about stays known here: its value is gone. */
const pathOf = (line: string): string | undefined => (JSON.parse(line) as { path?: string }).path

/** One person of an organisation, and what they are called afterwards. */
interface ErasingPerson {
  clientUid: ClientUid
  uid: PersonUid
  /** Finds their names in a text. A regular expression of PostgreSQL and of JavaScript. */
  pattern: string
  by: string
}

/**
 * Erases a person from all logs of the organisation while `work` erases them elsewhere: packed lines that name them by uid or by a
 * text that the pattern finds, words of managers that do, their names where entries say who made them, and additions that `work`
 * rewords.
 */
export async function erasingPerson(
  tx: Tx,
  { clientUid, uid, pattern, by }: ErasingPerson,
  work: () => Promise<void>,
): Promise<void> {
  await queries.lockErasing(tx, clientUid)
  const before = await queries.listWholeAdditions(tx, { clientUid })
  // the event's own message says which journals to look through, and `work` rewords it
  const reworded = await queries.rewordEntries(tx, clientUid, { pattern, by })
  const made = await queries.deleteMaker(tx, clientUid, { uid, pattern })
  await work()
  const after = new Set((await queries.listWholeAdditions(tx, { clientUid })).map((addition) => addition.uid))
  const logs = new Map<string, { of: LogOf; erased: Partial<Record<ErasableFile, number[]>> }>()
  const note = ({ eventUid }: LogOf, file: ErasableFile, numbers: readonly number[]) => {
    const log = logs.get(eventUid) ?? { of: { clientUid, eventUid }, erased: {} }
    logs.set(eventUid, log)
    log.erased[file] = [...(log.erased[file] ?? []), ...numbers]
  }
  for (const addition of before) if (!after.has(addition.uid)) note(addition, 'entries', [addition.n])
  for (const { n, ...of } of [...reworded, ...made]) note(of, 'journal', [n])
  const names = new RegExp(pattern, 'i')
  const isNaming = (text: string) => text.includes(uid) || names.test(text)
  await withhold(tx, { clientUid }, isNaming, (tile, numbers) => note(tile, tile.file, numbers))
  for (const { of, erased } of logs.values()) await noteErased(tx, of, { why: 'person', days: null }, erased)
}

/** Throws if the organisation has erased someone since then: what was packed may name them. */
export async function refuseErased(tx: Tx, clientUid: ClientUid, since: Date): Promise<void> {
  await queries.lockErasing(tx, clientUid)
  if (await queries.hasErasedSince(tx, clientUid, since)) throw new Error('Someone was erased meanwhile: pack again.')
}

/**
 * Deletes the rows of an event's journal, but for those by which the log tells of itself. First the log says so; then rows go in
 * steps of so many, and a run that was killed is gone on with. Returns the number of rows.
 */
export async function eraseJournal(
  system: Db,
  of: LogOf,
  { days, most }: { days: number; most: number },
): Promise<number> {
  await system.transaction().execute(async (tx) => {
    await queries.lockForm(tx, of)
    const told = await listCovering(tx, of)
    const rows = await queries.listPlainRows(tx, of)
    const journal = rows.filter((n) => !told.audit.some(([from, to]) => n >= from && n <= to))
    await noteErased(tx, of, { why: 'audit', days }, { journal })
  })
  let sum = 0
  for (;;) {
    const count = await system.transaction().execute(async (tx) => {
      const { audit } = await listCovering(tx, of)
      return queries.deleteRows(tx, of, audit, most)
    })
    sum += count
    if (count < most) return sum
  }
}

/** Forgets the secrets of events whose journal is gone. Run after rows of the journal were deleted. */
export const forgetSecrets = queries.dropSecrets
