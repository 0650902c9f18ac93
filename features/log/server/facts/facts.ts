import { type SafetyStatus, safetyStatuses } from '#kernel/vocabulary.ts'
import type { JsonObject } from '#server/platform/db/tables.ts'
import type { JournalRow } from '../log-line.ts'
import { ownActions } from '../sealing.queries.ts'

/** Bytes of an entry. */
export const factLength = 32

/** A status of a person, as the sealer packs it. A uid is its last bytes as a number. Times are microseconds since 1970. */
export interface PackedFact {
  subject: number
  /** Null: none is told. */
  place: number | null
  /** The participation. Null: none. */
  actor: number | null
  byPhone: boolean
  recorded: number
  seen: number | null
  status: SafetyStatus | null
  takesEffect: boolean
  stays: boolean
}

/** An entry that the log wrote of itself stands in it at another place than in the journal. It does not count. */
const kinds = { row: 0, status: 1, own: 2 }
const bits = { takesEffect: 4, stays: 8, byPhone: 16, actor: 32, place: 64, seen: 128 }
/** Of a status, from 1. */
const codes = new Map<string, number>(safetyStatuses.map((status, nth) => [status, nth + 1]))
const at = { kind: 0, flags: 1, subject: 2, place: 8, actor: 13, recorded: 18, seen: 25 }
const [subjectBytes, placeBytes, timeBytes] = [6, 5, 7]

/** The numbers that stand for uids: of a person, and of a place or participation. */
export const subjectKey = (uid: string) => Number.parseInt(uid.slice(-subjectBytes * 2), 16)
export const placeKey = (uid: string) => Number.parseInt(uid.slice(-placeBytes * 2), 16)

/** The facts of rows, in their order. Of an entry of another kind they say that it is read as a row. */
export function packFacts(rows: readonly JournalRow[]): Buffer {
  const facts = Buffer.alloc(rows.length * factLength)
  for (const [nth, row] of rows.entries()) pack(facts.subarray(nth * factLength, (nth + 1) * factLength), row)
  return facts
}

/** What cannot be packed is read as a row, too: sealing never fails for it. */
function pack(to: Buffer, row: JournalRow): void {
  if (ownActions.some((one) => one === row.action)) to[at.kind] = kinds.own
  // who joins the event has no status before
  if (row.action !== 'evacuee_status_set' || row.before === null) return
  const after = (row.after ?? {}) as JsonObject
  const place = after.floor_uid ?? after.building_uid ?? null
  const subject = subjectKey(row.subject)
  const placed = place === null ? 0 : placeKey(String(place))
  const actor = row.signIn === null ? 0 : placeKey(row.signIn)
  const recorded = microsecondsOf(row.recordedAt)
  const seen = row.observedAt === null ? 0 : microsecondsOf(row.observedAt)
  if (![subject, placed, actor, recorded, seen].every((one) => Number.isSafeInteger(one) && one >= 0)) return
  let flags = codes.get(String(after.status)) ?? 0
  if (!isTrue(after.superseded) && !isTrue(after.overruled)) flags |= bits.takesEffect
  if (isTrue(after.stays)) flags |= bits.stays
  if (row.session !== null) flags |= bits.byPhone
  if (row.signIn !== null) flags |= bits.actor
  if (place !== null) flags |= bits.place
  if (row.observedAt !== null) flags |= bits.seen
  to[at.kind] = kinds.status
  to[at.flags] = flags
  to.writeUIntBE(subject, at.subject, subjectBytes)
  to.writeUIntBE(placed, at.place, placeBytes)
  to.writeUIntBE(actor, at.actor, placeBytes)
  writeTime(to, at.recorded, recorded)
  writeTime(to, at.seen, seen)
}

const isTrue = (value: unknown) => value === true || value === 'true'

/** Null: the entry does not count. */
export function factAt(facts: Buffer, nth: number): PackedFact | 'row' | null {
  const from = nth * factLength
  if (facts[from] === kinds.row) return 'row'
  if (facts[from] === kinds.own) return null
  const flags = facts[from + at.flags] ?? 0
  const has = (bit: number) => (flags & bit) !== 0
  return {
    subject: facts.readUIntBE(from + at.subject, subjectBytes),
    place: has(bits.place) ? facts.readUIntBE(from + at.place, placeBytes) : null,
    actor: has(bits.actor) ? facts.readUIntBE(from + at.actor, placeBytes) : null,
    byPhone: has(bits.byPhone),
    recorded: readTime(facts, from + at.recorded),
    seen: has(bits.seen) ? readTime(facts, from + at.seen) : null,
    status: safetyStatuses[(flags & 3) - 1] ?? null,
    takesEffect: has(bits.takesEffect),
    stays: has(bits.stays),
  }
}

/** How many of the entries are read as rows. */
export function countRows(facts: Buffer): number {
  let rows = 0
  for (let from = 0; from < facts.length; from += factLength) if (facts[from] === kinds.row) rows++
  return rows
}

/** A time as the sealer reads it: '2026-11-28T14:31:16.123456Z'. */
const microsecondsOf = (time: string) => Date.parse(`${time.slice(0, 19)}Z`) * 1000 + Number(time.slice(20, 26))

function writeTime(to: Buffer, offset: number, microseconds: number): void {
  to[offset] = Math.floor(microseconds / 2 ** 48)
  to.writeUIntBE(microseconds % 2 ** 48, offset + 1, timeBytes - 1)
}

const readTime = (facts: Buffer, offset: number) =>
  (facts[offset] ?? 0) * 2 ** 48 + facts.readUIntBE(offset + 1, timeBytes - 1)
