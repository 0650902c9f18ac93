import { directoryFiles, type FileFormat } from './directory-files.ts'

/** What is wrong with a cell. `line` is the physical line of the file where the row begins; 0 means the file itself. */
export interface ImportProblem {
  file: string
  line: number
  column: string
  /** Never quotes a name, a number, a password or a plan: these lines end up in logs (AMB-153). */
  reason: string
}

/** Every bad cell of a run, in the order the files are read. */
export class Problems {
  readonly list: ImportProblem[] = []
  readonly #incomplete = new Set<string>()

  /** By file, line and column: what is found later about an earlier row stands beside it. */
  inOrder(): ImportProblem[] {
    return this.list.toSorted(
      (a, b) => fileNames.indexOf(a.file) - fileNames.indexOf(b.file) || a.line - b.line || columnOf(a) - columnOf(b),
    )
  }

  /** Rows of the file are missing: what other files say of them cannot be judged. */
  addUnreadable(file: string, line: number, column: string, reason: string) {
    this.#incomplete.add(file)
    this.add(file, line, column, reason)
  }

  /** A cell names what the file should hold and does not. */
  addUnknown(row: { file: string; line: number }, column: string, code: string, kind: keyof typeof homes) {
    if (this.#incomplete.has(homes[kind])) return
    // columns in another order than their header: what should be a code may be a plan
    const isPlan = row.file === directoryFiles.peeps.file
    this.add(row.file, row.line, column, isPlan ? `is no ${kind}` : `'${code}' is no ${kind}`)
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
