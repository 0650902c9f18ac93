import { colourNames } from '#kernel/console-kinds.ts'
import * as limits from '#kernel/limits.ts'
import { moduleFlags } from '#kernel/vocabulary.ts'
import { mobileRule, readPhone } from '#server/platform/phones.ts'
import { longestText } from '../../columns.ts'
import { readDate } from './dates.ts'
import { codeColumnsOf, type NamedRow, type Problems } from './problems.ts'
import type { SourceRow } from './row-source.ts'

const longestName = 100
/** In the order of the flags, which is that of a stored role. */
export const modules = moduleFlags.map((flag) => flag.replace('Module_', ''))

/**
 * Reads the cells of a row. A bad cell is reported and read as empty, so that one run finds all bad cells. Nothing is
 * written if there is a problem.
 */
export class RowCells {
  readonly file: string
  readonly line: number
  /** The stored row that is meant, null for a new one, undefined for a row that its code alone identifies. */
  readonly uid: string | null | undefined
  readonly #cells: SourceRow['cells']
  readonly #problems: Problems

  constructor(row: SourceRow, problems: Problems) {
    this.file = row.file
    this.line = row.line
    this.uid = row.uid
    this.#cells = row.cells
    this.#problems = problems
  }

  problem(column: string, reason: string) {
    this.#problems.add(this.file, this.line, column, reason)
  }

