import { commandMinutes } from '#features/command/kinds.ts'
import { coverageMinutes } from '#features/coverage/kinds.ts'
import { leastDays, sharePlans } from '#kernel/console-kinds.ts'
import { countryCodes } from '#server/platform/phones.ts'
import type { RowCells } from '../files/row-cells.ts'

/** Segments and days are null where the installation's hold. */
export interface OrganisationRow {
  code: string
  name: string
  smsAllowed: boolean
  timezone: string
  country: string
  contactEmail: string | null
  smsDailyLinks: number | null
  smsDailyAlerts: number | null
  retainMessagesDays: number | null
  retainEventsDays: number | null
  retainAuditDays: number | null
  retainPeepsDays: number | null
  commandMinutes: number
  coverageMinutes: number
  coverageMail: boolean
  sharePlans: string
}

export function readOrganisation(row: RowCells): OrganisationRow {
  return {
    code: row.required('code'),
    name: row.required('name'),
    smsAllowed: row.yesNo('sms_allowed', false),
    timezone: row.timezone('timezone', 'Australia/Sydney'),
    country: row.word('country', countryCodes, 'AU'),
    contactEmail: row.email('contact_email'),
    smsDailyLinks: row.count('sms_daily_links', 0),
    smsDailyAlerts: row.count('sms_daily_alerts', 0),
    retainMessagesDays: row.count('retain_messages_days', leastDays.messages),
    retainEventsDays: row.count('retain_events_days', leastDays.events),
    retainAuditDays: row.count('retain_audit_days', leastDays.audit),
    retainPeepsDays: row.count('retain_peeps_days', leastDays.plans),
    commandMinutes: row.count('command_minutes', commandMinutes.least, commandMinutes.most) ?? commandMinutes.usual,
    coverageMinutes:
      row.count('coverage_minutes', coverageMinutes.least, coverageMinutes.most) ?? coverageMinutes.usual,
    coverageMail: row.yesNo('coverage_mail', true),
    sharePlans: row.word('share_plans', sharePlans, 'unless no'),
  }
}
