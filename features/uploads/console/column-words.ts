/** Columns of the import format whose name does not read as a word. */
const words: Record<string, string> = {
  email: 'Email',
  contact_email: 'Contact email',
  timezone: 'Time zone',
  sms_allowed: 'Texts',
  sms_daily_links: 'Texts a day for links',
  sms_daily_alerts: 'Texts a day for alerts',
  retain_messages_days: 'Days for messages',
  retain_events_days: 'Days for events',
  retain_audit_days: 'Days for the audit log',
  retain_peeps_days: 'Days for plans',
  command_minutes: 'Minutes without contact',
  command_order: 'Place in the chain of command',
  coverage_minutes: 'Minutes without a warden',
  coverage_mail: 'Email about tomorrow',
  share_plans: 'Help shown to the fire service',
  area_domain: 'Covers a',
  is_client_master: 'Client master',
  visit_date: 'Day of the visit',
  locations: 'Places',
  date_from: 'From',
  date_to: 'To',
  display_order: 'Order',
  automated_response: 'Coded answer',
  url: 'Link',
  active: 'In use',
}

/** What a column of the import format is called on screen. */
export const columnWord = (column: string) =>
  words[column] ?? `${column.charAt(0).toUpperCase()}${column.slice(1).replaceAll('_', ' ')}`
