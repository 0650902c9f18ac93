import { oneName } from '#kernel/name-fold.ts'
import { reasonHeading } from '../files/csv-folder.ts'
import { directoryFiles } from '../files/directory-files.ts'
import { codeColumnsOf, type ImportProblem, inOrder, type LeftOut } from '../files/problems.ts'
import type { RowSource } from '../files/row-source.ts'

interface Row {
  file: string
  line: number
}

/** What was wrong with a row that is left out. The first problem of a row has its cells. None of a plan. */
export type ToldProblem = ImportProblem & { cells?: readonly string[] }

/** The rows of a file that are left out. Their number, and the headings above the cells that are kept. */
export interface LeftOutOf {
  file: string
  rows: number
  headings: readonly string[]
}

/** Rows that are left out, so that the others can be brought in. */
export class LeftOutRows implements LeftOut {
  readonly #problems: ImportProblem[] = []
  readonly #lines = new Map<string, Set<number>>()
  readonly #cells = new Map<string, readonly string[]>()
  readonly #headings = new Map<string, readonly string[]>()
  readonly #codes = new Map<string, number>()
  /** Rows of the last reading that are not left out. */
  others = 0

  constructor(rows: readonly Row[] = []) {
    for (const row of rows) this.#add(row)
  }

  #add({ file, line }: Row) {
    this.#lines.set(file, (this.#lines.get(file) ?? new Set()).add(line))
  }

  leave(problems: readonly ImportProblem[]) {
    this.#problems.push(...problems)
    for (const problem of problems) this.#add(problem)
  }

  has = ({ file, line }: Row) => this.#lines.get(file)?.has(line) ?? false
  lineOf = (file: string, code: string) => this.#codes.get(`${file} ${oneName(code)}`)

  /** Keeps the cells of a row that is left out, without the reasons of the time before. */
  keep = (row: Row, cells: readonly string[], header: readonly string[]) => {
    const { file, line } = row
    if (!this.has(row)) return
    this.#codes.set(`${file} ${oneName(codeOf(file, cells, header))}`, line)
    if (file === directoryFiles.peeps.file) return
    this.#headings.set(file, withoutReasons(header, header))
    // the database stores no zero
    this.#cells.set(
      `${file} ${line}`,
      withoutReasons(cells, header).map((cell) => cell.replaceAll('\0', '')),
    )
  }

  /** The source without them. */
  without = (source: RowSource): RowSource => ({
    ...source,
    rows: (format, problems) => this.#without(source.rows(format, problems)),
  })

  async *#without(rows: ReturnType<RowSource['rows']>) {
    for await (const row of rows) {
      if (this.has(row)) continue
      this.others++
      yield row
    }
  }

  get problems(): ToldProblem[] {
    const told = new Set<string>()
    return inOrder(this.#problems).map((problem) => {
      const key = `${problem.file} ${problem.line}`
      const cells = told.has(key) ? undefined : this.#cells.get(key)
      told.add(key)
      return cells ? { ...problem, cells } : problem
    })
  }

  get files(): LeftOutOf[] {
    return [...this.#lines].map(([file, { size }]) => ({
      file,
      rows: size,
      headings: this.#headings.get(file) ?? [],
    }))
  }
}

/** What other rows name the row by. */
function codeOf(file: string, cells: readonly string[], header: readonly string[]): string {
  return codeColumnsOf(file)
    .map((column) => cells[header.indexOf(column)]?.trim() ?? '')
    .join('/')
}

const withoutReasons = (cells: readonly string[], header: readonly string[]) =>
  cells.filter((_, n) => header[n] !== reasonHeading)
