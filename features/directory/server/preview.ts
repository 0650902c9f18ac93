import type { PlannedAccount } from './accounts/difference-of-accounts.ts'
import type { PlannedAssignment } from './assignments/difference-of-assignments.ts'
import { headerOf } from './files/directory-files.ts'
import type { CheckedTables } from './read-tables.ts'
import type { NewMember } from './row-readers/groups.ts'
import type { ChangedRow } from './stored/difference.ts'
import type { ExistingAssignment } from './stored/load-code-index.queries.ts'
import { StoredCells } from './stored/row-to-cells.ts'
import { type TargetName, type TargetRow, targets } from './stored/write.queries.ts'

/** A cell before and after. Null where it is empty, and of plans always: a difference names their fields alone. */
export interface CellChange {
  column: string
  before: string | null
  after: string | null
}

/** What becomes of a row. A dry run prints it, an upload keeps it. */
export interface RowChange {
  /** The uid of the stored row. Null for a new one, which its cells name. Of plans and accounts the code of the person. */
  key: string | null
  /** Where the file has the row. Null for one that it lacks. */
  line: number | null
  /** Which row: 'P1 Ada Abara'. */
  title: string
  /** In the words of the import format. None for a person or a plan that ends. */
  cells: CellChange[]
}

/** Rows of one kind. What becomes of a row is told on demand. */
export interface Listing {
  count: number
  change(n: number): RowChange
  /** A line for the operator. */
  describe(n: number): string
}

export const listing = <T>(
  rows: readonly T[],
  change: (row: T) => RowChange,
  describe: (change: RowChange, row: T) => string = ({ title }) => title,
): Listing => ({
  count: rows.length,
  change: (n) => change(rows[n] as T),
  describe: (n) => describe(change(rows[n] as T), rows[n] as T),
})

export const noListing: Listing = listing([], () => ({ key: null, line: null, title: '', cells: [] }))

type Row = Readonly<Record<string, unknown>>

/** The difference of an import, row by row. Names people, but never tells a password or the text of a PEEP. */
export class Wording {
  readonly #codes = new Map<unknown, string>()
  readonly #people: Map<string, Row>
  readonly #known: CheckedTables['known']
  readonly #cells: StoredCells

