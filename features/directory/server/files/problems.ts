import { oneName } from '#kernel/name-fold.ts'
import { directoryFiles, type FileFormat } from './directory-files.ts'

/** A problem of a cell. `line` is the physical line where the row begins, or 0 for the file itself. */
export interface ImportProblem {
  file: string
  line: number
  column: string
  /** Never quotes a name, a number, a password or a PEEP, because these lines are logged. */
  reason: string
}

/** Rows that are left out: nothing more is wrong with them. */
export interface LeftOut {
  has(row: { file: string; line: number }): boolean
  /** The line of the one with this code (`BUILDING/FLOOR`, `PERSON/ROLE/SITE`), if there is one. */
  lineOf(file: string, code: string): number | undefined
}

/** What other rows name a row of a file by. */
export const codeColumnsOf = (file: string): readonly string[] => codeColumns[file] ?? ['code']
const codeColumns: Record<string, readonly string[]> = {
  'floors.csv': ['building', 'code'],
  'assignments.csv': ['person', 'role', 'site'],
}

/** A row that a cell names: the stored one if it has no line. */
export interface NamedRow {
  column: string
  kind: keyof typeof homes
  code: string
  line: number | undefined
}

/** All bad cells of a run, in reading order. */
export class Problems {
  readonly list: ImportProblem[] = []
  /** Cells that are read otherwise than they may be meant. They keep nothing back. */
  readonly hints: ImportProblem[] = []
  readonly #incomplete = new Set<string>()
  readonly #badRows = new Set<string>()
  readonly #refusedCodes = new Set<string>()
  readonly #unfound = new Set<string>()
  readonly #leftOut: LeftOut | undefined
  #areOfRows = true

  constructor(leftOut?: LeftOut) {
    this.#leftOut = leftOut
  }

  /** True if each is one of a row, without which the others can be read. */
  get areOfRows(): boolean {
    return this.#areOfRows && this.list.every(({ line }) => line > 0)
  }

  /** Sorted by file, line and column, because some problems of a row are found later. */
  inOrder = (): ImportProblem[] => inOrder(this.list)

  /** Marks a file as incomplete. References to its rows are then not checked. */
  addUnreadable(file: string, line: number, column: string, reason: string) {
    this.#areOfRows = false
    this.addUnreadableRow(file, line, column, reason)
  }

  /** The same for a row, without which the file can be read. */
  addUnreadableRow(file: string, line: number, column: string, reason: string) {
    if (this.#leftOut?.has({ file, line })) return
    this.#incomplete.add(file)
    this.add(file, line, column, reason)
  }

  /** Reports a reference to a row that the file does not have. */
  addUnknown(row: { file: string; line: number }, column: string, code: string, kind: keyof typeof homes) {
    const home = homes[kind]
    if (this.#incomplete.has(home) || this.#refusedCodes.has(`${home} ${oneName(code)}`)) return
    this.#addUnfound(row, column, code, kind)
  }

  /** A row without a code that others could name it by. What names it is judged once it is left out. */
  noteRefusedCode(file: string, code: string) {
    this.#refusedCodes.add(`${file} ${oneName(code)}`)
  }

  /**
   * Reports what does not fit the rows that the cells of a row name. Where the file has such a row and it is left out,
   * that is the reason. Where it is still to be left out, the row is judged after that.
   */
  addMisfit(row: { file: string; line: number }, column: string, reason: string, named: readonly NamedRow[]) {
    if (named.some(({ kind, line }) => line !== undefined && this.#badRows.has(`${homes[kind]} ${line}`))) return
    const cause = named.find(({ kind, code, line }) => line === undefined && this.lineLeftOut(homes[kind], code))
    if (cause) this.#addUnfound(row, cause.column, cause.code, cause.kind)
    else this.add(row.file, row.line, column, reason)
  }

  #addUnfound(row: { file: string; line: number }, column: string, code: string, kind: keyof typeof homes) {
    const home = homes[kind]
    // if columns are not in the order of the header, the code may be the text of a PEEP
    const what = row.file === directoryFiles.peeps.file ? '' : `'${code}' `
    const leftOut = this.lineLeftOut(home, code)
    const why = leftOut === undefined ? `is not a known ${kind}` : `is on line ${leftOut} of ${home}, which is left out`
    // several misfits of a row may have one cause
    const key = `${row.file} ${row.line} ${column} ${home} ${code}`
    if (!this.#unfound.has(key)) this.add(row.file, row.line, column, `${what}${why}`)
    this.#unfound.add(key)
  }

  /** The line of the row with this code that is left out, if there is one. */
  lineLeftOut = (file: string, code: string) => this.#leftOut?.lineOf(file, code)

  add(file: string, line: number, column: string, reason: string) {
    if (this.#leftOut?.has({ file, line })) return
    this.list.push({ file, line, column, reason })
    this.#badRows.add(`${file} ${line}`)
  }
}

export const inOrder = (problems: readonly ImportProblem[]): ImportProblem[] =>
  problems.toSorted(
    (a, b) => fileNames.indexOf(a.file) - fileNames.indexOf(b.file) || a.line - b.line || columnOf(a) - columnOf(b),
  )

const homes = {
  site: 'sites.csv',
  building: 'buildings.csv',
  floor: 'floors.csv',
  role: 'roles.csv',
  person: 'people.csv',
  group: 'groups.csv',
} as const

const formats: FileFormat[] = Object.values(directoryFiles)
const fileNames = formats.map(({ file }) => file)

function columnOf({ file, column }: ImportProblem): number {
  return formats.find((format) => format.file === file)?.columns.indexOf(column) ?? -1
}

export function describeProblem({ file, line, column, reason }: ImportProblem): string {
  const place = [file, line > 0 && `line ${line}`, column && `column ${column}`].filter(Boolean)
  return `${place.join(', ')}: ${reason}`
}

/** 'Email is not an email address': a problem without its place. A reason with a capital letter is a sentence by itself. */
export function describeReason({ column, reason }: ImportProblem): string {
  if (/^[A-Z]/.test(reason)) return reason
  const name = column === 'timezone' ? 'time zone' : column.replaceAll('_', ' ')
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${reason}`
}
