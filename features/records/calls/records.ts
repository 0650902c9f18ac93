import { type Static, Type } from 'typebox'
import { LogCheck, LogHead } from '#features/log/calls.ts'
import { BuildingUid, EventUid, FloorUid, PersonUid, SiteUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'
import { Day, EventKind } from '#kernel/vocabulary.schemas.ts'
import type { TimelineMark } from '../kinds.ts'
import { markWords } from '../words.ts'
import { RecordAddition } from './additions.ts'
import { EventRecord, RecordResult, recordResults } from './record.ts'

const None = Type.Null()
const After = Type.Optional(Type.String({ maxLength: 80 }))
const Next = Type.Union([Type.String(), None])
/** Wardens by their module, and administrators of the organisation or a site. */
const policy = { access: 'session', flag: 'Module_Event_Records', orConsole: 'records' } as const
const ofEvent = Type.Object({ eventUid: EventUid })

/** `writing` until the worker has written it, `failed` while it tries again each minute. */
export type RecordState = Static<typeof RecordState>
export const RecordState = Type.Enum(['writing', 'ready', 'failed', 'reduced'])

export type RecordCard = Static<typeof RecordCard>
export const RecordCard = Type.Object({
  event: EventUid,
  state: RecordState,
  number: Type.Integer(),
  kind: EventKind,
  type: Type.String(),
  site: Type.String(),
  timezone: Type.String(),
  buildings: Type.Array(Type.String()),
  started_at: Type.String(),
  ended_at: Type.String(),
  /** Null until the record is ready. */
  result: Type.Union([RecordResult, None]),
  /** The result is that of a later count, by newer rules. */
  recounted: Type.Boolean(),
  signed: Type.Boolean(),
  actions_open: Type.Integer(),
})

/** Columns by which the list is sorted. */
export const recordSorts = ['type', 'kind', 'number', 'began', 'duration', 'result'] as const

export const listRecords = defineCall({
  summary: 'Past events within reach, newest end first, 20 at a time, and those that run',
  method: 'GET',
  path: '/api/event/records',
  query: Type.Object({
    /** In site, building, type and number. */
    q: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    kind: Type.Optional(EventKind),
    site: Type.Optional(SiteUid),
    /** Days of the site: the event ended between them. */
    from: Type.Optional(Day),
    to: Type.Optional(Day),
    result: Type.Optional(Type.Enum([...recordResults])),
    /** Only with open actions. */
    open: Type.Optional(Type.Literal('yes')),
    /** Preset: by their ends, the newest first. */
    sort: Type.Optional(Type.Enum([...recordSorts])),
    direction: Type.Optional(Type.Enum(['up', 'down'])),
    after: After,
  }),
  reply: Type.Object({
    records: Type.Array(RecordCard),
    /** Only on the first page, whatever the filter. */
    running: Type.Array(
      Type.Object({
        event: EventUid,
        kind: EventKind,
        type: Type.String(),
        site: Type.String(),
        timezone: Type.String(),
        buildings: Type.Array(Type.String()),
        started_at: Type.String(),
      }),
    ),
    /** Sites with an event within reach, for the filter. */
    sites: Type.Array(Type.Object({ id: SiteUid, name: Type.String() })),
    next: Next,
  }),
  policy,
})

export type ArrivedLate = Static<typeof ArrivedLate>
export const ArrivedLate = Type.Object({
  id: Type.String(),
  /** 'A person on Tower A - Level 4', or the floor. Names are a call of their own. */
  about: Type.String(),
  is_person: Type.Boolean(),
  /** 'In Danger', 'Refuses to leave', or the status of the floor. */
  what: Type.String(),
  by: Type.Union([Type.String(), None]),
  role: Type.Union([Type.String(), None]),
  seen_at: Type.Union([Type.String(), None]),
  arrived_at: Type.String(),
})

export const getRecord = defineCall({
  summary: 'The record of an event with its additions. Beyond the reach of the caller totals only',
  method: 'GET',
  path: '/api/event/records/:eventUid',
  params: ofEvent,
  reply: Type.Object({
    state: RecordState,
    /** The whole event is within reach: facts, outcome, sign-off. */
    whole: Type.Boolean(),
    /** Null while `state` is writing or failed. */
    record: Type.Union([EventRecord, None]),
    /** When personal data was deleted. Null: it is there. */
    reduced_at: Type.Union([Type.String(), None]),
    /** Nothing of the event is deleted. */
    hold: Type.Boolean(),
    number: Type.Integer(),
    timezone: Type.String(),
    started_at: Type.String(),
    ended_at: Type.String(),
    /** What a later count by newer rules found. Null: nothing else, or the record is of the newest version. */
    recount: Type.Union([Type.Object({ text: Type.String(), at: Type.String(), result: RecordResult }), None]),
    additions: Type.Array(RecordAddition),
    /** What is asked now. Answers to other items stand in `additions`. */
    checklist: Type.Array(Type.String()),
    /** The newest first, 20 at most. */
    heads: Type.Array(LogHead),
    /** What the last check of the log found. Null: it was not checked yet. */
    check: Type.Union([LogCheck, None]),
    /** A mail server is set up, so that heads leave in the closing mail. */
    has_mail: Type.Boolean(),
    /** Records of phones that arrived after the end, in all places. They stand in the timeline. */
    arrived_late: Type.Integer(),
    /** Those within reach, at most 1,000. None of an event that is deleted. */
    late_records: Type.Array(ArrivedLate),
  }),
  policy,
  refusals: ['not_found'],
})

/** One entry of the journal. */
export type TimelineEntry = Static<typeof TimelineEntry>
export const TimelineEntry = Type.Object({
  /** The key of the entry, which is also the position in the list. */
  id: Type.String(),
  action: Type.String(),
  /** What happened, as a sentence without its subject: 'marked Ada Lovelace safe'. */
  what: Type.String(),
  /** Null: no one was signed in. */
  who: Type.Union([Type.String(), None]),
  role: Type.Union([Type.String(), None]),
  recorded_at: Type.String(),
  /** If the phone told it. */
  seen_at: Type.Union([Type.String(), None]),
  /** 'phone 12, iPhone': phones are numbered by first use. */
  phone: Type.Union([Type.String(), None]),
  /** Seconds between seen and recorded, if over 30. */
  late: Type.Union([Type.Integer(), None]),
  /** A newer danger stood, or the event had not begun. */
  overruled: Type.Boolean(),
  /** Its number in the log. */
  n: Type.Optional(Type.Integer()),
  /** What is not to be overlooked. Absent: nothing. */
  mark: Type.Optional(Type.Enum(Object.keys(markWords) as TimelineMark[])),
})

export const listTimeline = defineCall({
  summary: 'The journal of the event in its order, 50 at a time',
  method: 'GET',
  path: '/api/event/records/:eventUid/timeline',
  params: ofEvent,
  query: Type.Object({
    /** Preset: `moments`, which leaves out statuses other than danger, reads, counts and sign-ins. */
    show: Type.Optional(Type.Enum(['moments', 'all'])),
    person: Type.Optional(PersonUid),
    floor: Type.Optional(FloorUid),
    action: Type.Optional(Type.String({ maxLength: 40 })),
    /** Only records over 30 s late. */
    late: Type.Optional(Type.Literal('yes')),
    /** Only these, by the position that a sentence of the summary names, with commas. */
    entries: Type.Optional(Type.String({ pattern: '^\\d{1,18}(,\\d{1,18}){0,49}$', maxLength: 950 })),
    after: After,
  }),
  reply: Type.Object({
    entries: Type.Array(TimelineEntry),
    next: Next,
    /** Rows of this page that the database holds and the log never had. */
    left_out: Type.Optional(Type.Integer()),
  }),
  policy,
  refusals: ['not_found', 'record_not_ready'],
})

export type NamedPerson = Static<typeof NamedPerson>
export const NamedPerson = Type.Object({
  person: PersonUid,
  name: Type.String(),
  /** Building and floor. */
  place: Type.String(),
  status: Type.Enum(['safe', 'unknown', 'danger']),
  /** At a moment of the event. */
  refused: Type.Boolean(),
  /** The building with which they left the event. Null: they did not. */
  left_with: Type.Union([Type.String(), None]),
  /** The last time that someone recorded the person. */
  last_at: Type.Union([Type.String(), None]),
  last_by: Type.Union([Type.String(), None]),
})

export const listNames = defineCall({
  summary: 'People of the record by name, 20 at a time. Journaled as seen',
  method: 'POST',
  path: '/api/event/records/:eventUid/people',
  params: ofEvent,
  body: Type.Object(
    {
      list: Type.Enum(['unaccounted', 'danger', 'refused', 'plans', 'late']),
      /** Why the names are needed. Only for `plans`, where it is required and kept as an addition. */
      reason: Type.Optional(Type.String({ minLength: 5, maxLength: 200 })),
      after: After,
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({ people: Type.Array(NamedPerson), next: Next }),
  policy,
  refusals: ['not_found', 'record_not_ready'],
})

export const listTrends = defineCall({
  summary: 'Figures of up to 40 drills and 40 live events of a site, oldest first',
  method: 'GET',
  path: '/api/event/records/trends',
  query: Type.Object({ site: SiteUid }),
  reply: Type.Object({
    points: Type.Array(
      Type.Object({
        event: EventUid,
        number: Type.Integer(),
        kind: EventKind,
        started_at: Type.String(),
        timezone: Type.String(),
        /** Seconds until the last floor was clear. */
        last_clear: Type.Union([Type.Number(), None]),
        /** Floors with a warden on duty at best, of all floors. */
        covered: Type.Integer(),
        floors: Type.Integer(),
        /** Wardens who had answered after five minutes, of all. */
        answered: Type.Integer(),
        wardens: Type.Integer(),
      }),
    ),
    /** How many of each kind are no points: shorter than a minute, or started by mistake. */
    not_drawn: Type.Object({ drill: Type.Integer(), live: Type.Integer() }),
  }),
  policy,
})

export type DrillDue = Static<typeof DrillDue>
export const DrillDue = Type.Object({
  building: BuildingUid,
  name: Type.String(),
  site: Type.String(),
  /** 'Lockdown', 'Hold or Secure': what was to be drilled. Absent where all types of the organisation are of one group. */
  action: Type.Optional(Type.String()),
  /** '07:00 to 15:00' of a site with shifts. */
  shift: Type.Union([Type.String(), None]),
  /** The day of the last one at the site. Null: never drilled. */
  last: Type.Union([Type.String(), None]),
  /** Days until the next one, negative if overdue. Null: never drilled. */
  due_in: Type.Union([Type.Integer(), None]),
})

export const listDrillsDue = defineCall({
  summary: 'Drills due by building and shift, the longest overdue first, and how many were unannounced',
  method: 'GET',
  path: '/api/event/records/due',
  query: Type.Object({ site: Type.Optional(SiteUid) }),
  reply: Type.Object({
    due: Type.Array(DrillDue),
    /** Drills of the last 12 months. */
    unannounced: Type.Object({ drills: Type.Integer(), unannounced: Type.Integer() }),
  }),
  policy,
})
