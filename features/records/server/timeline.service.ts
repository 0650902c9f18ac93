import { wordOfInstruction } from '#features/command/instruction-word.ts'
import { instructionKinds } from '#features/command/kinds.ts'
import { type ActionWithOwnLine, actions, inWords } from '#features/live-updates/actions.ts'
import { newestHead } from '#features/log/server/heads.service.ts'
import { type EventWords, readWords } from '#features/log/server/names/names-kept.service.ts'
import { compareRows, listMissingEntries } from '#features/log/server/shown-rows.queries.ts'
import { erasedWords, notAsLogged, openedWords } from '#features/log/words.ts'
import { wordOf as wordOfAction } from '#kernel/action-words.ts'
import { actionCodes } from '#kernel/actions.ts'
import type { ClientUid, EventUid } from '#kernel/ids.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import { safetyLabel, safetyStatuses } from '#kernel/vocabulary.ts'
import { journalReader, type Reader } from '#server/http/warden-or-administrator.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import type { JsonObject } from '#server/platform/db/tables.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { listTimeline, TimelineEntry } from '../calls/records.ts'
import { durationOf, textDeletedOn } from '../figures.ts'
import { type Reach, reachOf, requireRecord } from './record-access.service.ts'
import {
  entriesOfPage,
  hasSeenLately,
  listTimelineRows,
  type TimelineKey,
  type TimelineRow,
} from './timeline.queries.ts'
import { markOf } from './timeline-marks.ts'

/** Records that took longer are late. */
const lateSeconds = 30
/** Entries of an export read at one time. */
const exportedAtOnce = 1_000

/** Who reads names in it is journaled once an hour. */
export async function presentTimeline(
  tx: Tx,
  reader: Reader,
  eventUid: EventUid,
  { after, ...query }: CallInput<typeof listTimeline>['query'],
): Promise<CallAnswer<typeof listTimeline>> {
  const reach = await reachOf(tx, reader)
  const { state, isWhole } = await requireRecord(tx, reach, eventUid)
  if (state === 'writing' || state === 'failed') throw new Refusal('record_not_ready')
  const key = after === undefined ? null : readKey(after)
  const rows = await listTimelineRows(tx, reach, { eventUid, isWhole, ...query, after: key, most: entriesOfPage })
  if (rows.length > 0 && !(await hasSeenLately(tx, reader, eventUid)))
    await record(tx, journalReader(reader), {
      action: 'record_names_seen',
      subjectType: 'event',
      subjectUid: eventUid,
      eventUid,
      after: { list: 'timeline' },
    })
  const page = rows.slice(0, entriesOfPage)
  const last = page.at(-1)
  const isMore = rows.length > page.length
  const of = { clientUid: reach.clientUid, eventUid }
  const { shown, leftOut } = await sealedOnly(tx, of, page)
  const words = await readWords(tx, of)
  const entries = shown.map((row) => present(row, isWhole, words))
  const isEverything = isWhole && query.show === 'all' && !(query.person || query.floor || query.action || query.late)
  return {
    entries: isEverything ? await withMissing(tx, of, entries, { key, isMore }) : entries,
    next: isMore && last ? keyOf(last) : null,
    left_out: leftOut,
  }
}

type SealedRow = TimelineRow & { n: number; isAsLogged: boolean }

/** Rows that the log has, each compared with it. `leftOut`: those that it never had. What is not sealed yet comes later. */
async function sealedOnly(
  tx: Tx,
  of: LogOf,
  rows: readonly TimelineRow[],
): Promise<{ shown: SealedRow[]; leftOut: number }> {
  const compared = await compareRows(tx, of, rows)
  const found = rows.map((row) => ({ row, at: compared.get(row.position) }))
  return {
    shown: found.flatMap(({ row, at }) => (at?.n == null ? [] : [{ ...row, n: at.n, isAsLogged: at.isAsLogged }])),
    leftOut: found.filter(({ at }) => at?.n == null && at?.isBehind).length,
  }
}

