import type { RowOf } from '../../column-kinds.ts'
import { columns } from '../../columns.ts'
import { noneKnown } from '../files/code-index.ts'
import { readCells } from '../files/kinds.ts'
import type { RowCells } from '../files/row-cells.ts'

/** Segments and days are null where the installation's hold. */
export type OrganisationRow = RowOf<typeof columns.organisation>

export const readOrganisation = (row: RowCells): OrganisationRow =>
  readCells(row, columns.organisation, { known: noneKnown, now: new Date() })
