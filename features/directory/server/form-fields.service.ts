import { Refusal } from '#server/platform/errors.ts'
import { describeReason, Problems } from './files/problems.ts'
import { RowCells } from './files/row-cells.ts'
import { type OrganisationRow, readOrganisation } from './row-readers/organisation.ts'

type Fields = Record<string, string>

/**
 * Reads the fields of a form as the importer reads the cells of a row, with the same reasons. Throws
 * `invalid_request` that names the first bad field. Its message is for the person who filled in the form.
 */
function readFields<T>(fields: Fields, read: (row: RowCells) => T): T {
  const problems = new Problems()
  const value = read(new RowCells({ file: 'form', line: 1, cells: fields }, problems))
  const [first] = problems.list
  if (first) {
    const told = problems.list.map((problem) => ({ field: problem.column, row: 1, message: describeReason(problem) }))
    throw new Refusal('invalid_request', describeReason(first), [first.column], { problems: told })
  }
  return value
}

/** An organisation: code, name, country, time zone, contact e-mail. */
export const readOrganisationFields = (fields: Fields): OrganisationRow => readFields(fields, readOrganisation)

export interface PersonFields {
  firstName: string
  lastName: string
  email: string
  mobile: string | null
}

/** Someone who is to sign in by e-mail. */
export const readPersonFields = (fields: Fields, country: string): PersonFields =>
  readFields(fields, (row) => ({
    firstName: row.required('first_name'),
    lastName: row.required('last_name'),
    email: row.required('email') && (row.email('email') ?? ''),
    mobile: row.mobile('mobile', country),
  }))
