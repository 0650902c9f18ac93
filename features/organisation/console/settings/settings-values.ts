import type { Column, ValuesOf } from '#features/directory/column-kinds.ts'
import { plainSettings } from '#features/directory/columns.ts'
import { ApiError } from '#kernel/client/client.ts'
import { leastDays, type RetentionKind, retentionKinds } from '#kernel/console-kinds.ts'
import type { Settings, SettingsInput } from './settings.data.ts'

const numbers = ['sms_links', 'sms_alerts', 'calls', ...retentionKinds] as const
type NumberField = (typeof numbers)[number]

type Plain = typeof plainSettings
export const plain = Object.entries(plainSettings) as [keyof Plain, Column][]
/** A value for each. */
export const eachPlain = <V>(make: (name: keyof Plain, column: Column) => V) =>
  Object.fromEntries(plain.map(([name, column]) => [name, make(name, column)])) as Record<keyof Plain, V>

/** The settings as the texts and ticks of the form. An empty number: the server's. */
export type SettingsValues = Record<'name' | 'timezone' | 'country' | 'contact_email' | NumberField, string> & {
  sms_allowed: boolean
} & PlainValues
type PlainValues = { [Name in keyof Plain]: Plain[Name] extends { kind: 'yes or no' } ? boolean : string }

const textOf = (number: number | null) => (number === null ? '' : String(number))

export const valuesOf = (settings: Settings): SettingsValues => ({
  name: settings.name,
  timezone: settings.timezone,
  country: settings.country,
  contact_email: settings.contact_email,
  sms_allowed: settings.sms_allowed,
  sms_links: textOf(settings.sms_links),
  sms_alerts: textOf(settings.sms_alerts),
  calls: textOf(settings.calls),
  messages: textOf(settings.days.messages),
  events: textOf(settings.days.events),
  audit: textOf(settings.days.audit),
  plans: textOf(settings.days.plans),
  ...(eachPlain((name, { kind }) => (kind === 'yes or no' ? settings[name] : String(settings[name]))) as PlainValues),
})

const least: Record<NumberField, number> = { sms_links: 0, sms_alerts: 0, calls: 0, ...leastDays }

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
  for (const [field, column] of plain) {
    if (column.kind !== 'count') continue
    const { least, most = Number.POSITIVE_INFINITY } = column
    const number = Number(values[field])
    if (!Number.isInteger(number) || number < least || number > most)
      problems.push({ field, row: 1, message: `Enter a whole number from ${least} to ${most}.` })
  }
  if (problems.length > 0) throw new ApiError('invalid_request', 'One of the numbers is not valid.', 422, { problems })
  const number = (field: NumberField) => (values[field].trim() === '' ? null : Number(values[field]))
  const days = Object.fromEntries(retentionKinds.map((kind) => [kind, number(kind)])) as Record<
    RetentionKind,
    number | null
  >
  const { name, timezone, country, contact_email, sms_allowed } = values
  return {
    name,
    timezone,
    country,
    contact_email,
    sms_allowed,
    days,
    version,
    sms_links: number('sms_links'),
    sms_alerts: number('sms_alerts'),
    calls: number('calls'),
    may_delete: mayDelete,
    ...(eachPlain((name, { kind }) => (kind === 'count' ? Number(values[name]) : values[name])) as ValuesOf<Plain>),
  }
}
