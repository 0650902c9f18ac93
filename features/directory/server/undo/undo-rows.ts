import type { DirectoryFile } from '../../columns.ts'
import type { Coded, Known } from '../files/code-index.ts'
import { directoryFiles } from '../files/directory-files.ts'
import type { Cells } from '../files/row-source.ts'
import type { CellChange } from '../preview.ts'
import { keyOf, targetOf } from '../stored/complete-form-row.ts'
import type { ExistingAssignment } from '../stored/load-code-index.queries.ts'
import type { FormRow, FormRows } from '../stored/referenced-rows.ts'
import { organisationCells, StoredCells } from '../stored/row-to-cells.ts'
import type { Stored } from '../stored/stored-rows.ts'
import type { HeldRow, TargetName } from '../stored/write.queries.ts'

/** A row of the difference that was applied. */
export interface AppliedRow {
  file: string
  kind: 'added' | 'changed' | 'ended'
  line: number | null
  title: string
  /** The uid of the stored row. Null for a new one, which its cells name. Of plans and accounts the code of the person. */
  key: string | null
  cells: readonly CellChange[]
}

export interface ChosenRow {
  row: FormRow
  of: AppliedRow
}

export interface Chosen {
  rows: Map<DirectoryFile, ChosenRow[]>
  /** Added sites, buildings and floors, which are retired once no one is there. */
  places: { uid: string; of: AppliedRow }[]
  plans: { personUid: string; of: AppliedRow }[]
  /** Rows that stay as they are, and why. */
  left: Map<AppliedRow, string>
}

export const formsOf = ({ rows }: Pick<Chosen, 'rows'>): FormRows =>
  Object.fromEntries([...rows].map(([file, list]) => [file, list.map(({ row }) => row)]))

const fileByName = new Map(
  (Object.entries(directoryFiles) as [DirectoryFile, { file: string }][]).map(([key, { file }]) => [file, key]),
)

/** How a row of each file goes out of use. */
const outOfUse = (file: DirectoryFile): [column: string, value: string] =>
  file === 'assignments' ? ['status', 'Withdrawn'] : [file === 'floorStatuses' ? 'in_use' : 'active', 'no']

export const changedSince = 'It has been changed since.'
const goneSince = 'It is no longer there.'

/**
 * The rows that take an upload back. Added ones go out of use, changed cells and ended rows get what stood before.
 * A row of which a cell that the upload wrote has another value now stays, and so does one that is not found. What is back
 * already is passed over: an undo after a killed one goes on with the rest.
 */
export function chooseRows(
  stored: Stored,
  usernames: ReadonlyMap<string, string>,
  applied: readonly AppliedRow[],
  left: Map<AppliedRow, string>,
): Chosen {
  const choosing = new Choosing(stored, usernames, left)
  for (const row of applied) if (!left.has(row)) choosing.add(row)
  return choosing.chosen
}

/** A stored row as cells of the import format. */
interface Current {
  uid: string
  cells: Cells
}

class Choosing {
  readonly chosen: Chosen
  readonly #stored: Stored
  readonly #usernames: ReadonlyMap<string, string>
  readonly #cells: StoredCells
  /** By the codes of person, role and site, and the first day. */
  readonly #assignments: Map<string, ExistingAssignment>
  readonly #assignmentsByUid: Map<string, ExistingAssignment>
  readonly #people = new Map<string, ChosenRow>()

  constructor(stored: Stored, usernames: ReadonlyMap<string, string>, left: Map<AppliedRow, string>) {
    this.#stored = stored
    this.#usernames = usernames
    this.#cells = StoredCells.of(stored.held)
    this.chosen = { rows: new Map(), places: [], plans: [], left }
    this.#assignmentsByUid = new Map(stored.assignments.map((row) => [row.uid, row]))
    this.#assignments = new Map(stored.assignments.map((row) => [nameOf(this.#cells.assignment(row)), row]))
  }

  add(of: AppliedRow) {
    if (of.file === 'accounts') return this.#addUsername(of)
    const file = fileByName.get(of.file)
    if (!file || file === 'groupMembers') return
    if (file === 'peeps') return this.#addPlan(of)
    const now = this.#find(file, of)
    if (!now) return this.#leave(of, goneSince)
    if (of.kind === 'added') return this.#endAdded(file, of, now)
    if (of.kind === 'ended' && file === 'people') {
      if (now.cells.active === 'no') this.#choose(file, of, { uid: now.uid, active: 'yes' })
      return
    }
    const back = cellsBack(of.cells, now.cells)
    if (!back) this.#leave(of, changedSince)
    else if (Object.keys(back).length > 0) this.#choose(file, of, { uid: now.uid, ...back })
  }

