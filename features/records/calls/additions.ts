import { type Static, Type } from 'typebox'
import { EventUid, PersonUid, PlaceUid, SiteUid } from '#kernel/ids.ts'
import { checklistTextLength } from '#kernel/limits.ts'
import { defineCall } from '#kernel/route.ts'
import { Day, Instant } from '#kernel/vocabulary.schemas.ts'
import {
  actionPriorities,
  actionStates,
  checklistAnswers,
  observationTones,
  type RecordFigure,
  recordFacts,
  recordOutcomes,
} from '../kinds.ts'
import { recordFigures, sentenceTopics } from '../words.ts'

const None = Type.Null()
const Uid = Type.String({ format: 'uuid' })
const Text = (maxLength: number, minLength = 1) => Type.String({ minLength, maxLength })

const Closed = <P extends Type.TProperties>(properties: P) => Type.Object(properties, { additionalProperties: false })

const Observation = Closed({
  tone: Type.Enum([...observationTones]),
  /** A building or floor of the event. */
  place: Type.Optional(PlaceUid),
  text: Text(1000),
})

export type NewAction = Static<typeof NewAction>
export const NewAction = Closed({
  what: Text(200, 5),
  why: Type.Optional(Text(1000)),
  priority: Type.Enum([...actionPriorities]),
  /** A person of the caller's places, whose name the server writes, or any name. */
  owner: Closed({ person: Type.Optional(PersonUid), name: Text(120) }),
  due: Day,
  /** The observation that it comes from. */
  from: Type.Optional(Uid),
})

const ActionStep = Closed({
  /** The action: the `uid` of its first addition. */
  target: Uid,
  /** The last step that the caller knows: the action's own `uid`, or that of its last step. */
  base: Uid,
  step: Type.Enum(['done', 'verified', 'reopened']),
  note: Type.Optional(Text(1000)),
})

/** Of an entry of the timeline, a sentence of the summary by its number, or a figure. */
const Correction = Type.Union([
  Closed({ entry: Text(80), text: Text(1000) }),
  Closed({ sentence: Type.Integer({ minimum: 1, maximum: sentenceTopics.length }), text: Text(1000) }),
  Closed({
    figure: Type.Enum(Object.keys(recordFigures) as RecordFigure[]),
    /** The building or floor of `clear_after`. The server adds that of an entry, too. */
    place: Type.Optional(PlaceUid),
    text: Text(1000),
  }),
])

/** The head of the log that stood when a sign-off was given. The server adds it to the body as `head`. */
export interface SignedAt {
  head?: { size: number; root: string }
}

/** The number of an action in its record, from 1. The server adds it to the body. Absent from older ones. */
export interface Numbered {
  no?: number
}

/** What people add to a record. Never changed, never removed. */
export const additionBodies = {
  fact: Closed({ fact: Type.Enum([...recordFacts]), value: Text(1000) }),
  outcome: Closed({ outcome: Type.Enum([...recordOutcomes]) }),
  observation: Observation,
  checklist: Closed({
    /** As `checklist` of the event lists it, or did. */
    item: Text(checklistTextLength),
    answer: Type.Enum([...checklistAnswers]),
    note: Type.Optional(Text(1000)),
  }),
  action: NewAction,
  action_step: ActionStep,
  correction: Correction,
  sign_off: Closed({ role: Type.Optional(Text(120)) }),
  /** Why someone looked at the names of people with a plan. Made by the server alone. */
  names_reason: Closed({ reason: Text(200, 5) }),
  /** Everything of the event is kept, or no longer. Made by the server alone. */
  hold: Closed({ hold: Type.Boolean(), reason: Text(200, 5) }),
  /** An older record, counted again by the rules of today. Made by the server alone. */
  recount: Closed({ text: Text(20_000) }),
} as const
export type AdditionKind = keyof typeof additionBodies