  constructor({ known, held, people }: CheckedTables) {
    this.#known = known
    this.#people = new Map([...held.person, ...(people?.rows ?? []).map((row) => [row.uid, row] as const)])
    for (const [code, { uid }] of [
      ...known.sites,
      ...known.buildings,
      ...known.floors,
      ...known.roles,
      ...known.groups,
    ])
      this.#codes.set(uid, code)
    for (const [uid, { code }] of this.#people) this.#codes.set(uid, String(code))
    this.#cells = new StoredCells(this.#codes)
  }

  person(uid: string): string {
    const { code, firstName, lastName } = this.#people.get(uid) ?? {}
    return [code, firstName, lastName].filter(Boolean).join(' ')
  }

  /** A person, or the plan of one, that ends. */
  endedPerson = (file: 'people' | 'peeps') => (uid: string) => ({
    key: file === 'people' ? uid : (this.#codes.get(uid) ?? null),
    line: this.#known[file].get(this.#codes.get(uid) ?? '')?.line ?? null,
    title: this.person(uid),
    cells: [],
  })

  added<N extends TargetName>(name: N, row: TargetRow<N>): RowChange {
    const cells = Object.entries(this.#cells.row(name, row)).filter(([, after]) => after !== '')
    return this.#change(
      name,
      row,
      cells.map(([column, after]) => ({ column, before: null, after })),
    )
  }

  changed<N extends TargetName>(name: N, { row, held, columns }: ChangedRow<N>): RowChange {
    const [before, after] = [this.#cells.row(name, held), this.#cells.row(name, row)]
    const headers = [...new Set(columns.map(headerOf))].filter((header) => header in after)
    const cells = headers.map((column) => ({ column, before: before[column] || null, after: after[column] || null }))
    return { ...this.#change(name, row, cells), ...(name !== 'peep' && { key: held.uid }) }
  }

  /** 'P1 Ada Abara: floor B1/G → B1/L1', of a plan only whose it is. */
  describe = (name: TargetName, { title, cells }: RowChange): string => {
    if (name === 'peep') return title
    const told = cells.map(({ column, before, after }) =>
      column === 'active' && after === 'yes' ? 'comes back' : `${column} ${before ?? '(none)'} → ${after ?? '(none)'}`,
    )
    return `${title}: ${told.join(', ') || 'account'}`
  }

  account({ requested, existing, ...wanted }: PlannedAccount, setsPassword: boolean): RowChange {
    const names = (['email', 'username', 'mobile'] as const).filter(
      (name) => wanted[name] !== (existing?.[name] ?? null),
    )
    const cells = names.map((column) => ({ column, before: existing?.[column] ?? null, after: wanted[column] }))
    const password = setsPassword ? [{ column: 'password', before: null, after: null }] : []
    const { personUid } = requested
    const key = this.#codes.get(personUid) ?? null
    return { key, line: null, title: this.person(personUid), cells: [...cells, ...password] }
  }

  describeAccount = ({ title, cells }: RowChange, isNew: boolean): string => {
    const told = cells.map(({ column, before, after }) => {
      if (column === 'password') return 'a new password'
      return isNew ? `${column} ${after}` : `${column} ${before ?? '(none)'} → ${after ?? '(none)'}`
    })
    return `${title}: signs in with ${told.join(', ')}`
  }

  member = ({ line, groupUid, personUid }: NewMember): RowChange => {
    const cells = Object.entries(this.#cells.member({ groupUid, personUid }))
    return {
      key: null,
      line,
      title: `${this.person(personUid)}, ${this.#codes.get(groupUid)}`,
      cells: cells.map(([column, after]) => ({ column, before: null, after })),
    }
  }

  assignment = (row: PlannedAssignment): RowChange => {
    const { held, locations } = row
    const places = locations.map(({ buildingUid, floorUid }) => (floorUid ? `f${floorUid}` : `b${buildingUid}`))
    const after = { ...this.#cells.assignment({ ...row, locations: places }), status: row.status }
    const before = held && { ...this.#cells.assignment(held), status: held.status }
    const isTold = (column: string) =>
      !before ||
      (column === 'locations' && row.locationsDiffer) ||
      (column === 'status' && held?.importedStatus !== row.status && held?.status !== row.status) ||
      (column.startsWith('date') && before[column as 'status'] !== after[column as 'status'])
    const cells = Object.keys(after)
      .filter(isTold)
      .map((column) => ({
        column,
        before: before?.[column as 'status'] || null,
        after: after[column as 'status'] || null,
      }))
    return { key: held?.uid ?? null, line: row.line, title: this.#post(row), cells }
  }

  describeAssignment = ({ title, cells }: RowChange, row: PlannedAssignment): string => {
    if (!row.held) return `${title}, ${row.dateFrom} to ${row.dateTo}, ${row.status}`
    const told = cells.map(({ column, before, after }) =>
      column === 'locations' ? column : `${column} ${before} → ${after}`,
    )
    return `${title}: ${told.join(', ') || 'status column'}`
  }

  endedAssignment = (row: ExistingAssignment): RowChange => ({
    key: row.uid,
    line: null,
    title: this.#post(row),
    cells: [{ column: 'status', before: row.status, after: 'Withdrawn' }],
  })

  #change(name: TargetName, row: Row, cells: CellChange[]): RowChange {
    const isPlan = name === 'peep'
    return {
      key: isPlan ? (this.#codes.get(row.personUid) ?? null) : null,
      line: this.#lineOf(name, row),
      title: this.#title(name, row),
      cells: isPlan ? cells.map(({ column }) => ({ column, before: null, after: null })) : cells,
    }
  }

  #title(name: TargetName, row: Row): string {
    if (name === 'person') return this.person(String(row.uid))
    if (name === 'peep') return this.person(String(row.personUid))
    if (name === 'floor') return `${this.#codes.get(row.uid)} ${row.name}`
    return `${row.code} ${row.name ?? row.type}`
  }

  #lineOf(name: TargetName, row: Row): number | null {
    const key = name === 'peep' ? row.personUid : name === 'floor' ? row.uid : undefined
    const code = key === undefined ? String(row.code) : this.#codes.get(key)
    return this.#known[targets[name].file].get(code ?? '')?.line ?? null
  }

  #post({ personUid, roleUid, siteUid }: Pick<ExistingAssignment, 'personUid' | 'roleUid' | 'siteUid'>): string {
    return `${this.person(personUid)}, ${this.#codes.get(roleUid)} at ${this.#codes.get(siteUid)}`
  }
}
