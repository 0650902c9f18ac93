import { Value } from 'typebox/value'
import { Instruction, type Publication, removedMessage } from '#features/live-updates/calls/realtime.ts'
import type { Topic } from '#kernel/kinds.ts'
import type { JournalAction } from '../../platform/db/journal.ts'
import { sentence } from '../../platform/errors.ts'
import { type CloseCode, closeCodes } from '../hub/codes.ts'

/** The columns of a journal row that the feed reads. */
export interface FeedEntry {
  xid: string
  position: string
  action: string
  subjectType: string
  subjectUid: string
  eventUid: string | null
  actorSignInUid: string | null
  floorUid: string | null
  /** The floor before the change, if the change moved someone. */
  formerFloorUid: string | null
  /** The thread's id from the point of view of the subject's channel. */
  threadUid: string | null
  /** Unvalidated values from the journal. */
  unreadFrom: unknown
  wardenUnread: unknown
  evacueeUnread: unknown
  evacueeUnreadCount: unknown
  liveFrom: unknown
  /** What was sent: kind and floors. */
  instruction: unknown
  instructionUid: string | null
  /** Who made the offer. */
  offeredByUid: string | null
}

interface ChannelPublication {
  channel: string
  data: Publication
}

/** Sockets that a change closes: those of one participation, or all of one event. */
interface Closing {
  who: { sub: string } | { channel: string }
  close: CloseCode
  /** Milliseconds until the socket is closed, so that the publication can be read first. */
  afterMs: number
}

interface Consequences {
  publications: ChannelPublication[]
  closings: Closing[]
}

const eventChannel = (eventUid: string) => `event:${eventUid}`
const wardenChannel = (signInUid: string) => `warden:${signInUid}`

/** Stands for an id that the entry does not name. */
const anyId = ''
/** More ids than this become an empty list, which means "any of them". */
const maxIds = 50
/** With the spread of a quarter, the socket is closed within 2 s even if only the poll finds the change. */
const noticeMs = 800

/**
 * Returns one publication per affected channel for the entries of one transaction, and the sockets they close.
 */
export function consequencesOf(entries: readonly FeedEntry[]): Consequences {
  const outcome = new Outcome()
  for (const entry of entries) effectOf(entry.action)?.(outcome, entry)
  return outcome.result()
}

type Effect = (outcome: Outcome, entry: FeedEntry) => void

const attendanceChanged: Effect = (outcome, entry) => outcome.changed(entry, 'attendance', entry.subjectUid)

/** A building that is added or removed brings or takes its floors, evacuees and wardens. */
const buildingsChanged: Effect = (outcome, entry) => {
  outcome.changed(entry, 'event', entry.subjectUid)
  for (const topic of ['floor', 'evacuee', 'attendance'] as const) outcome.changed(entry, topic, anyId)
}

/**
 * A thread with an evacuee is visible to everyone. A thread between two wardens affects their own channels
 * only.
 */
const evacueeThreadChanged: Effect = (outcome, entry) => outcome.changed(entry, 'message', entry.subjectUid)
const wardenThreadChanged: Effect = (outcome, { subjectUid, threadUid }) => {
  if (threadUid) outcome.changedForWarden(subjectUid, 'message', threadUid)
}

/** The floor that someone left has changed too. */
const evacueeChanged: Effect = (outcome, entry) => {
  outcome.changed(entry, 'evacuee', entry.subjectUid)
  if (entry.floorUid) outcome.changed(entry, 'floor', entry.floorUid)
  if (entry.formerFloorUid) outcome.changed(entry, 'floor', entry.formerFloorUid)
}

/** Of a warden the entry is about the participation, of everyone else about the person. */
const personChanged: Effect = (outcome, entry) =>
  outcome.changed(entry, entry.subjectType === 'sign_in' ? 'attendance' : 'evacuee', entry.subjectUid)

/** Who goes out of use, or comes back, stays to be accounted for. */
const personInUseChanged: Effect = (outcome, entry) => {
  outcome.changed(entry, 'evacuee', entry.subjectUid)
  outcome.changed(entry, 'attendance', anyId)
}

