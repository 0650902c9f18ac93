import { describeProblem, type ImportProblem } from './files/problems.ts'
import type { Listing, RowChange } from './preview.ts'

export interface FileChanges {
  file: string
  created: number
  updated: number
  unchanged: number
  ended: number
  /** Each row, for a dry run. */
  lists?: Record<'added' | 'changed' | 'ended', Listing>
}

export type DifferenceKind = 'added' | 'changed' | 'ended' | 'left'
export type DifferenceRow = RowChange & { file: string; kind: DifferenceKind }

/** The rows of a difference, in the order of writing. */
export function* changedRows(files: readonly FileChanges[]): Generator<DifferenceRow> {
  for (const { file, lists } of files)
    for (const kind of ['added', 'changed', 'ended'] as const)
      for (let n = 0; n < (lists?.[kind].count ?? 0); n++)
        yield { file, kind, ...(lists?.[kind].change(n) as RowChange) }
}

export interface ImportReport {
  organisation: string
  dryRun: boolean
  /** With any error nothing was written. */
  errors: ImportProblem[]
  /** Reasons why the operator must confirm the import. With any, nothing was written. A dry run shows them. */
  refused: string[]
  /** What was left unchanged on purpose. */
  notes: ImportProblem[]
  /** Cells that are read otherwise than they may be meant. */
  hints: ImportProblem[]
  files: FileChanges[]
  /** Code and name of wardens of the files who cannot sign in. */
  cannotSignIn: string[]
}

export const emptyReport = (organisation: string, dryRun: boolean): ImportReport => ({
  organisation,
  dryRun,
  errors: [],
  refused: [],
  notes: [],
  hints: [],
  files: [],
  cannotSignIn: [],
})

/** Counts committed changes of all attempts. */
export class DoneChanges {
  readonly #counts = new Map<string, { created: number; updated: number; ended: number }>()

  add = (file: string, kind: 'created' | 'updated' | 'ended', rows: number) => {
    const counts = this.#counts.get(file) ?? { created: 0, updated: 0, ended: 0 }
    counts[kind] += rows
    this.#counts.set(file, counts)
  }

  changes(files: readonly FileChanges[]): FileChanges[] {
    return files.map(({ file, created, updated, unchanged }) => {
      const done = this.#counts.get(file) ?? { created: 0, updated: 0, ended: 0 }
      return { file, ...done, unchanged: created + updated + unchanged - done.created - done.updated }
    })
  }
}

const mostErrors = 100
/** Rows per kind that a dry run lists without --all. */
const mostRows = 20

/** The report for the operator. */
export function describeReport(report: ImportReport, { all = false } = {}): string {
  const { organisation, dryRun, errors, notes, hints, files, refused, cannotSignIn } = report
  if (errors.length > 0) return describeErrors(errors)
  if (refused.length > 0 && !dryRun) return [...refused, 'Nothing was written.'].join('\n')
  const title = dryRun ? `${organisation}: what the import would change` : `${organisation} imported`
  const lines = [title, '', ...table(files)]
  if (dryRun) lines.push(...files.flatMap((file) => describeRows(file, all ? Number.POSITIVE_INFINITY : mostRows)))
  if (hints.length > 0) lines.push('', 'Please check:', ...shorten(hints.map(describeProblem), mostErrors))
  if (notes.length > 0) lines.push('', 'Left unchanged:', ...shorten(notes.map(describeProblem), mostErrors))
  if (cannotSignIn.length > 0)
    lines.push(
      '',
      'Wardens who cannot sign in, because they have no password and cannot be sent a link:',
      // Nightly imports are logged, and logs contain no names
      ...shorten(
        cannotSignIn.map((person) => `  ${dryRun ? person : person.split(' ')[0]}`),
        all ? Number.POSITIVE_INFINITY : mostRows,
      ),
    )
  if (refused.length > 0) lines.push('', 'The import would be rejected:', ...refused)
  return lines.join('\n')
}

const shorten = (lines: readonly string[], most: number) =>
  lines.length <= most ? lines : [...lines.slice(0, most), `… and ${count(lines.length - most)} more.`]

function describeRows({ file, lists }: FileChanges, most: number): string[] {
  return Object.entries(lists ?? {}).flatMap(([kind, { count: rows, describe }]) => {
    if (rows === 0) return []
    const shown = Array.from({ length: Math.min(rows, most) }, (_, n) => `  ${describe(n)}`)
    const more = rows > most ? [`  … and ${count(rows - most)} more: --all`] : []
    return ['', `${file}, ${kind}:`, ...shown, ...more]
  })
}

function describeErrors(errors: readonly ImportProblem[]): string {
  const summary =
    errors.length === 1 ? '1 error. Nothing was written.' : `${count(errors.length)} errors. Nothing was written.`
  return [...shorten(errors.map(describeProblem), mostErrors), '', summary].join('\n')
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
