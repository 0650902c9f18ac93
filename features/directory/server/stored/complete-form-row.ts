import { Refusal } from '#server/platform/errors.ts'
import type { DirectoryFile } from '../../columns.ts'
import type { Coded, Known } from '../files/code-index.ts'
import { directoryFiles } from '../files/directory-files.ts'
import type { Problems } from '../files/problems.ts'
import type { Cells, RowsByFile, SourceRow } from '../files/row-source.ts'
import type { FormRow, FormRows } from './referenced-rows.ts'
import { organisationCells, StoredCells } from './row-to-cells.ts'
import type { Stored } from './stored-rows.ts'
import { type HeldRow, type TargetName, targets } from './write.queries.ts'

/**
 * Rows of a form with the cells that they leave out: those of the stored row, or empty ones of a new row. So the readers
 * see whole rows, and check what changes together with what stands. Throws `not_found` for an unknown uid.
 */
export function completeRows(stored: Stored, rows: FormRows, problems: Problems): RowsByFile {
  const completing = new Completing(stored, problems)
  const all = Object.entries(rows).map(([file, list]) => {
    const complete = list.map((row, n) => completing.row(file as DirectoryFile, row, n + 1))
    return [file, complete]
  })
  return Object.fromEntries(all)
}

export const targetOf = Object.fromEntries(
  Object.entries(targets).map(([target, { file }]) => [file, target]),
) as Partial<Record<DirectoryFile, TargetName>>

class Completing {
  readonly #stored: Stored
  readonly #problems: Problems
  readonly #cells: StoredCells

  constructor(stored: Stored, problems: Problems) {
    this.#stored = stored
    this.#problems = problems
    this.#cells = StoredCells.of(stored.held)
  }

  row(file: DirectoryFile, { uid, ...form }: FormRow, line: number): SourceRow {
    const { file: name, columns } = directoryFiles[file]
    const given = Object.fromEntries(Object.entries(form).filter(([, cell]) => typeof cell === 'string')) as Cells
    for (const column of Object.keys(given))
      if (!columns.includes(column)) throw new Error(`${column} is not a column of ${name}`)
    const empty = Object.fromEntries(columns.map((column) => [column, '']))
    if (file === 'assignments')
      return { file: name, line, cells: { ...(this.#assignment(uid) ?? empty), ...given }, uid: uid ?? null }
    const before = this.#held(file, { uid, given })
    const cells = before ? { ...before.cells, ...fitKind(before.cells, given) } : { ...empty, ...given }
    const row = { file: name, line, cells }
    this.#claimCode(file, row, uid, before)
    return row
  }

  #assignment(uid: FormRow['uid']) {
    if (!uid) return undefined
    const found = this.#stored.assignments.find((assignment) => assignment.uid === uid)
    if (!found) throw new Refusal('not_found')
    return this.#cells.assignment(found)
  }

  /** The stored row: by uid, else by code. */
  #held(file: DirectoryFile, { uid, given }: { uid: FormRow['uid']; given: Cells }) {
    const { client } = this.#stored
    if (file === 'organisation')
      return client && { uid: client.uid, key: client.code, cells: organisationCells(client) }
    const name = targetOf[file]
    if (!name) return undefined
    const held = this.#stored.held[name] as ReadonlyMap<string, HeldRow<TargetName>>
    const found = typeof uid === 'string' ? held.get(uid) : uid === null ? undefined : this.#byCode(file, given)
    if (typeof uid === 'string' && !found) throw new Refusal('not_found')
    if (!found) return undefined
    const cells = this.#cells.row(name, found)
    return { uid: found.uid, key: keyOf(file, cells), cells }
  }

  #byCode(file: DirectoryFile, given: Cells) {
    const key = keyOf(file, given)
    const held = this.#stored.held
    const name = targetOf[file]
    const entry = name && (this.#known(file)?.get(key) as Coded | undefined)
    return entry && (held[name] as ReadonlyMap<string, HeldRow<TargetName>>).get(entry.uid)
  }

  /** A stored row may take another code, a new one needs a free one. */
  #claimCode(file: DirectoryFile, { cells, line, file: name }: SourceRow, uid: FormRow['uid'], before?: Before) {
    const known = this.#known(file)
    const key = keyOf(file, cells)
    if (!known || key === before?.key || key === '') return
    if (known.has(key) && (before || uid === null)) this.#problems.add(name, line, 'code', 'is already in use')
    else if (before) {
      const entry = known.get(before.key)
      known.delete(before.key)
      if (entry) known.set(key, { ...entry, code: cells.code ?? '' })
    }
  }

  #known(file: DirectoryFile): Map<string, Coded> | undefined {
    return file === 'organisation' || file === 'assignments'
      ? undefined
      : (this.#stored.known[file as keyof Omit<Known, 'client'>] as Map<string, Coded>)
  }
}

interface Before {
  key: string
}

/** How `Known` names the row. */
export function keyOf(file: DirectoryFile, { code = '', building = '', person = '' }: Cells): string {
  const [own, place] = [code.trim(), building.trim()]
  if (file === 'peeps') return person.trim()
  return file === 'floors' && own !== '' ? `${place}/${own}` : own
}

/** Who becomes staff has no day of visit any more. */
const fitKind = (before: Cells, given: Cells): Cells =>
  before.kind === 'visitor' && given.kind === 'staff' ? { visit_date: '', ...given } : given
