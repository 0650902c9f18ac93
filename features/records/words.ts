import type { EventKind } from '#kernel/vocabulary.ts'

/** Figures that a correction names, in words. The first is of a building or a floor, the others of the event. */
export const recordFigures = {
  clear_after: 'Clear after',
  safe: 'Safe',
  unknown: 'Unknown',
  danger: 'In danger',
  people: 'To be accounted for',
  everyone_after: 'Everyone accounted for after',
  refused: 'Refused to leave',
  floors_clear: 'Reported clear',
  wardens: 'Wardens',
  reported_in: 'Reported in',
  not_available: 'Not available',
  half_answered: '50% had answered after',
  most_answered: '80% had answered after',
  nearly_all_answered: '90% had answered after',
  half_delivered: 'Half were delivered within',
  most_delivered: '90% were delivered within',
  planned: 'People with a plan',
  planned_safe_after: 'The last was safe after',
} as const

/** What each sentence of a summary is about, for a correction of one that the record lacks. The first is sentence 1. */
export const sentenceTopics = [
  ...(['When and where it was', 'Who started and ended it', 'Whether people were told'] as const),
  ...(['How many people there were', 'When everyone was accounted for', 'Floors reported clear'] as const),
  ...(['Floors cleared too early', 'Answers of wardens', 'Floors without a warden', 'People who refused'] as const),
  ...(['People with an evacuation plan', 'Texts', 'Records that came late', 'Wardens out of contact'] as const),
  ...(['The comparison', 'Open actions from earlier', 'Who opened evacuation plans'] as const),
  ...([
    'The drill before it became live',
    'People who left with a building',
    'People who were once in danger',
  ] as const),
  ...(['Calls for help', 'Outages', 'Times without contact', 'Instructions'] as const),
  'Changes of the action',
] as const

export const contactNotMeasured = 'Contact was not measured for this event.'

/** What texts were for. */
export const purposeWords: Readonly<Record<string, string>> = {
  event_message: 'Message to everyone',
  warden_alert: 'Alert to wardens',
  message: 'Messages',
  report_in_link: 'Report-in links',
  event_concluded: 'End of the event',
}

/** What it was, within a sentence. */
export const kindName: Record<EventKind, string> = { drill: 'drill', live: 'live event' }

/** What an entry of the timeline is marked for, in words. */
export const markWords = {
  danger: 'Danger',
  refusal: 'Refusal',
  help: 'Call for help',
  outage: 'Outage',
  broken: 'Log broken',
  changed: 'Not as logged',
  missing: 'Missing',
} as const

/** Letter for letter. */
export const signOffSentence = 'I have read this record. It is complete and correct as far as I know.'

/** What is asked where an organisation has no items of its own. These twelve texts are fixed. */
export const checklist = [
  'Alarm heard everywhere?',
  'Wardens wore identification?',
  'Areas searched?',
  'Doors closed behind?',
  'Lifts not used?',
  'People with an evacuation plan assisted?',
  'Exits and stairs free?',
  'Nobody went back in?',
  'Assembly area reached and safe?',
  'Reports to the chief warden clear?',
  'Visitors and contractors included?',
  'Debrief held?',
] as const

export const linkEnded = 'This link no longer works.'

/** Sentences of refusals that only readers of records meet. Apart, because the wardens' first load does without them. */
export const recordRefusals = {
  record_not_ready: 'The record is still being written.',
  record_changed: 'Someone changed this a moment ago. Look at it again.',
  pdf_unavailable: 'PDF is not installed on this server. Use Print.',
  too_many_links: 'End a link first.',
  link_ended: linkEnded,
} as const

export const noTextsSent = 'No texts were sent: text messages are switched off.'
export const noClearStatus = 'No floor status of this organisation means clear. Mark one to get clear times.'

/** Of a record that was written without what an open transaction may add. */
export const writtenEarlyWords =
  'Written while a transaction was open for over 10 minutes. Entries that came later are in the log, not in these figures.'
