import type { OrganisationRow } from '../../columns.ts'
import { columns } from '../../columns.ts'
import { writeCells } from '../files/kinds.ts'
import type { Cells } from '../files/row-source.ts'
import type { ExistingAssignment } from './load-code-index.queries.ts'
import type { Held } from './stored-rows.ts'
import { type HeldRow, type TargetName, targets } from './write.queries.ts'

type Codes = ReadonlyMap<unknown, string>

/** Writes stored rows as cells of the import format, which the readers read back. */
export class StoredCells {
  /** By uid. Floors as `BUILDING/FLOOR`. */
  readonly #codes: Codes

  constructor(codes: Codes) {
    this.#codes = codes
  }

  static of(held: Pick<Held, 'site' | 'building' | 'floor' | 'role' | 'person' | 'group'>): StoredCells {
    const codes = new Map<unknown, string>()
    for (const rows of [held.site, held.building, held.role, held.person, held.group])
      for (const [uid, { code }] of rows) codes.set(uid, code)
    for (const [uid, { buildingUid, code }] of held.floor) codes.set(uid, `${codes.get(buildingUid)}/${code}`)
    return new StoredCells(codes)
  }

  /** Without user name and password, which stand with the account. */
  row<N extends TargetName>(name: N, row: HeldRow<N>): Cells {
    return writeCells(columns[targets[name].file], row, (uid) => this.#code(uid))
  }

  /** Without the status, which only a changed cell sets. */
  assignment({
    personUid,
    roleUid,
    siteUid,
    locations,
    dateFrom,
    dateTo,
  }: Pick<ExistingAssignment, 'personUid' | 'roleUid' | 'siteUid' | 'locations' | 'dateFrom' | 'dateTo'>): Cells {
    return {
      person: this.#code(personUid),
      role: this.#code(roleUid),
      site: this.#code(siteUid),
      locations: locations.map((place) => this.#code(place.slice(1))).join(';'),
      date_from: dateFrom,
      date_to: dateTo,
    }
  }

  member({ groupUid, personUid }: { groupUid: string; personUid: string }): Cells {
    return { group: this.#code(groupUid), person: this.#code(personUid) }
  }

  #code(uid: unknown): string {
    return this.#codes.get(uid) ?? ''
  }
}

export const organisationCells = (client: OrganisationRow): Cells => writeCells(columns.organisation, client, () => '')
