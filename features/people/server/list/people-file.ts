import { csvLine } from '#server/platform/csv.ts'
import { formatPhone } from '#server/platform/phones.ts'
import type { PersonRow } from '../../calls/people.ts'
import { type PersonColumn, personColumns, signInWords } from '../../words.ts'
import type { PersonListRow } from '../people.queries.ts'

/** `hasState`: some or all are out of use. */
export const headOf = (columns: readonly PersonColumn[], hasState: boolean) =>
  `\ufeff${csvLine(['Last name', 'First name', ...(hasState ? ['State'] : []), ...columns.map((column) => personColumns[column])])}`

export const lineOf = (
  row: PersonListRow,
  signIn: PersonRow['sign_in'] = 'none',
  columns: readonly PersonColumn[],
  hasState: boolean,
): string => {
  const cells: Record<PersonColumn, string> = {
    place: row.place ?? '',
    kind: row.kind === 'staff' ? 'Staff' : `Visitor, ${row.visitDate ?? ''}`,
    groups: row.groups.join('; '),
    wardens: row.roles.join('; '),
    sign_in: signInWords[signIn],
    email: row.email ?? '',
    mobile: row.mobile ? formatPhone(row.mobile) : '',
  }
  const state = hasState ? [row.active ? 'Active' : 'Inactive'] : []
  return csvLine([row.lastName, row.firstName, ...state, ...columns.map((column) => cells[column])])
}