/** 'Entry 12 is missing.' in the place of each that is gone, between the entries of this page and before them. */
async function withMissing(
  tx: Tx,
  of: LogOf,
  entries: TimelineEntry[],
  { key, isMore }: { key: TimelineKey | null; isMore: boolean },
): Promise<TimelineEntry[]> {
  const numbers = entries.flatMap(({ n }) => n ?? [])
  const before = key && (await compareRows(tx, of, [key])).get(key.position)?.n
  const to = isMore ? Math.max(0, ...numbers) : ((await newestHead(tx, of))?.size ?? 0)
  const missing = await listMissingEntries(tx, of, (before ?? 0) + 1, to)
  const shown = missing.map((n): TimelineEntry => {
    const at = entries.findLast((entry) => (entry.n ?? 0) < n) ?? entries[0]
    return {
      id: `missing.${n}`,
      action: 'missing',
      what: `Entry ${n} is missing.`,
      who: null,
      role: null,
      recorded_at: at?.recorded_at ?? new Date(0).toISOString(),
      seen_at: null,
      phone: null,
      late: null,
      overruled: false,
      n,
      mark: 'missing',
    }
  })
  return shown.length === 0 ? entries : [...entries, ...shown].sort((a, b) => (a.n ?? 0) - (b.n ?? 0))
}

/** The whole timeline of the reach, from its beginning. */
export async function* readTimeline(
  tx: Tx,
  reach: Reach,
  { eventUid, isWhole, show }: { eventUid: EventUid; isWhole: boolean; show: 'moments' | 'all' },
): AsyncGenerator<TimelineEntry> {
  const of = { clientUid: reach.clientUid, eventUid }
  const words = await readWords(tx, of)
  for (let after: TimelineKey | null = null; ; ) {
    const rows: TimelineRow[] = await listTimelineRows(tx, reach, {
      eventUid,
      isWhole,
      show,
      after,
      most: exportedAtOnce,
    })
    const { shown } = await sealedOnly(tx, of, rows.slice(0, exportedAtOnce))
    for (const row of shown) yield present(row, isWhole, words)
    const last = rows[exportedAtOnce - 1]
    if (rows.length <= exportedAtOnce || !last) return
    after = last
  }
}

interface LogOf {
  clientUid: ClientUid
  eventUid: EventUid
}

const keyOf = ({ xid, position }: TimelineKey) => `${xid}.${position}`

function readKey(key: string): TimelineKey {
  const found = /^(\d{1,18})\.(\d{1,18})$/.exec(key)
  if (!found) throw new Refusal('invalid_request', undefined, ['query/after'])
  return { xid: found[1] as string, position: found[2] as string }
}

function present(told: SealedRow, isWhole: boolean, words: EventWords): TimelineEntry {
  const row = inWordsOfThen(told, words)
  const late = row.observedAt ? Math.floor((row.recordedAt.getTime() - row.observedAt.getTime()) / 1000) : 0
  const isTold = isWhole || row.place !== null
  return {
    id: keyOf(row),
    action: row.action,
    what: told.isAsLogged ? whatOf(isWhole ? row : { ...row, buildings: [] }) : notAsLogged,
    n: told.n,
    who: isTold ? row.actorName : null,
    role: isTold ? row.actorRole : null,
    recorded_at: row.recordedAt.toISOString(),
    seen_at: row.observedAt?.toISOString() ?? null,
    phone: row.phone === null ? null : [`phone ${row.phone}`, row.device].filter(Boolean).join(', '),
    late: late > lateSeconds ? late : null,
    overruled: row.after?.superseded === true || row.after?.overruled === true,
    ...(told.isAsLogged ? markOf(row) : { mark: 'changed' as const }),
  }
}

