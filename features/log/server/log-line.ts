import { randomBytes } from 'node:crypto'
import type { JsonValue } from '#server/platform/db/tables.ts'
import { hmac } from '#server/platform/secrets.ts'
import { sha256 } from './merkle.ts'

/** The form of new lines. Lines that were made in an earlier form are made in it for ever. */
export const form = 2

/** What the log tells of itself. These entries name no person, and are erased only with the record. */
export const openActions = [
  'log_opened',
  'names_kept',
  'people_packed',
  'lines_erased',
  'service_gap',
  'record_closed',
  'log_form',
  'log_moved',
  'log_broken',
] as const
export const isOpen = (action: string) => openActions.some((one) => one === action)
const openSalt = 'open'

/** A sealed row of the journal. Times are UTC with microseconds. */
export interface JournalRow {
  position: number
  recordedAt: string
  observedAt: string | null
  action: string
  subjectType: string
  subject: string
  actor: string | null
  signIn: string | null
  session: string | null
  before: JsonValue
  after: JsonValue
}

/** 22 characters. Only who knows the event's secret can make it. */
export function saltOf(secret: Buffer, n: number): string {
  const number = Buffer.alloc(8)
  number.writeBigUInt64BE(BigInt(n))
  return hmac(secret, number).slice(0, 22)
}

/** What the lines of a log are made of. */
export interface LineForm {
  /** Null: it went with the last row that needed it. */
  saltSecret: Buffer | null
  /** The first entry whose line is of version 2. Null: there is none. */
  formFrom: number | null
}

/** Line n of the log, n from 1. Null: it cannot be made any more, because its secret is gone. */
export function journalLine({ saltSecret, formFrom }: LineForm, n: number, row: JournalRow): string | null {
  const v = formFrom !== null && n >= formFrom ? form : 1
  const isSaltless = v === form && isOpen(row.action)
  if (!isSaltless && saltSecret === null) return null
  return saltedLine(isSaltless ? openSalt : saltOf(saltSecret as Buffer, n), {
    v,
    n,
    position: row.position,
    recorded_at: row.recordedAt,
    observed_at: row.observedAt,
    action: row.action,
    subject_type: row.subjectType,
    subject: row.subject,
    actor: row.actor,
    sign_in: row.signIn,
    session: row.session,
    before: sorted(row.before),
    after: sorted(row.after),
  })
}

/** A line that no one can guess from its commit. The fields stay in their order. */
export const saltedLine = (salt: string, fields: Record<string, JsonValue>): string =>
  JSON.stringify({ salt, ...fields })

/** What stands for a line in the log. 32 bytes. */
export const commitOf = (line: string): Buffer => sha256(line)

/** An addition in entries.ndjson. Its commit stands in its journal entry, in base64, as `after.commit`. */
export const additionLine = (salt: string, fields: Record<string, JsonValue>): string =>
  saltedLine(salt, sorted(fields))

/** Lines of a data file from number `first` on, each with a salt of its own. `line`: an object as JSON. */
export function dataLines(rows: readonly { line: string }[], first: number): string[] {
  const salts = randomBytes(rows.length * saltBytes)
  return rows.map(({ line }, at) => {
    const salt = salts.toString('base64url', at * saltBytes, (at + 1) * saltBytes)
    return `{"salt":"${salt}","v":${form},"n":${first + at},${line.slice(1)}`
  })
}

const saltBytes = 16
/** 22 random characters. */
export const newSalt = (): string => randomBytes(saltBytes).toString('base64url')

/** What stands in place of a line whose text is gone, or beyond the reader's reach. Its path is kept here and never exported. */
export const withheldLine = (reason: Withheld, commit: Buffer, path?: string): string =>
  JSON.stringify({ withheld: reason, commit: commit.toString('base64'), path })

export const isWithheld = (line: string) => line.startsWith('{"withheld":')

/** Erased, as an entry says; beyond the reader's reach; or gone, and no entry says why. */
export type Withheld = 'erased' | 'not in your area' | 'missing'

/** The same value with the keys of all objects in order of their UTF-16 code units. */
function sorted<T extends JsonValue>(value: T): T
function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key] ?? null)]),
  )
}
