import { directoryFiles, type FileFormat } from './directory-files.ts'

/** A problem of a cell. `line` is the physical line where the row begins, or 0 for the file itself. */
export interface ImportProblem {
  file: string
  line: number
  column: string
  /** Never quotes a name, a number, a password or a PEEP, because these lines are logged. */
  reason: string
}

/** All bad cells of a run, in reading order. */
export class Problems {
  readonly list: ImportProblem[] = []
  readonly #incomplete = new Set<string>()

  /** Sorted by file, line and column, because some problems of a row are found later. */
  inOrder(): ImportProblem[] {
    return this.list.toSorted(
      (a, b) => fileNames.indexOf(a.file) - fileNames.indexOf(b.file) || a.line - b.line || columnOf(a) - columnOf(b),
    )
  }

  /** Marks a file as incomplete. References to its rows are then not checked. */
  addUnreadable(file: string, line: number, column: string, reason: string) {
    this.#incomplete.add(file)
    this.add(file, line, column, reason)
  }

  /** Reports a reference to a row that the file does not have. */
  addUnknown(row: { file: string; line: number }, column: string, code: string, kind: keyof typeof homes) {
    if (this.#incomplete.has(homes[kind])) return
    // if columns are not in the order of the header, the code may be the text of a PEEP
    const isPlan = row.file === directoryFiles.peeps.file
    this.add(row.file, row.line, column, isPlan ? `is not a known ${kind}` : `'${code}' is not a known ${kind}`)
  }

  add(file: string, line: number, column: string, reason: string) {
    this.list.push({ file, line, column, reason })
  }
}

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

/** Words of a column at the head of a sentence. */
const columnWords: Record<string, string> = { email: 'Email', timezone: 'Time zone' }

/** 'Email is not an email address': a problem without its place. A reason with a capital letter is a sentence by itself. */
export function describeReason({ column, reason }: ImportProblem): string {
  if (/^[A-Z]/.test(reason)) return reason
  const words = columnWords[column] ?? `${column.charAt(0).toUpperCase()}${column.slice(1).replaceAll('_', ' ')}`
  return `${words} ${reason}`
}
