import { describeProblem, type ImportProblem } from './files/problems.ts'

export interface FileChanges {
  file: string
  created: number
  updated: number
  unchanged: number
  ended: number
}

export interface ImportReport {
  organisation: string
  dryRun: boolean
  /** Any error: nothing was written. */
  errors: ImportProblem[]
  /** What was left as it is on purpose. */
  notes: ImportProblem[]
  files: FileChanges[]
}

const mostErrors = 100

/** What an operator reads after a run. */
export function describeReport({ organisation, dryRun, errors, notes, files }: ImportReport): string {
  if (errors.length > 0) return describeErrors(errors)
  const title = dryRun ? `${organisation}: what an import would change` : `${organisation} imported`
  const lines = [title, '', ...table(files)]
  if (notes.length > 0) lines.push('', 'Left as it is:', ...notes.slice(0, mostErrors).map(describeProblem))
  if (notes.length > mostErrors) lines.push(`… and ${count(notes.length - mostErrors)} more.`)
  return lines.join('\n')
}

function describeErrors(errors: readonly ImportProblem[]): string {
  const lines = errors.slice(0, mostErrors).map(describeProblem)
  if (errors.length > mostErrors) lines.push(`… and ${count(errors.length - mostErrors)} more.`)
  const summary =
    errors.length === 1 ? '1 error. Nothing was written.' : `${count(errors.length)} errors. Nothing was written.`
  return [...lines, '', summary].join('\n')
}

function table(files: readonly FileChanges[]): string[] {
  const rows = [
    ['', 'created', 'updated', 'unchanged', 'ended'],
    ...files.map((f) => [f.file, count(f.created), count(f.updated), count(f.unchanged), count(f.ended)]),
  ]
  const widths = [0, 1, 2, 3, 4].map((i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)))
  return rows.map((row) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  '),
  )
}

const count = (n: number) => n.toLocaleString('en')
