import { Refusal } from '#server/platform/errors.ts'
import type { OrganisationRow } from '../columns.ts'
import { describeReason, Problems } from './files/problems.ts'
import { RowCells } from './files/row-cells.ts'
import { readOrganisation } from './row-readers/organisation.ts'

type Fields = Record<string, string>

interface FieldProblem {
  field: string
  message: string
}

/**
 * Reads the fields of a form as the importer reads the cells of a row, with the same reasons. Throws
 * `invalid_request` that names the first bad field. Its message is for the person who filled in the form.
 */
function readFields<T>(fields: Fields, read: (row: RowCells) => T, others: readonly FieldProblem[] = []): T {
  const problems = new Problems()
  const value = read(new RowCells({ file: 'form', line: 1, cells: fields }, problems))
  const found = problems.list.map((problem) => ({ field: problem.column, message: describeReason(problem) }))
  const told = [...found, ...others].map((problem) => ({ ...problem, row: 1 }))
  if (told[0]) throw new Refusal('invalid_request', told[0].message, [told[0].field], { problems: told })
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
  readFields(fields, (row) => readPerson(row, country))

/** An organisation and its first person, with all that is wrong at once. `others`: what is wrong beside the cells. */
export const readFirstFields = (organisation: Fields, person: Fields, others: readonly FieldProblem[]) =>
  readFields(
    { ...organisation, ...person },
    (row) => {
      const read = readOrganisation(row)
      return { organisation: read, person: readPerson(row, read.country) }
    },
    others,
  )

const readPerson = (row: RowCells, country: string): PersonFields => ({
  ...row.names(),
  email: row.required('email') && (row.email('email') ?? ''),
  mobile: row.mobile('mobile', country),
})
