import { columns, type OrganisationRow } from '../../columns.ts'
import { noneKnown } from '../files/code-index.ts'
import { readCells } from '../files/kinds.ts'
import type { RowCells } from '../files/row-cells.ts'

export const readOrganisation = (row: RowCells): OrganisationRow =>
  readCells(row, columns.organisation, { known: noneKnown })