export type RecordAddition = Static<typeof RecordAddition>
export const RecordAddition = Type.Object({
  uid: Uid,
  kind: Type.Enum(Object.keys(additionBodies) as AdditionKind[]),
  /** By kind as in `additionBodies`. */
  body: Type.Record(Type.String(), Type.Any()),
  by: Type.String(),
  role: Type.Union([Type.String(), None]),
  /** The caller made it. */
  mine: Type.Boolean(),
  observed_at: Type.Union([Type.String(), None]),
  recorded_at: Type.String(),
})

export const addition = <K extends AdditionKind>(kind: K) =>
  Closed({
    kind: Type.Literal(kind),
    body: additionBodies[kind],
    observed_at: Type.Optional(Instant),
  })

/** What the caller may send. `observed_at`: when it was seen, ISO 8601; not in the future, within a day of the event. */
export type NewAddition = Static<typeof NewAddition>
export const NewAddition = Type.Union([
  addition('fact'),
  addition('outcome'),
  addition('observation'),
  addition('checklist'),
  addition('action'),
  addition('action_step'),
  addition('correction'),
  addition('sign_off'),
])

export const addToRecord = defineCall({
  summary:
    'Adds a fact, outcome, observation, answer, action or its step, correction or sign-off. Observations and answers are taken from wardens of the event too',
  method: 'POST',
  path: '/api/event/records/:eventUid/entries',
  params: Type.Object({ eventUid: EventUid }),
  body: NewAddition,
  reply: Type.Object({ entry: RecordAddition }),
  // observations need no flag of who is, or was, on duty in the event: the service looks
  policy: { access: 'session' },
  refusals: ['forbidden', 'not_found', 'record_not_ready', 'record_changed', 'invalid_transition'],
})

/** An action with where it stands. */
export type RecordAction = Static<typeof RecordAction>
export const RecordAction = Type.Object({
  uid: Uid,
  event: EventUid,
  /** Of the record. */
  number: Type.Integer(),
  /** Its own in the record, from 1. Null: it was added before actions had one. */
  no: Type.Union([Type.Integer(), None]),
  site: Type.String(),
  timezone: Type.String(),
  ...NewAction.properties,
  state: Type.Enum([...actionStates]),
  /** Its last step, which the next one names as `base`. */
  base: Uid,
  /** Who said that it is done: someone else verifies. */
  done_by_me: Type.Boolean(),
  mine: Type.Boolean(),
  /** Days until `due` at the site, negative if overdue. */
  due_in: Type.Integer(),
})

export type ActionOwner = Static<typeof ActionOwner>
export const ActionOwner = Type.Object({
  person: PersonUid,
  name: Type.String(),
  /** Building and floor. Null: no floor. */
  place: Type.Union([Type.String(), None]),
})

export const findOwners = defineCall({
  summary: "Up to 20 people of the caller's places who may own an action, by name",
  method: 'GET',
  path: '/api/event/actions/owners',
  query: Type.Object({ q: Type.String({ minLength: 1, maxLength: 100 }) }),
  reply: Type.Object({ people: Type.Array(ActionOwner) }),
  policy: { access: 'session', flag: 'Module_Event_Records' },
})

/** Columns by which the list is sorted. */
const actionSorts = ['no', 'what', 'record', 'site', 'priority', 'owner', 'due', 'state'] as const

export const listActions = defineCall({
  summary: 'Corrective actions of all records within reach, the earliest due first, 20 at a time',
  method: 'GET',
  path: '/api/event/actions',
  query: Type.Object({
    /** `open` has reopened ones too. */
    state: Type.Optional(Type.Enum(['open', 'overdue', 'done', 'verified'])),
    site: Type.Optional(SiteUid),
    mine: Type.Optional(Type.Literal('yes')),
    /** Preset: by their due day, the earliest first. */
    sort: Type.Optional(Type.Enum([...actionSorts])),
    direction: Type.Optional(Type.Enum(['up', 'down'])),
    after: Type.Optional(Type.String({ maxLength: 80 })),
  }),
  reply: Type.Object({
    actions: Type.Array(RecordAction),
    /** Of all within reach, whatever the filter. */
    open: Type.Integer(),
    overdue: Type.Integer(),
    next: Type.Union([Type.String(), None]),
  }),
  policy: { access: 'session', flag: 'Module_Event_Records', orConsole: 'records' },
})
