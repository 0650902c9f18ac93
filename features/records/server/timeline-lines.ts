import { wordOfInstruction } from '#features/command/instruction-word.ts'
import { instructionKinds } from '#features/command/kinds.ts'
import { type ActionWithOwnLine, actions, inWords } from '#features/live-updates/actions.ts'
import { erasedWords, headMailedWords, openedWords } from '#features/log/words.ts'
import { type Say, sayOf, wordOf as wordOfAction } from '#kernel/action-words.ts'
import { actionCodes } from '#kernel/actions.ts'
import { safetyLabel, safetyStatuses } from '#kernel/vocabulary.ts'
import type { JsonObject } from '#server/platform/db/tables.ts'
import { durationOf, textDeletedOn } from '../figures.ts'
import type { TimelineRow } from './timeline.queries.ts'

/** ': “Leave the building.”' Or when it was deleted. */
function messageIn({ after, wordsDeletedAt, timezone }: TimelineRow): string {
  if (after?.message === undefined || after.message === '') return ''
  return wordsDeletedAt ? `: ${textDeletedOn(wordsDeletedAt, timezone)}` : `: “${after.message}”`
}

/** ': Evacuate' */
function instructionIn({ after }: TimelineRow): string {
  const told = after?.instruction
  const named = told && typeof told === 'object' && 'kind' in told ? told.kind : undefined
  const kind = instructionKinds.find((one) => one === named)
  return kind ? `: ${wordOfInstruction(kind)}` : ''
}

/** ' in Tower A to Shelter, the hall' */
function actionIn({ after, buildings }: TimelineRow): string {
  const action = actionCodes.find((one) => one === after?.action)
  if (!action) return ''
  const places = buildings.map(({ name }) => name).join(', ')
  return `${places && ` in ${places}`} to ${wordOfAction(action)}${typeof after?.where === 'string' ? `, ${after.where}` : ''}`
}

/** ', Tower A - Level 3' */
const placeIn = ({ place }: TimelineRow) => (place ? `, ${place}` : '')
const whomOf = ({ subject }: TimelineRow) => subject ?? 'someone'

/** How people of the building were spoken of when the entry was recorded. */
function sayAt({ actions, buildingUid, since }: TimelineRow): Say {
  const told = actions?.findLast(
    ({ seconds, buildings }) => seconds <= since && buildings.some(({ id }) => id === buildingUid),
  )
  const before = told?.buildings.find(({ id }) => id === buildingUid)?.before
  return sayOf(told ? [{ action: told.action, before }] : [])
}

/** The `{parts}` of a line. */
const parts: Readonly<Record<string, (row: TimelineRow) => string>> = {
  whom: whomOf,
  subject: ({ subject }) => (subject ? `: ${subject}` : ''),
  message: messageIn,
  instruction: instructionIn,
  gap: gapOf,
  // readers of a part learn no names of others' buildings
  buildings: ({ buildings }) => buildings.map(({ name }) => name).join(', ') || 'buildings',
  people: ({ after }) => (after?.people === 1 ? '1 person' : `${after?.people} people`),
  kept: ({ after, place }) => (after?.building_uid === undefined ? 'the event' : (place ?? 'a building')),
}

/** The lines that say what the entry holds. */
const ownLines: Readonly<Record<ActionWithOwnLine, (row: TimelineRow) => string>> = {
  action_changed: (row) => `Changed the action${actionIn(row)}${messageIn(row)}`,
  command_changed: ({ after }) => (after?.how === undefined ? 'Asked someone to take command' : 'Took command'),
  command_silent: ({ after }) =>
    after?.on_duty === false ? 'No one is in command' : 'No contact with the person in command',
  late_record: (row) => `Arrived after the end: ${lateWords(row)}${placeIn(row)}`,
  evacuee_status_set: (row) => `${whomOf(row)}: ${sayAt(row)(wordOf(row.after))}${placeIn(row)}`,
  evacuee_refusal_set: (row) => `${refusalIn(row)}${placeIn(row)}`,
  floor_status_set: (row) => `${row.place ?? whomOf(row)}: ${statusIn(row)}`,
  self_report_made: reportIn,
  calls_for_help_counted: ({ after }) =>
    `${after?.calls === 1 ? 'A call for help' : `${after?.calls} calls for help`} came in beyond the limit of a network`,
  self_report_handled: ({ after }) => handledWords[String(after?.state)] ?? 'Handled a report',
  report_page_changed: pageIn,
  log_opened: ({ after }) => openedWords(after),
  log_head_mailed: ({ after }) => headMailedWords(after),
  lines_erased: ({ after }) => erasedWords(after),
  service_gap: outageIn,
  record_held: ({ after }) => (after?.hold === true ? 'Put the event on hold' : 'Lifted the hold on the event'),
}

/** What happened, without who did it. */
export function whatOf(row: TimelineRow): string {
  const { action } = row
  if (Object.hasOwn(ownLines, action)) return ownLines[action as ActionWithOwnLine](row)
  const line = actions.get(action)?.line ?? `${inWords(action)}{subject}`
  return line.replace(/\{(\w+)\}/g, (part, name) => parts[name]?.(row) ?? part)
}

/** What came, and by which way. Who reports is in no entry. */
function reportIn({ after }: TimelineRow): string {
  if (after?.way === 'call') return 'A call for help came in by a key pressed in a telephone call'
  if (after?.way === 'text') return after.says === 'help' ? 'A call for help came in by text' : 'A text came in'
  return `${after?.says === 'help' ? 'A call for help' : 'A “safe” report'} came in by ${after?.way === 'link' ? 'a personal link' : 'the poster'}`
}

const handledWords: Readonly<Record<string, string>> = {
  accepted: 'Accepted a report',
  dismissed: 'Dismissed a report',
  answered: 'Answered a call for help',
  false: 'Marked a call for help as a false alarm',
}

function pageIn({ after }: TimelineRow): string {
  if (after?.texts !== undefined)
    return after.texts === false ? 'Closed texts from unknown numbers' : 'Opened texts from unknown numbers again'
  if (after?.open === undefined) return 'Made a code for the poster'
  return after.open === false ? 'Closed the poster page' : 'Opened the poster page again'
}

/** What the phone had to say. */
function lateWords(row: TimelineRow): string {
  if (row.after?.floor_status_uid) return statusIn(row)
  return row.after?.refused === undefined ? `${whomOf(row)}: ${sayAt(row)(wordOf(row.after))}` : refusalIn(row)
}

const statusIn = ({ statusName }: TimelineRow) => statusName ?? 'a status that no longer exists'
const refusalIn = (row: TimelineRow) =>
  `${whomOf(row)} ${sayAt(row)(row.after?.refused === true ? 'refuses to leave' : 'no longer refuses to leave')}`

/** For how long, from its beginning to the entry itself. */
function outageIn({ after }: TimelineRow): string {
  const seconds = (Date.parse(String(after?.to)) - Date.parse(String(after?.from))) / 1000
  const what = after?.what === 'feed' ? 'Live updates were delayed' : 'The server was unavailable'
  return Number.isFinite(seconds) ? `${what} for ${durationOf(seconds)}` : what
}

/** ' after 3:20'. */
function gapOf({ before, after }: TimelineRow): string {
  const seconds = (Date.parse(String(after?.seen_at)) - Date.parse(String(before?.seen_at))) / 1000
  return Number.isFinite(seconds) ? ` after ${durationOf(seconds)}` : ''
}

export const wordOf = (after: JsonObject | null): string => {
  const status = safetyStatuses.find((one) => one === after?.status)
  return status ? safetyLabel(status, after?.on_floor === true) : 'taken into the event'
}
