import { countryCodes } from '../files/mobiles.ts'
import type { RowCells } from '../files/row-cells.ts'

export interface OrganisationRow {
  code: string
  name: string
  smsAllowed: boolean
  timezone: string
  country: string
}

export function readOrganisation(row: RowCells): OrganisationRow {
  return {
    code: row.required('code'),
    name: row.required('name'),
    smsAllowed: row.yesNo('sms_allowed', false),
    timezone: row.timezone('timezone', 'Australia/Sydney'),
    country: row.word('country', countryCodes, 'AU'),
  }
}