  #hint(column: string, reason: string) {
    this.#problems.hints.push({ file: this.file, line: this.line, column, reason })
  }

  unknown(column: string, code: string, kind: Parameters<Problems['addUnknown']>[3]) {
    this.#problems.addUnknown(this, column, code, kind)
  }

  /** A problem with what cells name, which is left-out rows rather than the stored ones if there are such. */
  misfit(column: string, reason: string, named: readonly NamedRow[]) {
    this.#problems.addMisfit(this, column, reason, named)
  }

  /** The code was refused, so that other rows cannot name this one. */
  noteRefusedCode() {
    const code = codeColumnsOf(this.file).map((column) => this.plain(column))
    if (code.at(-1)) this.#problems.noteRefusedCode(this.file, code.join('/'))
  }

  /** True if the header has the column. */
  has(column: string): boolean {
    return column in this.#cells
  }

  /** Trimmed. '' if missing from the header, or if nothing in it can be seen. */
  plain(column: string): string {
    const text = (this.#cells[column] ?? '').trim()
    return looksEmpty.test(text) ? '' : text
  }

  /** One line of text, or ''. */
  text(column: string, longest = longestName): string {
    const text = this.plain(column).normalize('NFC')
    if (unprintable.test(text)) return this.#refuse(column, 'contains a line break or an unprintable character')
    if (text.length > longest) return this.#refuse(column, `is longer than ${longest} characters`)
    return text
  }

  required(column: string, longest = longestName): string {
    if (this.plain(column) === '') return this.#refuse(column, 'is empty')
    return this.text(column, longest)
  }

  /** First and last name. One of them is enough, and is kept as the last name. */
  names(): { firstName: string; lastName: string } {
    const isNamed = this.plain('first_name') !== '' || this.plain('last_name') !== ''
    if (!isNamed) this.problem('first_name', 'Enter a first name or a last name.')
    const [firstName, lastName] = [this.text('first_name'), this.text('last_name')]
    return lastName === '' ? { firstName: '', lastName: firstName } : { firstName, lastName }
  }

  /** Text of one or more lines, or ''. */
  lines(column: string): string {
    const text = this.plain(column).normalize('NFC')
    if (unprintable.test(text.replace(/[\n\t]/g, ' '))) return this.#refuse(column, 'contains an unprintable character')
    return text.length > longestText ? this.#refuse(column, `is longer than ${longestText} characters`) : text
  }

  /** The code of a place, without `/` and `;`, which separate codes in other files. */
  placeCode(column: string): string {
    const code = this.required(column)
    return /[/;]/.test(code) ? this.#refuse(column, "contains '/' or ';', which separate codes") : code
  }

  /** One of the words, ignoring case. An empty cell gives the fallback, or is a problem without one. */
  word<T extends string>(column: string, words: readonly T[], fallback?: NoInfer<T>): T {
    const text = this.plain(column)
    const word = words.find((candidate) => candidate.toLowerCase() === text.toLowerCase())
    if (word === undefined && (text !== '' || fallback === undefined))
      this.problem(column, text === '' ? 'is empty' : `is not one of ${words.join(', ')}`)
    return word ?? fallback ?? (words[0] as T)
  }

  yesNo(column: string, fallback: boolean): boolean {
    return this.word(column, ['yes', 'no'], fallback ? 'yes' : 'no') === 'yes'
  }

  integer(column: string): number {
    const text = this.required(column)
    if (text === '' || /^-?\d{1,4}$/.test(text)) return Number(text)
    this.problem(column, 'is not a whole number')
    return 0
  }

  /** A whole number, or null if empty. */
  count(column: string, fewest: number, most?: number): number | null {
    const text = this.plain(column)
    if (text === '') return null
    const number = Number(text)
    if (/^\d{1,7}$/.test(text) && number >= fewest && number <= (most ?? number)) return number
    this.problem(column, `is not a whole number ${most ? `from ${fewest} to ${most}` : `of ${fewest} or more`}`)
    return null
  }

  /** The times at which shifts begin, in their order: '07:00;15:00;23:00'. '' if empty. */
  shifts(column: string): string {
    const times = this.plain(column)
      .split(';')
      .map((time) => time.trim())
      .filter(Boolean)
    const areTimes = times.every((time) => /^([01]\d|2[0-3]):[0-5]\d$/.test(time))
    if (areTimes && times.length <= 24 && new Set(times).size === times.length) return times.toSorted().join(';')
    return this.#refuse(column, 'is not a list of different times such as 07:00;15:00;23:00')
  }

  /** `YYYY-MM-DD`, or `today`, `today+30`, `today-10` counted from the given day. Undefined if empty or bad. */
  date(column: string, today: string): string | undefined {
    const text = this.plain(column)
    if (text === '') return undefined
    const date = readDate(text, today)
    if (!date) this.problem(column, 'is not a date: write YYYY-MM-DD, or today, today+30, today-10')
    return date
  }

  /** A number that takes texts: digits with country code, or null. */
  mobile(column: string, country: string): string | null {
    const read = this.#phone(column, country)
    if (read && 'landline' in read)
      this.problem(column, 'is a landline, which takes no texts: enter it as the second number')
    return read && 'number' in read ? read.number : null
  }

  /** A number that rings: digits with country code, or null. */
  phone(column: string, country: string): string | null {
    const read = this.#phone(column, country)
    if (!read) return null
    return 'number' in read ? read.number : read.landline
  }

  #phone(column: string, country: string) {
    const text = this.plain(column)
    if (text === '') return undefined
    const read = readPhone(text, country)
    if (read && !('spoilt' in read)) {
      if (read.isFirstOfTwo) this.#hint(column, 'Two numbers: only the first is kept.')
      return read
    }
    this.problem(
      column,
      read
        ? `Excel has turned this number into ${read.spoilt}. Format the column as text and enter the number again.`
        : `cannot be read as a phone number: ${mobileRule(country)}, or +61…`,
    )
    return undefined
  }

  /** An email address, or null. ASCII only, so that upper and lower case match as in the database. */
  email(column: string): string | null {
    const text = this.plain(column)
      .replace(/\p{Cf}/gu, '')
      .replace(/^\s*mailto:\s*/i, '')
      .trim()
    if (text === '') return null
    return isEmail(text) ? text : this.#refuse(column, 'is not an email address') || null
  }

  /** So many email addresses at most, each once and on a line of its own, or ''. */
  emails(column: string, most: number): string {
    const words = this.plain(column)
      .replace(/\p{Cf}/gu, '')
      .split(/[\s,;]+/)
      .filter(Boolean)
    const once = [...new Map(words.map((word) => [word.toLowerCase(), word])).values()]
    if (!once.every(isEmail)) return this.#refuse(column, 'One of these is not an email address.')
    return once.length > most ? this.#refuse(column, `Enter ${most} email addresses at most.`) : once.join('\n')
  }

  /** A user name, or null. Without '@', which would make it an email address at sign-in. */
  username(column: string): string | null {
    const text = this.plain(column)
    if (text === '') return null
    const sane = /^[!-?A-~]{2,100}$/.test(text)
    return sane
      ? text
      : this.#refuse(column, "is not a user name: 2 to 100 of a-z, digits and signs, no '@', no space") || null
  }

  /** Untrimmed, or null. */
  password(column: string): string | null {
    const text = this.#cells[column] ?? ''
    if (text === '') return null
    const fewest = limits.passwordLength
    if (text.length < fewest) return this.#refuse(column, `is shorter than ${fewest} characters`) || null
    return text.length > 200 ? this.#refuse(column, 'is longer than 200 characters') || null : text
  }

  /** An IANA time zone, or the fallback. */
  timezone(column: string, fallback: string): string {
    const text = this.plain(column)
    if (text === '' || isTimezone(text)) return text || fallback
    this.problem(column, 'is not a time zone such as Australia/Sydney')
    return fallback
  }

  /** A name, or #rrggbb. */
  colour(column: string): string {
    const text = this.plain(column).toLowerCase()
    return /^#[0-9a-f]{6}$/.test(text) ? text : this.word(column, colourNames)
  }

  /** Sorted in the order of the flags, so that the order in the cell does not matter. */
  modules(column: string): string[] {
    const words = this.plain(column)
      .split(/[\s;,]+/)
      .filter(Boolean)
    const unknown = words.filter((word) => !modules.includes(word))
    if (unknown.length > 0) this.problem(column, `'${unknown[0]}' is not one of ${modules.join(' ')}`)
    return modules.filter((name) => words.includes(name))
  }

  /** An `https://` address, or null. */
  link(column: string): string | null {
    const text = this.text(column, longestText)
    if (text === '') return null
    const sane = URL.canParse(text) && /^https:\/\/[^/]/.test(text) && !/\s/.test(text)
    return sane ? text : this.#refuse(column, 'is not an https:// address') || null
  }

  #refuse(column: string, reason: string): '' {
    this.problem(column, reason)
    return ''
  }
}

const isEmail = (text: string) => text.length <= 254 && /^[!-?A-~]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/.test(text)

/** Control characters, including those that change the direction of text. */
const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

/** Spaces, format characters and fillers alone: the Hangul fillers are letters, and the empty Braille pattern is a sign. */
const looksEmpty = /^[\s\p{Cf}\p{DI}\u2800]+$/u

function isTimezone(name: string): boolean {
  return name === 'UTC' || (/^[A-Za-z_]+(\/[A-Za-z0-9_+-]+)+$/.test(name) && isKnownZone(name))
}

function isKnownZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}