const commandChanged: Effect = (outcome, entry) => outcome.changed(entry, 'command', anyId)
/** Reports are read in pages: which of them it was says nothing. */
const reportsChanged: Effect = (outcome, entry) => outcome.changed(entry, 'report', anyId)
const hazardsChanged: Effect = (outcome, entry) => outcome.changed(entry, 'command', anyId)

/** An assignment taken up or left during an event changes the number of wardens and of evacuees. */
const assignmentChanged: Effect = (outcome, entry) => {
  outcome.changed(entry, 'assignment', entry.subjectUid)
  outcome.changed(entry, 'attendance', anyId)
  outcome.changed(entry, 'evacuee', anyId)
}

const noLongerAuthorized: Effect = (outcome, entry) => {
  const { subjectUid } = entry
  attendanceChanged(outcome, entry)
  outcome.changed(entry, 'evacuee', anyId)
  outcome.tellWarden(subjectUid, { status: 'unauthorized_access', message: sentence.unauthorized_access })
  outcome.close({ who: { sub: subjectUid }, close: closeCodes.unauthorized, afterMs: noticeMs })
}

/** Everyone reads everything again, and their phones learn that it is no drill. */
const drillMadeLive: Effect = (outcome, entry) => {
  outcome.madeLive(entry)
  outcome.changed(entry, 'event', entry.subjectUid)
  for (const topic of ['evacuee', 'floor', 'text'] as const) outcome.changed(entry, topic, anyId)
}

/** Everyone sees who looks after which floor. */
const claimChanged: Effect = (outcome, entry) => {
  outcome.changed(entry, 'coverage', entry.subjectUid)
  outcome.changed(entry, 'floor', entry.subjectUid)
}

/** An offer is read by the two wardens: each finds the own participation in `ids`. */
const offerChanged: Effect = (outcome, { subjectUid, offeredByUid }) => {
  outcome.changedForWarden(subjectUid, 'coverage', subjectUid)
  if (offeredByUid) outcome.changedForWarden(offeredByUid, 'coverage', offeredByUid)
}

