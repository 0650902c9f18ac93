import { Value } from 'typebox/value'
import { type ActionWithEffect, actions, type JournalAction } from '#features/live-updates/actions.ts'
import { type Changed, Instruction, type Publication, removedMessage } from '#features/live-updates/calls/realtime.ts'
import type { Topic } from '#kernel/kinds.ts'
import { sentence } from '../../platform/errors.ts'
import { type CloseCode, closeCodes } from '../hub/codes.ts'
import { isGraver, maxIds } from './join.ts'

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
  /** It may raise an alarm. */
  isAlarm: boolean
}

interface ChannelPublication {
  channel: string
  data: Publication
  /** An instruction, another action, an end or an alarm: it never waits for others. */
  isUrgent?: true
}

/** Sockets that a change closes: those of one participation, or all of one event. */
export interface Closing {
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
/** With the spread of a quarter, the socket is closed within 2 s even if only the poll finds the change. */
const noticeMs = 800

/**
 * Returns one publication per affected channel for the entries of one transaction, and the sockets they close.
 */
export function consequencesOf(entries: readonly FeedEntry[]): Consequences {
  const outcome = new Outcome()
  for (const entry of entries) {
    for (const [topic, which] of Object.entries(actions.get(entry.action)?.topics ?? {}))
      outcome.changed(entry, topic as Topic, which === 'any' ? anyId : entry.subjectUid)
    if (Object.hasOwn(effects, entry.action)) effects[entry.action as ActionWithEffect](outcome, entry)
    if (entry.isAlarm || urgentActions.has(entry.action)) outcome.hurry(entry)
  }
  return outcome.result()
}

type Effect = (outcome: Outcome, entry: FeedEntry) => void

/** What people have to do changes with them. */
const urgentActions: ReadonlySet<string> = new Set<JournalAction>([
  ...(['instruction_sent', 'event_ended', 'drill_made_live', 'action_changed'] as const),
])

/** Where the people of these entries are, and were. Of others nothing is known. */
const namesFloors: ReadonlySet<string> = new Set<JournalAction>(['evacuee_status_set', 'evacuee_refusal_set'])
const floorsOf = ({ action, floorUid, formerFloorUid }: FeedEntry) =>
  namesFloors.has(action) ? [floorUid, formerFloorUid].filter((floor) => floor !== null) : []

/** Of a warden the entry is about the participation, of everyone else about the person. */
const personChanged: Effect = (outcome, entry) =>
  outcome.changed(entry, entry.subjectType === 'sign_in' ? 'attendance' : 'evacuee', entry.subjectUid)

/** The floors of someone who was seen or has moved: the one that they left has changed too. */
const floorsChanged: Effect = (outcome, entry) => {
  for (const floor of floorsOf(entry)) outcome.changed(entry, 'floor', floor)
}

/** A thread between two wardens affects their own channels only. */
const wardenThreadChanged: Effect = (outcome, { subjectUid, threadUid }) => {
  if (threadUid) outcome.changedForWarden(subjectUid, 'message', threadUid)
}

/** An offer is read by the two wardens: each finds the own participation in `ids`. */
const offerChanged: Effect = (outcome, { subjectUid, offeredByUid }) => {
  outcome.changedForWarden(subjectUid, 'coverage', subjectUid)
  if (offeredByUid) outcome.changedForWarden(offeredByUid, 'coverage', offeredByUid)
}

const signedOut: Effect = (outcome, { subjectUid }) =>
  outcome.close({ who: { sub: subjectUid }, close: closeCodes.signedOut, afterMs: 0 })

/** What an action does beside the topics of its row. */
const effects: Readonly<Record<ActionWithEffect, Effect>> = {
  session_ended: signedOut,
  warden_off_duty: signedOut,
  warden_removed: (outcome, { subjectUid }) => {
    outcome.tellWarden(subjectUid, { status: 'removed', message: removedMessage })
    outcome.close({ who: { sub: subjectUid }, close: closeCodes.removedFromEvent, afterMs: noticeMs })
  },
  assignment_ended: (outcome, { subjectUid }) => {
    outcome.tellWarden(subjectUid, { status: 'unauthorized_access', message: sentence.unauthorized_access })
    outcome.close({ who: { sub: subjectUid }, close: closeCodes.unauthorized, afterMs: noticeMs })
  },
  event_ended: (outcome, entry) => outcome.concluded(entry),
  drill_made_live: (outcome, entry) => outcome.madeLive(entry),
  instruction_sent: (outcome, entry) => outcome.instructed(entry),
  instruction_understood: (outcome, { subjectUid, instructionUid }) =>
    outcome.changedForWarden(subjectUid, 'command', instructionUid ?? anyId),
  person_changed: personChanged,
  plan_changed: personChanged,
  sms_refused: personChanged,
  sms_accepted: personChanged,
  evacuee_status_set: floorsChanged,
  evacuee_refusal_set: floorsChanged,
  message_sent: (outcome, entry) => {
    outcome.tellWarden(entry.subjectUid, unreadOf(entry))
    wardenThreadChanged(outcome, entry)
  },
  messages_read: wardenThreadChanged,
  unread_changed: (outcome, entry) => outcome.tellWarden(entry.subjectUid, unreadOf(entry)),
  floor_offered: offerChanged,
  floor_offer_answered: offerChanged,
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

class Outcome {
  readonly #data = new Map<string, Publication>()
  readonly #touched = new Map<string, Map<Topic, Set<string>>>()
  readonly #closings: Closing[] = []
  readonly #urgent = new Set<string>()
  /** By channel: the floors of the people that changed, and `anyId` if one may be anywhere. */
  readonly #floors = new Map<string, Set<string>>()

  changed(entry: FeedEntry, topic: Topic, id: string) {
    if (entry.eventUid === null) return
    const channel = eventChannel(entry.eventUid)
    this.#changedOn(channel, topic, id)
    if (topic === 'evacuee') this.#changedOnFloors(channel, floorsOf(entry))
  }

  #changedOnFloors(channel: string, floors: readonly string[]) {
    const known = this.#floors.get(channel) ?? new Set()
    for (const floor of floors.length > 0 ? floors : [anyId]) known.add(floor)
    this.#floors.set(channel, known)
  }

  hurry({ eventUid, subjectUid }: FeedEntry) {
    this.#urgent.add(eventChannel(eventUid ?? subjectUid))
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
    const instruction = presentInstruction(entry)
    if (instruction && entry.eventUid) this.#publication(eventChannel(entry.eventUid)).instruction = instruction
  }

  /** Of several messages in one transaction, the most serious one keeps its status and text. */
  tellWarden(signInUid: string, news: Partial<Publication>) {
    const known = this.#publication(wardenChannel(signInUid))
    const kept = isGraver(news.status, known.status) ? {} : { status: known.status, message: known.message }
    Object.assign(known, news, kept)
  }

  close(closing: Closing) {
    this.#closings.push(closing)
  }

  result(): Consequences {
    const publications = [...this.#data].map(([channel, data]) => ({
      channel,
      data: this.#withChanges(channel, data),
      ...(this.#urgent.has(channel) && { isUrgent: true as const }),
    }))
    return { publications, closings: this.#closings }
  }

  #withChanges(channel: string, data: Publication): Publication {
    const topics = this.#touched.get(channel)
    if (!topics) return data
    const floors = this.#floors.get(channel)
    return { ...data, changed: [...topics].map(([topic, ids]) => presentChanged(topic, ids, floors)) }
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

function presentChanged(topic: Topic, ids: Set<string>, floors: Set<string> = new Set([anyId])): Changed {
  const changed = { topic, ids: listed(ids) ?? [] }
  const where = topic === 'evacuee' ? listed(floors) : undefined
  return where ? Object.assign(changed, { floors: where }) : changed
}

/** Undefined: any of them. */
const listed = (ids: Set<string>) => (ids.size > maxIds || ids.has(anyId) ? undefined : [...ids])
