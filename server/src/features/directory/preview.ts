import type { PlannedAccount } from './accounts/account-plan.ts'
import type { PlannedAssignment } from './assignments/assignment-plan.ts'
import type { CheckedTables } from './read-tables.ts'
import type { ChangedRow } from './stored/difference.ts'
import type { ExistingAssignment } from './stored/known.queries.ts'
import type { TargetName } from './stored/write.queries.ts'

/** Rows of one kind. `describe` builds the line of a row on demand. */
export interface Listing {
  count: number
  describe(n: number): string
}

export const listing = <T>(rows: readonly T[], describe: (row: T) => string): Listing => ({
  count: rows.length,
  describe: (n) => describe(rows[n] as T),
})

type Row = Readonly<Record<string, unknown>>

/** Columns whose name in the files differs from the database. */
const headers: Record<string, string> = {
  primaryFloorUid: 'floor',
  visitingBuildingUid: 'floor',
  siteUid: 'site',
  buildingUid: 'building',
  roleUid: 'role',
  personUid: 'person',
  storageKey: 'file',
}
export const headerOf = (column: string) =>
  headers[column] ?? column.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Describes the changes of an import for a dry run. Names people, but never shows a password or the text of a PEEP. */
export class Wording {
  readonly #codes = new Map<string, string>()
  readonly #people: Map<string, Row>

  constructor(tables: CheckedTables) {
    const { known, held, people } = tables
    for (const [code, { uid }] of [...known.sites, ...known.buildings, ...known.floors, ...known.roles])
      this.#codes.set(uid, code)
    this.#people = new Map([...held.person, ...(people?.rows ?? []).map((row) => [row.uid, row] as const)])
  }

  person(uid: string): string {
    const { code, firstName, lastName } = this.#people.get(uid) ?? {}
    return `${code} ${firstName} ${lastName}`
  }

  row(name: TargetName, row: Row): string {
    if (name === 'person') return this.person(String(row.uid))
    if (name === 'peep') return this.person(String(row.personUid))
    if (name === 'floor') return `${this.#codes.get(String(row.uid))} ${row.name}`
    return `${row.code} ${row.name ?? row.type}`
  }

  change<N extends TargetName>(name: N, { row, held, columns }: ChangedRow<N>): string {
    if (name === 'peep') return this.row(name, row)
    const cells = (columns as string[])
      .filter((column) => column !== 'accountUid')
      .map((column) => {
        const [before, after] = [held, row].map((side) => this.#value((side as Row)[column]))
        return column === 'active' && after === 'yes' ? 'comes back' : `${headerOf(column)} ${before} → ${after}`
      })
    return `${this.row(name, row)}: ${cells.join(', ') || 'account'}`
  }

  account({ requested, existing, ...wanted }: PlannedAccount, setsPassword: boolean): string {
    const names = (['email', 'username', 'mobile'] as const).filter(
      (name) => wanted[name] !== (existing?.[name] ?? null),
    )
    const cells = names.map((name) =>
      existing ? `${name} ${this.#value(existing[name])} → ${this.#value(wanted[name])}` : `${name} ${wanted[name]}`,
    )
    return `${this.person(requested.personUid)}: signs in with ${[...cells, ...(setsPassword ? ['a new password'] : [])].join(', ')}`
  }

  assignment(row: PlannedAssignment): string {
    const { held } = row
    if (!held) return `${this.#post(row)}, ${row.dateFrom} to ${row.dateTo}, ${row.status}`
    const cells = [
      held.dateFrom !== row.dateFrom && `date_from ${held.dateFrom} → ${row.dateFrom}`,
      held.dateTo !== row.dateTo && `date_to ${held.dateTo} → ${row.dateTo}`,
      held.importedStatus !== row.status && held.status !== row.status && `status ${held.status} → ${row.status}`,
      row.locationsDiffer && 'locations',
    ]
    return `${this.#post(row)}: ${cells.filter(Boolean).join(', ') || 'status column'}`
  }

  ended = (row: ExistingAssignment): string => this.#post(row)

  #post({ personUid, roleUid, siteUid }: Pick<ExistingAssignment, 'personUid' | 'roleUid' | 'siteUid'>): string {
    return `${this.person(personUid)}, ${this.#codes.get(roleUid)} at ${this.#codes.get(siteUid)}`
  }

  #value(value: unknown): string {
    if (value === null || value === undefined || value === '') return '(none)'
    if (typeof value === 'boolean') return value ? 'yes' : 'no'
    return this.#codes.get(String(value)) ?? String(value)
  }
}