/** What each action of the journal publishes. 'nothing' concerns no screen. */
const effects: Record<JournalAction, Effect | 'nothing'> = {
  signed_in: 'nothing',
  session_ended: (outcome, { subjectUid }) =>
    outcome.close({ who: { sub: subjectUid }, close: closeCodes.signedOut, afterMs: 0 }),
  organisation_suspended: 'nothing',
  organisation_resumed: 'nothing',
  password_changed: 'nothing',
  password_link_sent: 'nothing',
  organisation_set_up: 'nothing',
  person_added: 'nothing',
  person_changed: personChanged,
  person_deactivated: personInUseChanged,
  person_reactivated: personInUseChanged,
  person_signed_out: 'nothing',
  person_erased: 'nothing',
  person_merged: 'nothing',
  place_added: 'nothing',
  place_changed: (outcome, entry) => outcome.changed(entry, 'floor', anyId),
  role_changed: 'nothing',
  group_changed: 'nothing',
  contact_regained: 'nothing',
  late_record: 'nothing',
  record_closed: 'nothing',
  record_entry_added: (outcome, entry) => outcome.changed(entry, 'event', entry.subjectUid),
  record_held: 'nothing',
  record_names_seen: 'nothing',
  record_exported: 'nothing',
  observer_link_made: 'nothing',
  observer_link_ended: 'nothing',
  list_changed: (outcome, entry) => outcome.changed(entry, 'floor', anyId),
  administrator_appointed: 'nothing',
  administrator_revoked: 'nothing',
  console_signed_in: 'nothing',
  console_signed_out: 'nothing',
  second_factor_set: 'nothing',
  second_factor_reset: 'nothing',
  recovery_code_used: 'nothing',
  recovery_codes_renewed: 'nothing',
  invitation_sent: 'nothing',
  invitation_shown: 'nothing',
  invitation_accepted: 'nothing',
  place_retired: 'nothing',
  place_brought_back: 'nothing',
  waiting_made: 'nothing',
  waiting_happened: 'nothing',
  waiting_dropped: 'nothing',
  settings_changed: 'nothing',
  plan_viewed: 'nothing',
  plan_changed: personChanged,
  data_exported: 'nothing',
  tables_applied: 'nothing',
  tables_undone: 'nothing',
  wall_made: 'nothing',
  wall_ended: 'nothing',
  log_moved: 'nothing',
  assignment_changed: assignmentChanged,
  assignment_ended: noLongerAuthorized,
  event_started: 'nothing',
  buildings_added: buildingsChanged,
  buildings_removed: buildingsChanged,
  event_ended: (outcome, entry) => outcome.concluded(entry),
  drill_made_live: drillMadeLive,
  live_seen: (outcome, entry) => outcome.changed(entry, 'event', entry.subjectUid),
  command_changed: commandChanged,
  command_silent: commandChanged,
  command_heard: commandChanged,
  instruction_sent: (outcome, entry) => outcome.instructed(entry),
  instruction_understood: (outcome, entry) =>
    outcome.changedForWarden(entry.subjectUid, 'command', entry.instructionUid ?? anyId),
  hazard_noted: hazardsChanged,
  hazard_over: hazardsChanged,
  pack_made: 'nothing',
  pack_opened: 'nothing',
  pack_ended: 'nothing',
  plan_notice_sent: 'nothing',
  self_report_made: reportsChanged,
  calls_for_help_counted: reportsChanged,
  self_report_handled: reportsChanged,
  report_page_changed: reportsChanged,
  texts_sent: (outcome, entry) => outcome.changed(entry, 'text', entry.subjectUid),
  warden_reported_in: attendanceChanged,
  warden_rejoined: attendanceChanged,
  warden_not_available: attendanceChanged,
  warden_off_duty: (outcome, entry) => {
    attendanceChanged(outcome, entry)
    outcome.close({ who: { sub: entry.subjectUid }, close: closeCodes.signedOut, afterMs: 0 })
  },
  warden_removed: (outcome, entry) => {
    attendanceChanged(outcome, entry)
    outcome.tellWarden(entry.subjectUid, { status: 'removed', message: removedMessage })
    outcome.close({ who: { sub: entry.subjectUid }, close: closeCodes.removedFromEvent, afterMs: noticeMs })
  },
  report_in_link_sent: 'nothing',
  evacuee_status_set: evacueeChanged,
  evacuee_refusal_set: evacueeChanged,
  floor_status_set: (outcome, entry) => outcome.changed(entry, 'floor', entry.subjectUid),
  message_sent: (outcome, entry) => {
    outcome.tellWarden(entry.subjectUid, unreadOf(entry))
    wardenThreadChanged(outcome, entry)
  },
  messages_read: wardenThreadChanged,
  unread_changed: (outcome, entry) => outcome.tellWarden(entry.subjectUid, unreadOf(entry)),
  evacuee_message_sent: evacueeThreadChanged,
  contradiction_kept: (outcome, entry) => outcome.changed(entry, 'report', entry.subjectUid),
  evacuee_group_messaged: (outcome, entry) => outcome.changed(entry, 'message', anyId),
  evacuee_messages_read: evacueeThreadChanged,
  evacuee_replied: evacueeThreadChanged,
  sms_refused: personChanged,
  sms_accepted: personChanged,
  floor_claimed: claimChanged,
  floor_given_back: claimChanged,
  floor_offered: offerChanged,
  floor_offer_answered: offerChanged,
}

/** Every action that this version writes. */
export const journalActions = Object.keys(effects) as JournalAction[]

/** A node of a newer version may have written an action that this one does not know: it publishes nothing. */
function effectOf(action: string): Effect | undefined {
  const effect = Object.hasOwn(effects, action) ? effects[action as JournalAction] : 'nothing'
  return effect === 'nothing' ? undefined : effect
}

