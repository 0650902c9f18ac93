import type { markWords, recordFigures } from './words.ts'

/** Closed lists of the records of events, for both sides. This file has no schema, because the browser imports it. */

/** What an event manager adds to a record. All optional. */
export const recordFacts = [
  ...(['scenario', 'how_it_began', 'extent', 'weather', 'fire_service_called', 'fire_service_arrived'] as const),
  ...(['fire_service_left', 'all_clear', 'head_count'] as const),
] as const

export type RecordFact = (typeof recordFacts)[number]

export const recordExtents = ['Whole site', 'Part of the site', 'Wardens only'] as const

/** An event that is in no trend. */
export const startedByMistake = 'Started by mistake'

/** The first is the preset. */
export const recordOutcomes = ['Not known yet', 'Emergency', 'False alarm', 'Precaution', startedByMistake] as const

export type TimelineMark = keyof typeof markWords

export const observationTones = ['Went well', 'To improve', 'Note'] as const

export const checklistAnswers = ['Yes', 'No', 'Not seen'] as const

export type RecordFigure = keyof typeof recordFigures

export const actionPriorities = ['High', 'Medium', 'Low'] as const

export const actionStates = ['open', 'done', 'verified', 'reopened'] as const

/** Files of a record, and whose names stand in them. The first choice of names is not the preset. */
export const exportFormats = ['pdf', 'csv', 'bundle'] as const

export type ExportFormat = (typeof exportFormats)[number]

export const exportNames = ['none', 'needed', 'all'] as const

export type ExportNames = (typeof exportNames)[number]

export const exportStates = ['making', 'ready', 'failed'] as const

/** Days after the end for which an observer's link is good. */
export const observerLinkDays = 7
