import type { AuditKind } from '#kernel/console-kinds.ts'
import type { Topic } from '#kernel/kinds.ts'

interface Effect {
  /**
   * What everyone on duty in the event reads again: the subject of the entry, or any of the topic. Null: the channel of the event
   * hears nothing. Empty: what the feed adds.
   */
  topics: Readonly<Partial<Record<Topic, 'subject' | 'any'>>> | null
  /** The feed does more than that (`server/realtime/feed/publications.ts`). */
  more?: true
  /** Its choice in the filter of the timeline. */
  word?: string
}

/**
 * An entry of an event has a line in the timeline, without who did it. `{parts}` are filled in by the timeline, and null leaves
 * the whole line to it. An entry outside events stands in the audit log: under one of its kinds, or under 'All' only.
 */
type Row = Effect & ({ line: string | null; audit?: AuditKind } | { line?: never; audit: AuditKind | null })

/** Each action of the journal, in the past tense. The filter of the timeline has the order of this table. */
const table = {
  event_started: { topics: null, word: 'Event started', line: 'Started the event{message}', audit: 'events' },
  // a building brings or takes its floors, evacuees and wardens
  buildings_added: {
    topics: { event: 'subject', floor: 'any', evacuee: 'any', attendance: 'any' },
    word: 'Buildings added',
    line: 'Added {buildings} to the event{message}',
  },
  buildings_removed: {
    topics: { event: 'subject', floor: 'any', evacuee: 'any', attendance: 'any' },
    word: 'Buildings removed',
    line: 'Took {buildings} out of the event{message}',
  },
  drill_made_live: {
    topics: { event: 'subject', evacuee: 'any', floor: 'any', text: 'any' },
    more: true,
    word: 'Made a live event',
    line: 'Made the drill a live event{message}',
  },
  action_changed: {
    topics: { event: 'subject', evacuee: 'any', floor: 'any', text: 'any', command: 'any' },
    word: 'Action changed',
    line: null,
  },
  live_seen: { topics: { event: 'subject' }, line: '{whom} has read that the drill became a live event' },
  event_ended: { topics: {}, more: true, word: 'Event ended', line: 'Ended the event{message}', audit: 'events' },

  command_changed: { topics: { command: 'any' }, word: 'Command', line: null },
  command_silent: { topics: { command: 'any' }, word: 'No contact with command', line: null },
  command_heard: {
    topics: { command: 'any' },
    word: 'Contact with command again',
    line: 'Contact with the person in command again',
  },
  instruction_sent: {
    topics: { command: 'any' },
    more: true,
    word: 'Instruction',
    line: 'Sent an instruction{instruction}',
  },
  instruction_understood: {
    topics: null,
    more: true,
    word: 'Instruction understood',
    line: 'Understood an instruction',
  },

  // the people who have answered no step, and what managers did about one of them
  not_reached: { topics: { text: 'any' }, word: 'Not reached', line: 'Not reached: {people}' },
  reached_again: { topics: { text: 'any' }, word: 'Tried again', line: 'Had {whom} tried again' },
  call_keyed: { topics: { text: 'any' }, word: 'Key in a call', line: 'A key was pressed in a call to {whom}' },
  reach_spoken: { topics: { text: 'any' }, word: 'Spoken to', line: 'Spoke to {whom}' },
  texts_sent: { topics: { text: 'subject' }, word: 'Message to everyone', line: 'Texts were handed over' },
  report_in_link_sent: { topics: null, word: 'Report-in links', line: 'Sent {whom} a link to report in' },
  warden_reported_in: { topics: { attendance: 'subject' }, word: 'Warden reported in', line: '{whom} reported in' },
  warden_rejoined: { topics: { attendance: 'subject' }, line: '{whom} came back on duty' },
  warden_not_available: {
    topics: { attendance: 'subject' },
    word: 'Warden not available',
    line: '{whom} is not available',
  },
  warden_off_duty: {
    topics: { attendance: 'subject' },
    more: true,
    word: 'Warden off duty',
    line: '{whom} went off duty',
  },
  warden_removed: { topics: { attendance: 'subject' }, more: true, line: '{whom} left the event with their buildings' },
  contact_regained: { topics: null, word: 'In contact again', line: 'The phone of {whom} was in contact again{gap}' },

  late_record: { topics: null, word: 'Arrived after the end', line: null },
  floor_status_set: { topics: { floor: 'subject' }, word: 'Floor status', line: null },
  evacuee_status_set: { topics: { evacuee: 'subject' }, more: true, word: 'Status of a person', line: null },
  evacuee_refusal_set: { topics: { evacuee: 'subject' }, more: true, word: 'Refusal to leave', line: null },
  contradiction_kept: { topics: { report: 'subject' }, line: 'Contradiction kept{subject}' },

  evacuee_group_messaged: { topics: { message: 'any' }, word: 'Group message', line: 'Sent a message to a group' },
  evacuee_message_sent: {
    topics: { message: 'subject' },
    word: 'Message to a person',
    line: 'Sent a message to {whom}',
  },
  evacuee_messages_read: { topics: { message: 'subject' }, line: 'Evacuee messages read{subject}' },
  evacuee_replied: { topics: { message: 'subject' }, word: 'Reply of a person', line: '{whom} answered by text' },
  sms_refused: { topics: {}, more: true, line: 'Sms refused{subject}' },
  sms_accepted: { topics: {}, more: true, line: 'Sms accepted{subject}' },
  // reports are read in pages: which of them it was says nothing
  self_report_made: { topics: { report: 'any' }, word: 'Report by page', line: null },
  calls_for_help_counted: { topics: { report: 'any' }, word: 'More calls for help', line: null },
  self_report_handled: { topics: { report: 'any' }, word: 'Report handled', line: null },
  report_page_changed: { topics: { report: 'any' }, word: 'Poster page', line: null },
  message_sent: { topics: null, more: true, word: 'Message to wardens', line: 'Sent a message to {whom}' },
  messages_read: { topics: null, more: true, line: 'Messages read{subject}' },
  unread_changed: { topics: null, more: true, line: 'Unread changed{subject}' },

  floor_claimed: { topics: { coverage: 'subject', floor: 'subject' }, line: 'Floor claimed{subject}' },
  floor_given_back: { topics: { coverage: 'subject', floor: 'subject' }, line: 'Floor given back{subject}' },
  floor_offered: { topics: null, more: true, line: 'Floor offered{subject}' },
  floor_offer_answered: { topics: null, more: true, line: 'Floor offer answered{subject}' },
  hazard_noted: { topics: { command: 'any' }, line: 'Hazard noted{subject}' },
  hazard_over: { topics: { command: 'any' }, line: 'Hazard over{subject}' },
  pack_made: { topics: null, line: 'Pack made{subject}' },
  pack_opened: { topics: null, line: 'Pack opened{subject}' },
  pack_ended: { topics: null, line: 'Pack ended{subject}' },
  wall_made: { topics: null, audit: null },
  wall_ended: { topics: null, audit: null },

  record_entry_added: { topics: { event: 'subject' }, word: 'Addition to the record', line: 'Added to the record' },
  record_held: { topics: null, word: 'Hold', line: null },
  record_names_seen: { topics: null, word: 'Names seen', line: 'Looked at names in the record' },
  record_exported: { topics: null, word: 'Export of the record', line: 'Exported the record' },
  record_closed: { topics: null, line: 'The record was written' },
  observer_link_made: { topics: null, line: 'Made a link for an observer' },
  observer_link_ended: { topics: null, line: 'Ended the link of an observer' },
  log_opened: { topics: null, line: null },
  log_form: { topics: null, line: 'The log goes on in its second version' },
  log_moved: { topics: null, line: 'The log goes on in another database' },
  log_broken: { topics: null, word: 'Log broken', line: 'This log no longer continued its newest head' },
  log_head_mailed: { topics: null, line: null },
  lines_erased: { topics: null, line: null },
  people_packed: { topics: null, line: 'The names of those who joined were sealed' },
  names_kept: { topics: null, line: 'The names of {kept} were kept as they are' },
  service_gap: { topics: null, word: 'Outage', line: null },

  person_added: { topics: null, audit: 'people' },
  person_changed: { topics: {}, more: true, line: 'Person changed{subject}', audit: 'people' },
  // who goes out of use, or comes back, stays to be accounted for
  person_deactivated: {
    topics: { evacuee: 'subject', attendance: 'any' },
    line: 'Person deactivated{subject}',
    audit: 'people',
  },
  person_reactivated: {
    topics: { evacuee: 'subject', attendance: 'any' },
    line: 'Person reactivated{subject}',
    audit: 'people',
  },
  person_signed_out: { topics: null, audit: 'people' },
  person_erased: { topics: null, audit: 'people' },
  person_merged: { topics: null, audit: 'people' },
  group_changed: { topics: null, audit: 'people' },
  invitation_sent: { topics: null, audit: 'people' },
  invitation_shown: { topics: null, audit: 'people' },
  invitation_accepted: { topics: null, audit: 'people' },

  place_added: { topics: null, audit: 'places' },
  place_changed: { topics: { floor: 'any' }, line: 'Place changed{subject}', audit: 'places' },
  place_retired: { topics: null, audit: 'places' },
  place_brought_back: { topics: null, audit: 'places' },

  role_changed: { topics: null, audit: 'wardens' },
  // taken up or left during an event, it changes the number of wardens and of evacuees
  assignment_changed: {
    topics: { assignment: 'subject', attendance: 'any', evacuee: 'any' },
    line: 'Assignment changed{subject}',
    audit: 'wardens',
  },
  assignment_ended: {
    topics: { attendance: 'subject', evacuee: 'any' },
    more: true,
    line: 'Assignment ended{subject}',
    audit: 'wardens',
  },
  waiting_made: { topics: null, audit: 'wardens' },
  waiting_happened: { topics: null, audit: 'wardens' },
  waiting_dropped: { topics: null, audit: 'wardens' },

  // whose plan it was is told to them alone
  plan_viewed: { topics: null, line: 'Opened an evacuation plan', audit: 'plans' },
  plan_notice_sent: { topics: null, line: 'Someone was told that their plan was opened', audit: 'plans' },
  plan_changed: { topics: {}, more: true, line: 'Plan changed{subject}', audit: 'plans' },

  list_changed: { topics: { floor: 'any' }, line: 'List changed{subject}', audit: 'lists' },
  tables_applied: { topics: null, audit: 'tables' },
  tables_undone: { topics: null, audit: 'tables' },
  data_exported: { topics: null, audit: 'tables' },

  administrator_appointed: { topics: null, audit: 'administration' },
  administrator_revoked: { topics: null, audit: 'administration' },
  organisation_set_up: { topics: null, audit: 'administration' },
  organisation_suspended: { topics: null, audit: 'administration' },
  organisation_resumed: { topics: null, audit: 'administration' },
  organisation_exported: { topics: null, audit: 'administration' },
  organisation_moved: { topics: null, audit: 'administration' },
  organisation_moved_back: { topics: null, audit: 'administration' },
  organisation_imported: { topics: null, audit: 'administration' },
  settings_changed: { topics: null, audit: 'administration' },
  second_factor_set: { topics: null, audit: 'administration' },
  second_factor_reset: { topics: null, audit: 'administration' },
  recovery_code_used: { topics: null, audit: 'administration' },
  recovery_codes_renewed: { topics: null, audit: 'administration' },

  signed_in: { topics: null, line: 'Signed in{subject}', audit: 'sign-in' },
  session_ended: { topics: null, more: true, line: 'Session ended{subject}', audit: 'sign-in' },
  password_changed: { topics: null, audit: 'sign-in' },
  password_link_sent: { topics: null, audit: 'sign-in' },
  console_signed_in: { topics: null, audit: 'sign-in' },
  console_signed_out: { topics: null, audit: 'sign-in' },
} as const satisfies Record<string, Row>

type Having<Part> = { [A in JournalAction]: (typeof table)[A] extends Part ? A : never }[JournalAction]

export type JournalAction = keyof typeof table
/** Those that an entry of an event may have. */
export type EventAction = Having<{ line: string | null }>
export type ActionWithEffect = Having<{ more: true }>
export type ActionWithOwnLine = Having<{ line: null }>

/** By any text: a node of a newer version may write actions that this one does not know. */
export const actions: ReadonlyMap<string, Row> = new Map<string, Row>(Object.entries(table))

/** 'plan_viewed' as 'Plan viewed'. The console has it apart: it does not load this table. */
export const inWords = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`