/** Only what the entry states: an omitted field leaves the banner unchanged. */
function unreadOf({ unreadFrom, wardenUnread, evacueeUnread, evacueeUnreadCount }: FeedEntry): Partial<Publication> {
  return {
    ...(Array.isArray(unreadFrom) && { unread_messages_from_wardens: unreadFrom.map(String) }),
    ...(typeof wardenUnread === 'boolean' && { warden_unread_msg: wardenUnread }),
    ...(typeof evacueeUnread === 'boolean' && { evacuee_unread_msg: evacueeUnread }),
    ...(typeof evacueeUnreadCount === 'number' && { evacuee_unread_count: evacueeUnreadCount }),
  }
}

const gravity: Record<string, number> = { ok: 0, removed: 1, unauthorized_access: 2 }

class Outcome {
  readonly #data = new Map<string, Publication>()
  readonly #touched = new Map<string, Map<Topic, Set<string>>>()
  readonly #closings: Closing[] = []

  changed({ eventUid }: FeedEntry, topic: Topic, id: string) {
    if (eventUid !== null) this.#changedOn(eventChannel(eventUid), topic, id)
  }

  changedForWarden(signInUid: string, topic: Topic, id: string) {
    this.#changedOn(wardenChannel(signInUid), topic, id)
  }

  #changedOn(channel: string, topic: Topic, id: string) {
    this.#publication(channel)
    const topics = this.#touched.get(channel) ?? new Map<Topic, Set<string>>()
    topics.set(topic, (topics.get(topic) ?? new Set()).add(id))
    this.#touched.set(channel, topics)
  }

  /** The only publication with a false event status. */
  concluded({ eventUid, subjectUid, actorSignInUid }: FeedEntry) {
    const channel = eventChannel(eventUid ?? subjectUid)
    this.#publication(channel).event = { status: false, ended_by: actorSignInUid }
    this.close({ who: { channel }, close: closeCodes.eventEnded, afterMs: noticeMs })
  }

  madeLive({ eventUid, subjectUid, liveFrom }: FeedEntry) {
    const news = { event_kind: 'live', ...(typeof liveFrom === 'string' && { live_from: liveFrom }) } as const
    Object.assign(this.#publication(eventChannel(eventUid ?? subjectUid)), news)
  }

  /** Phones that know their floors show the word at once. The sentence is read. */
  instructed(entry: FeedEntry) {
    this.changed(entry, 'command', anyId)
    const instruction = presentInstruction(entry)
    if (instruction && entry.eventUid) this.#publication(eventChannel(entry.eventUid)).instruction = instruction
  }

  /** Of several messages in one transaction, the most serious one keeps its status and text. */
  tellWarden(signInUid: string, news: Partial<Publication>) {
    const known = this.#publication(wardenChannel(signInUid))
    const isGraver = (gravity[news.status ?? 'ok'] ?? 0) >= (gravity[known.status] ?? 0)
    Object.assign(known, news, isGraver ? {} : { status: known.status, message: known.message })
  }

  close(closing: Closing) {
    this.#closings.push(closing)
  }

  result(): Consequences {
    const publications = [...this.#data].map(([channel, data]) => {
      const topics = this.#touched.get(channel)
      return { channel, data: topics ? { ...data, changed: [...topics].map(presentChanged) } : data }
    })
    return { publications, closings: this.#closings }
  }

  #publication(channel: string): Publication {
    const known = this.#data.get(channel)
    if (known) return known
    const fresh: Publication = { status: 'ok', message: null, event: { status: true, ended_by: null } }
    this.#data.set(channel, fresh)
    return fresh
  }
}

/** Undefined if the entry says something else. */
function presentInstruction({ instructionUid, instruction }: FeedEntry): Publication['instruction'] {
  const { kind, floors } = (instruction ?? {}) as Record<string, unknown>
  const told = { id: instructionUid, kind, floors }
  return Value.Check(Instruction, told) ? told : undefined
}

function presentChanged([topic, ids]: [Topic, Set<string>]) {
  return { topic, ids: ids.size > maxIds || ids.has(anyId) ? [] : [...ids] }
}
