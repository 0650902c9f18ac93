import type { Column } from '#features/directory/column-kinds.ts'
import { retentionKinds } from '#kernel/console-kinds.ts'
import { countries, zonesWith } from '#web/console/form/choices.ts'
import type { Field, FieldsOf } from '#web/console/form/fields.tsx'
import { plainField } from '../plain-fields.ts'
import type { Settings } from './settings.data.ts'
import { eachPlain, plain, type SettingsValues } from './settings-values.ts'

const namesIn = (group: Column['group']) => plain.flatMap(([name, column]) => (column.group === group ? name : []))

/** The parts of the form. */
export const groups: readonly { title?: string; names: readonly (keyof SettingsValues)[] }[] = [
  { names: ['name', 'timezone', 'country', 'contact_email', ...namesIn(undefined)] },
  {
    title: 'Texts and calls',
    names: ['sms_allowed', 'sms_links', 'sms_alerts', 'calls', ...namesIn('Texts and calls')],
  },
  { title: 'Events', names: namesIn('Events') },
  { title: 'Days until data is deleted', names: retentionKinds },
]

/** `waits`: why zone and texts stay as they are for now. */
export const fieldsOf = (
  { server, sms_allowed, timezone }: Settings,
  waits: string | undefined,
): FieldsOf<SettingsValues> => ({
  name: { label: 'Name', autoComplete: 'organization' },
  timezone: {
    label: 'Time zone',
    options: zonesWith(timezone),
    disabled: waits !== undefined,
    hint: waits,
  },
  country: { label: 'Country', options: countries, hint: 'Used for mobile numbers without a country code.' },
  contact_email: {
    label: 'Contact email',
    type: 'email',
    hint: 'Where people in the organisation can ask for help.',
  },
  sms_allowed: {
    label: 'Send texts',
    disabled: waits !== undefined && sms_allowed,
    hint: sms_allowed && waits,
  },
  sms_links: aDay('Segments a day for links', server.sms_links),
  sms_alerts: aDay('Segments a day for alerts', server.sms_alerts),
  calls: aDay('Calls a day', server.calls),
  messages: days('Messages and texts', server.days.messages, true),
  events: days('Events', server.days.events),
  audit: days('Audit log', server.days.audit),
  plans: days('Ended plans', server.days.plans, true),
  ...eachPlain((_, column) => plainField(column)),
})

export const counted = (number: number) => new Intl.NumberFormat('en-AU').format(number)
const aDay = (label: string, most: number): Field<SettingsValues> => ({
  label,
  inputMode: 'numeric',
  hint: `If empty: ${counted(most)}, as many as the server allows.`,
})
function days(label: string, ofServer: number | null, isShorter = false): Field<SettingsValues> {
  const server =
    ofServer === null ? 'never, as set on the server' : `after ${counted(ofServer)} days, as set on the server`
  const shorter = ofServer !== null && isShorter ? ' The shorter period applies.' : ''
  return { label, inputMode: 'numeric', hint: `If empty: ${server}.${shorter}` }
}
