import { commandMinutes } from '#features/command/kinds.ts'
import { coverageMinutes } from '#features/coverage/kinds.ts'
import { ApiError } from '#kernel/client/client.ts'
import { leastDays, type RetentionKind, retentionKinds } from '#kernel/console-kinds.ts'
import type { Settings, SettingsInput } from './settings.data.ts'

const numbers = ['sms_links', 'sms_alerts', ...retentionKinds] as const
type NumberField = (typeof numbers)[number]

/** The settings as the texts and ticks of the form. An empty number: the server's. */
export type SettingsValues = Record<
  | 'name'
  | 'timezone'
  | 'country'
  | 'contact_email'
  | 'command_minutes'
  | 'coverage_minutes'
  | 'share_plans'
  | NumberField,
  string
> & {
  sms_allowed: boolean
  coverage_mail: boolean
}

const textOf = (number: number | null) => (number === null ? '' : String(number))

export const valuesOf = (settings: Settings): SettingsValues => ({
  name: settings.name,
  timezone: settings.timezone,
  country: settings.country,
  contact_email: settings.contact_email,
  share_plans: settings.share_plans,
  sms_allowed: settings.sms_allowed,
  coverage_mail: settings.coverage_mail,
  sms_links: textOf(settings.sms_links),
  sms_alerts: textOf(settings.sms_alerts),
  messages: textOf(settings.days.messages),
  events: textOf(settings.days.events),
  audit: textOf(settings.days.audit),
  plans: textOf(settings.days.plans),
  command_minutes: String(settings.command_minutes),
  coverage_minutes: String(settings.coverage_minutes),
})

const least: Record<NumberField, number> = { sms_links: 0, sms_alerts: 0, ...leastDays }

const minutesOf = [
  ['command_minutes', commandMinutes],
  ['coverage_minutes', coverageMinutes],
] as const

interface Problem {
  field: keyof SettingsValues
  row: number
  message: string
}

/** Throws `invalid_request` with the reason of each number that is none. */
export function inputOf(values: SettingsValues, version: string, mayDelete: boolean): SettingsInput {
  const problems = numbers.flatMap<Problem>((field) => {
    const text = values[field].trim()
    if (text === '' || (/^\d{1,9}$/.test(text) && Number(text) >= least[field])) return []
    return [{ field, row: 1, message: `Enter a whole number from ${least[field]}, or leave it empty.` }]
  })
  for (const [field, { least, most }] of minutesOf) {
    const minutes = Number(values[field])
    if (!Number.isInteger(minutes) || minutes < least || minutes > most)
      problems.push({ field, row: 1, message: `Enter a whole number from ${least} to ${most}.` })
  }
  if (problems.length > 0) throw new ApiError('invalid_request', 'One of the numbers is not valid.', 422, { problems })
  const number = (field: NumberField) => (values[field].trim() === '' ? null : Number(values[field]))
  const days = Object.fromEntries(retentionKinds.map((kind) => [kind, number(kind)])) as Record<
    RetentionKind,
    number | null
  >
  const { name, timezone, country, contact_email, share_plans, sms_allowed, coverage_mail } = values
  return {
    ...{ name, timezone, country, contact_email, sms_allowed, coverage_mail, days, version },
    share_plans: share_plans as SettingsInput['share_plans'],
    ...{ sms_links: number('sms_links'), sms_alerts: number('sms_alerts'), may_delete: mayDelete },
    ...{ command_minutes: Number(values.command_minutes), coverage_minutes: Number(values.coverage_minutes) },
  }
}