  #endAdded(file: DirectoryFile, of: AppliedRow, { uid, cells }: Current) {
    const [column, value] = outOfUse(file)
    const written = new Map(of.cells.map(({ column, after }) => [column, after]))
    const isOver =
      file === 'assignments' ? !['Offered', 'Accepted'].includes(cells.status ?? '') : cells[column] === value
    if (isOver && (cells[column] === value || same(column, cells[column], written.get(column)))) return
    const isChanged = Object.entries(cells).some(([name, now]) => !same(name, now, written.get(name)))
    if (isChanged) this.#leave(of, changedSince)
    else if (file === 'sites' || file === 'buildings' || file === 'floors') this.chosen.places.push({ uid, of })
    else this.#choose(file, of, { uid, [column]: value })
  }

  /** User names stand with the account. All else of an account follows from the person. */
  #addUsername(of: AppliedRow) {
    const cells = of.cells.filter(({ column }) => column === 'username')
    if (of.kind !== 'changed' || cells.length === 0) return
    const person = this.#stored.known.people.get(of.key ?? '')
    if (!person) return this.#leave(of, goneSince)
    const back = cellsBack(cells, { username: this.#usernames.get(person.uid) ?? '' })
    if (!back) this.#leave(of, changedSince)
    else if (Object.keys(back).length > 0) this.#choose('people', of, { uid: person.uid, ...back })
  }

  #addPlan(of: AppliedRow) {
    const person = this.#stored.known.people.get(of.key ?? '')
    if (person) this.chosen.plans.push({ personUid: person.uid, of })
    else this.#leave(of, goneSince)
  }

  #find(file: DirectoryFile, { key, cells }: AppliedRow): Current | undefined {
    const { client, held } = this.#stored
    if (file === 'organisation') return client && { uid: client.uid, cells: organisationCells(client) }
    const written: Cells = Object.fromEntries(cells.map(({ column, after }) => [column, after ?? '']))
    if (file === 'assignments') {
      const found = key === null ? this.#assignments.get(nameOf(written)) : this.#assignmentsByUid.get(key)
      return found && { uid: found.uid, cells: { ...this.#cells.assignment(found), status: found.status } }
    }
    const name = targetOf[file] as TargetName
    const known = this.#stored.known[file as keyof Omit<Known, 'client'>] as ReadonlyMap<string, Coded>
    const uid = key ?? known.get(keyOf(file, written))?.uid ?? ''
    const found = (held[name] as ReadonlyMap<string, HeldRow<TargetName>>).get(uid)
    return found && { uid, cells: this.#cells.row(name, found) }
  }

  /** A person and their user name are one row. */
  #choose(file: DirectoryFile, of: AppliedRow, row: FormRow) {
    const other = file === 'people' ? this.#people.get(row.uid ?? '') : undefined
    if (other) {
      other.row = { ...other.row, ...row }
      return
    }
    const chosen = { row, of }
    if (file === 'people') this.#people.set(row.uid ?? '', chosen)
    const rows = this.chosen.rows.get(file) ?? []
    this.chosen.rows.set(file, rows)
    rows.push(chosen)
  }

  #leave(of: AppliedRow, reason: string) {
    this.chosen.left.set(of, reason)
  }
}

const nameOf = ({ person = '', role = '', site = '', date_from = '' }: Cells) =>
  [person, role, site, date_from].join('\n')

/** The cells that have what the upload wrote, with what stood before. Undefined if one has neither. */
function cellsBack(cells: readonly CellChange[], now: Cells): Cells | undefined {
  const back: Record<string, string> = {}
  for (const { column, before, after } of cells) {
    if (same(column, now[column], before)) continue
    if (!same(column, now[column], after)) return undefined
    back[column] = before ?? ''
  }
  return back
}

/** The order of places does not matter. */
function same(column: string, a: string | null | undefined, b: string | null | undefined): boolean {
  const [one, other] = [a ?? '', b ?? '']
  return one === other || (column === 'locations' && sorted(one) === sorted(other))
}
const sorted = (places: string) => places.split(';').sort().join(';')