/** Places, statuses and roles by the names that they had at the entry. An event of an earlier version has only those of now. */
function inWordsOfThen(row: SealedRow, words: EventWords): SealedRow {
  const floor = row.floorUid === null ? undefined : words.floor(row.floorUid, row)
  const building = floor && words.building(floor.buildingUid, row)
  return {
    ...row,
    place: floor && building ? `${building.name} - ${floor.name}` : row.place,
    buildings: row.buildings.map(({ uid, name }) => ({ uid, name: words.building(uid, row)?.name ?? name })),
    statusName: (row.statusUid === null ? undefined : words.status(row.statusUid, row)?.name) ?? row.statusName,
    actorRole: (row.roleUid === null ? undefined : words.role(row.roleUid, row)?.name) ?? row.actorRole,
  }
}

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

/** ' to Shelter: the hall' */
function actionIn({ after }: TimelineRow): string {
  const action = actionCodes.find((one) => one === after?.action)
  if (!action) return ''
  return ` to ${wordOfAction(action)}${typeof after?.where === 'string' ? `, ${after.where}` : ''}`
}

/** ', Tower A - Level 3' */
const placeIn = ({ place }: TimelineRow) => (place ? `, ${place}` : '')
const whomOf = ({ subject }: TimelineRow) => subject ?? 'someone'

/** The `{parts}` of a line. */
const parts: Readonly<Record<string, (row: TimelineRow) => string>> = {
  whom: whomOf,
  subject: ({ subject }) => (subject ? `: ${subject}` : ''),
  message: messageIn,
  instruction: instructionIn,
  gap: gapOf,
  // readers of a part learn no names of others' buildings
  buildings: ({ buildings }) => buildings.map(({ name }) => name).join(', ') || 'buildings',
  kept: ({ after, place }) => (after?.building_uid === undefined ? 'the event' : (place ?? 'a building')),
}

/** The lines that say what the entry holds. */
const ownLines: Readonly<Record<ActionWithOwnLine, (row: TimelineRow) => string>> = {
  action_changed: (row) => `Changed the action${actionIn(row)}${messageIn(row)}`,
  command_changed: ({ after }) => (after?.how === undefined ? 'Asked someone to take command' : 'Took command'),
  command_silent: ({ after }) =>
    after?.on_duty === false ? 'No one is in command' : 'No contact with the person in command',
  late_record: (row) => `Arrived after the end: ${lateWords(row)}${placeIn(row)}`,
  evacuee_status_set: (row) => `${whomOf(row)}: ${wordOf(row.after)}${placeIn(row)}`,
  evacuee_refusal_set: (row) => `${refusalIn(row)}${placeIn(row)}`,
  floor_status_set: (row) => `${row.place ?? whomOf(row)}: ${statusIn(row)}`,
  self_report_made: reportIn,
  calls_for_help_counted: ({ after }) =>
    `${after?.calls === 1 ? 'A call for help' : `${after?.calls} calls for help`} came in beyond the limit of a network`,
  self_report_handled: ({ after }) => handledWords[String(after?.state)] ?? 'Handled a report',
  report_page_changed: pageIn,
  log_opened: ({ after }) => openedWords(after),
  lines_erased: ({ after }) => erasedWords(after),
  service_gap: outageIn,
  record_held: ({ after }) => (after?.hold === true ? 'Put the event on hold' : 'Lifted the hold on the event'),
}

/** What happened, without who did it. */
function whatOf(row: TimelineRow): string {
  const { action } = row
  if (Object.hasOwn(ownLines, action)) return ownLines[action as ActionWithOwnLine](row)
  const line = actions.get(action)?.line ?? `${inWords(action)}{subject}`
  return line.replace(/\{(\w+)\}/g, (part, name) => parts[name]?.(row) ?? part)
}

/** What came, and by which way. Who reports is in no entry. */
function reportIn({ after }: TimelineRow): string {
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
  return row.after?.refused === undefined ? `${whomOf(row)}: ${wordOf(row.after)}` : refusalIn(row)
}

const statusIn = ({ statusName }: TimelineRow) => statusName ?? 'a status that no longer exists'
const refusalIn = (row: TimelineRow) =>
  `${whomOf(row)} ${row.after?.refused === true ? 'refuses to leave' : 'no longer refuses to leave'}`

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
