/** What an entry of the journal is about, in words. */
export const entryKinds: Record<string, string> = {
  event_started: 'Event started',
  buildings_added: 'Buildings added',
  buildings_removed: 'Buildings removed',
  drill_made_live: 'Made a live event',
  event_ended: 'Event ended',
  command_changed: 'Command',
  command_silent: 'Command not heard',
  command_heard: 'Command heard again',
  instruction_sent: 'Instruction',
  instruction_understood: 'Instruction understood',
  texts_sent: 'Message to everyone',
  report_in_link_sent: 'Report-in links',
  warden_reported_in: 'Warden reported in',
  warden_not_available: 'Warden not available',
  warden_off_duty: 'Warden off duty',
  contact_regained: 'In contact again',
  late_record: 'Arrived after the end',
  floor_status_set: 'Floor status',
  evacuee_status_set: 'Status of a person',
  evacuee_refusal_set: 'Refusal to leave',
  evacuee_group_messaged: 'Group message',
  evacuee_message_sent: 'Message to a person',
  evacuee_replied: 'Reply of a person',
  message_sent: 'Message to wardens',
  record_entry_added: 'Addition to the record',
  record_held: 'Hold',
  record_names_seen: 'Names seen',
  record_exported: 'Export of the record',
}

export const entryKind = (action: string) =>
  entryKinds[action] ?? action.charAt(0).toUpperCase() + action.slice(1).replaceAll('_', ' ')
