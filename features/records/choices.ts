/** Closed lists of the records of events, for both sides. This file has no schema, because the browser imports it. */

/** What an event manager adds to a record. All optional. */
export const recordFacts = [
  ...(['scenario', 'how_it_began', 'extent', 'weather', 'fire_service_called', 'fire_service_arrived'] as const),
  ...(['fire_service_left', 'all_clear', 'head_count'] as const),
] as const
export type RecordFact = (typeof recordFacts)[number]
export const recordExtents = ['Whole site', 'Part of the site', 'Wardens only'] as const
/** The first is the preset. */
export const recordOutcomes = ['Not known yet', 'Emergency', 'False alarm', 'Precaution', 'Started by mistake'] as const
export const observationTones = ['Went well', 'To improve', 'Note'] as const
export const checklistAnswers = ['Yes', 'No', 'Not seen'] as const
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
export type RecordFigure = keyof typeof recordFigures
export const actionPriorities = ['High', 'Medium', 'Low'] as const
export const actionStates = ['open', 'done', 'verified', 'reopened'] as const
/** Letter for letter. */
export const signOffSentence = 'I have read this record. It is complete and correct as far as I know.'

/** Files of a record, and whose names stand in them. The first choice of names is not the preset. */
export const exportFormats = ['pdf', 'csv', 'bundle'] as const
export type ExportFormat = (typeof exportFormats)[number]
export const exportNames = ['none', 'needed', 'all'] as const
export type ExportNames = (typeof exportNames)[number]
export const exportStates = ['making', 'ready', 'failed'] as const

/** What is asked where an organisation has no items of its own. These twelve texts are fixed. */
export const checklist = [
  'Alarm heard everywhere?',
  'Wardens wore identification?',
  'Areas searched?',
  'Doors closed on leaving?',
  'Lifts not used?',
  'People with an evacuation plan assisted?',
  'Exits and stairs clear?',
  'No one went back in?',
  'Assembly area reached and safe?',
  'Reports to the chief warden clear?',
  'Visitors and contractors included?',
  'Debrief held?',
] as const

/** Days after the end for which an observer's link is good. */
export const observerLinkDays = 7
export const linkEnded = 'This link no longer works.'

/** Sentences of refusals that only readers of records meet. Apart, because the wardens' first load does without them. */
export const recordRefusals = {
  record_not_ready: 'The record is still being written.',
  record_changed: 'Someone changed this a moment ago. Look at it again.',
  pdf_unavailable: 'PDF is not installed on this server. Use Print.',
  too_many_links: 'End a link first.',
  link_ended: linkEnded,
} as const
