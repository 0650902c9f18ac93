import { type Static, Type } from 'typebox'
import { BuildingUid, EventUid, FloorUid, SiteUid } from '#kernel/ids.ts'
import { EventKind, SafetyStatus, StatusTotals } from '#kernel/vocabulary.schemas.ts'
import { ActionTold } from './action-told.ts'

const None = Type.Null()
const orNull = <T extends Type.TSchema>(of: T) => Type.Union([of, None])
const count = Type.Integer({ minimum: 0 })
/** Seconds since the start of the event. */
const seconds = Type.Number({ minimum: 0 })
/** ISO 8601 in UTC. */
const Moment = Type.String()

/** The graver word wins. */
export type RecordResult = Static<typeof RecordResult>
export const recordResults = ['accounted', 'unaccounted', 'danger', 'nobody'] as const
export const RecordResult = Type.Object({
  word: Type.Enum([...recordResults]),
  people: count,
  /** How people are spoken of who were not to leave, or not all of them. Absent: all were. */
  voice: Type.Optional(Type.Enum(['stay', 'mixed'])),
})

const By = orNull(Type.Object({ name: Type.String(), role: Type.String() }))

/** A place with a time to clear, by the time seen. Null: not reported clear. */
const clears = {
  /** The first report of clear. */
  first_clear: orNull(seconds),
  /** The last change into clear that stood at the end of the place. */
  clear: orNull(seconds),
}

export type RecordFloor = Static<typeof RecordFloor>
export const RecordFloor = Type.Object({
  id: FloorUid,
  name: Type.String(),
  building: BuildingUid,
  building_name: Type.String(),
  ...clears,
  /** When the server recorded what `clear` is about. */
  clear_recorded: orNull(seconds),
  /** How often the floor left a status that means clear. */
  reopened: count,
  /** Place among all floors by `clear`, from 1. Null if not clear. */
  order: orNull(count),
  /** The status at the end, in the organisation's words. */
  status: Type.String(),
  people: StatusTotals,
  refusals: count,
  /** Wardens who were on duty for the floor, and when the first came and the last left. Null: to the end, or never. */
  wardens: count,
  first_covered: orNull(seconds),
  last_covered: orNull(seconds),
  /** The most of its people who were unknown or in danger at a report of clear. */
  unseen_when_clear: count,
})

/** What became of the texts is told by `textsBy` in four numbers that add up. */
const TextsOfPurpose = Type.Object({
  purpose: Type.String(),
  written: count,
  handed_over: count,
  delivered: count,
  failed: count,
  unconfirmed: count,
  expired: count,
  skipped: count,
  /** Seconds until half and 90 % of all written had arrived. Null: fewer did. Absent from older records, as what follows. */
  delivered_half: Type.Optional(orNull(seconds)),
  delivered_most: Type.Optional(orNull(seconds)),
  /** How many were answered by reporting in, a reply or a status by text or own page, and seconds until half and 90 % of them were. */
  answered: Type.Optional(count),
  answered_half: Type.Optional(orNull(seconds)),
  answered_most: Type.Optional(orNull(seconds)),
})

/** Where people with a plan are. */
const planPlace = { floor: orNull(FloorUid), building: BuildingUid, place: Type.String() }

/** Null: to the end. */
const gap = { from: seconds, to: orNull(seconds) }
const Contact = Type.Object({
  /** Wardens with a gap of their own, and those who had one at the end. In version 1 also by a gap of the service. */
  wardens: count,
  to_the_end: count,
  /** Gaps of single wardens, at most 1,000. */
  gaps: Type.Array(Type.Object({ name: Type.String(), role: Type.String(), ...gap })),
  /** No one on duty had contact. */
  service: Type.Array(Type.Object(gap)),
})

const Decision = Type.Object({
  at: Moment,
  seconds,
  action: Type.String(),
  by: By,
  /** What was written or chosen. */
  words: Type.String(),
  /** The words were deleted after RETAIN_MESSAGES_DAYS. */
  deleted_at: Type.Optional(Moment),
})

/** `evidence` is a section of the record, or the timeline with this filter. */
export type RecordSentence = Static<typeof RecordSentence>
const evidences = [
  'entries',
  'people',
  'floors',
  'wardens',
  'plans',
  'texts',
  'late',
  'contact',
  'compared',
  'actions',
] as const
export const RecordSentence = Type.Object({
  /** Its number. Sentences stand in an order of their own. */
  number: count,
  text: Type.String(),
  evidence: Type.Enum([...evidences]),
  /** The entries of the timeline that it rests upon, at most 50, where `evidence` is `entries`. Absent from older records. */
  entries: Type.Optional(Type.Array(Type.String())),
})

/** People who left the event with a building, as they stood then. */
const LeftWith = Type.Object({
  building: BuildingUid,
  building_name: Type.String(),
  after: seconds,
  people: StatusTotals,
})

/** Times of outages in seconds. */
const outages = Type.Array(Type.Object({ from: seconds, to: seconds }))

/** What version 2 adds. Absent from older records. */
const addedByVersion2 = {
  version: Type.Optional(Type.Literal(2)),
  /** Figures count from here, in seconds since the start: 0, or when the drill was made live. */
  counts_from: Type.Optional(seconds),
  /** What had been done when the drill was made live. Null: it was not. */
  drill_part: Type.Optional(
    orNull(
      Type.Object({
        people: Type.Object({ safe: count, total: count }),
        floors: Type.Object({ reported: count, total: count }),
      }),
    ),
  ),
  /** Reports that call for help. Answered in any way; half of them within so many seconds. */
  help: Type.Optional(Type.Object({ calls: count, answered: count, open: count, half: orNull(seconds) })),
  /** Confirmations that wardens were to send, and those that arrived. */
  instructions: Type.Optional(Type.Object({ sent: count, expected: count, arrived: count })),
  /** Each action, in the order of time. Absent: everyone was to leave. */
  actions: Type.Optional(Type.Array(ActionTold)),
  /** The server was unavailable; live updates were delayed. */
  outages: Type.Optional(Type.Object({ server: outages, feed: outages })),
}

/** What is kept of an event, as it was written after its end. Every figure comes from rows of the event or its journal. */
export type EventRecord = Static<typeof EventRecord>
export const EventRecord = Type.Object({
  ...addedByVersion2,
  number: count,
  kind: EventKind,
  /** Null: the event began live. */
  announced: orNull(Type.Boolean()),
  /** When a drill became live. */
  live_from: orNull(Moment),
  live_by: By,
  type: Type.String(),
  site: Type.Object({ id: SiteUid, name: Type.String() }),
  timezone: Type.String(),
  /** The shift in which it began. Null: the site has no shifts. */
  shift: orNull(Type.String()),
  buildings: Type.Array(
    Type.Object({
      id: BuildingUid,
      name: Type.String(),
      joined: seconds,
      /** When it left for good. Null: it did not. */
      left: orNull(seconds),
      ...clears,
      /** At their end, also those without a floor. Absent from older records. */
      people: Type.Optional(StatusTotals),
    }),
  ),
  started_at: Moment,
  ended_at: Moment,
  seconds,
  started_by: By,
  ended_by: By,
  message: Type.String(),
  toggles: Type.Object({ broadcast: Type.Boolean(), alert: Type.Boolean() }),
  result: RecordResult,
  people: Type.Object({
    /** At the end of each: of the event, or when their building left it. */
    end: StatusTotals,
    /** Who refused at a moment. Version 1: at the end. */
    refusals: count,
    /** Of them, who no longer refused or ended safe. Absent from older records, as the next two. */
    agreed: Type.Optional(count),
    /** Who left the event with a building, in the order of time. */
    left: Type.Optional(Type.Array(LeftWith)),
    /** Who was in danger at a moment and ended safe, the longest time in danger, and the longest from danger to safe. */
    once_danger: Type.Optional(Type.Object({ people: count, longest: seconds, safe_after: seconds })),
    /** When no one was unknown or in danger any more, to the end. */
    everyone_after: orNull(seconds),
    /** At most 300 steps. Null: the journal has no counts to begin with. */
    curve: orNull(
      Type.Object({
        step_seconds: Type.Number(),
        /** Safe, unknown, in danger at the end of each step. */
        steps: Type.Array(Type.Tuple([count, count, count])),
      }),
    ),
  }),
  floors: Type.Object({
    /** Some floor status of the organisation means clear. */
    has_clear_status: Type.Boolean(),
    /** All floors of the event, also beyond the reader's places. */
    total: count,
    /** With a report of clear. Absent from older records, whose `clear` was called so. */
    reported: Type.Optional(count),
    /** Clear at the end. */
    clear: count,
    /** The reader's floors, by `clear`. */
    rows: Type.Array(RecordFloor),
  }),
  wardens: Type.Object({
    total: count,
    reported_in: count,
    not_available: count,
    /** Seconds until 50, 80 and 90 % had answered. */
    answered: Type.Object({ half: orNull(seconds), most: orNull(seconds), nearly_all: orNull(seconds) }),
    /** Wardens who had answered by the end of each minute, at most 300. */
    answered_by_minute: Type.Array(count),
    /** Wardens who had answered from a moment on, at most 300 steps. Absent from older records. */
    answered_steps: Type.Optional(Type.Array(Type.Tuple([seconds, count]))),
    /** Floors with a warden on duty from a moment on. */
    coverage: Type.Array(Type.Tuple([seconds, count])),
    never_covered: count,
    names_never_covered: Type.Array(Type.String()),
    /** Floors that another warden took, from when to when, at most 1,000. Null: to the end. Absent from older records. */
    taken: Type.Optional(
      Type.Array(Type.Object({ floor: FloorUid, name: Type.String(), building_name: Type.String(), by: By, ...gap })),
    ),
  }),
  plans: Type.Object({
    end: StatusTotals,
    /** Seconds until the last of those who were safe at the end. */
    last_safe: orNull(seconds),
    /** At most 1,000 people, none by name. Absent from older records. */
    floors: Type.Optional(Type.Array(Type.Object({ ...planPlace, people: StatusTotals, last_safe: orNull(seconds) }))),
    people: Type.Optional(Type.Array(Type.Object({ ...planPlace, status: SafetyStatus, safe_after: orNull(seconds) }))),
    /** Readers who opened more than 20. Absent from older records, and where there are none. */
    opened: Type.Optional(Type.Array(Type.Object({ name: Type.String(), role: Type.String(), plans: count }))),
  }),
  texts: Type.Object({
    allowed: Type.Boolean(),
    purposes: Type.Array(TextsOfPurpose),
    skipped_because: Type.Array(Type.Object({ reason: Type.String(), texts: count })),
    delivered_half: orNull(seconds),
    delivered_most: orNull(seconds),
  }),
  decisions: Type.Array(Decision),
  /** Records that reached the server more than 30 s after they were seen. */
  late: Type.Object({ records: count, longest: seconds }),
  /** Null or absent: the contact of phones was not kept. */
  contact: Type.Optional(orNull(Contact)),
  /** Null: there is no earlier one to compare with. */
  compared: orNull(
    Type.Object({
      event: EventUid,
      number: count,
      started_at: Moment,
      /** Seconds until the last floor of both was clear, from where the record counts. */
      last_clear: orNull(seconds),
      common_floors: count,
      covered: count,
      floors: count,
      half_answered: orNull(seconds),
      delivered: orNull(Type.Number()),
      unaccounted: count,
      /** Both had the same buildings. Absent from older records, as the next. */
      same_buildings: Type.Optional(Type.Boolean()),
      /** The figures of this record over the buildings of both. */
      own: Type.Optional(Type.Object({ last_clear: orNull(seconds), unaccounted: count })),
    }),
  ),
  actions_before: Type.Object({ open: count, overdue: count }),
  /** A transaction from before the end was still open, so that what it wrote is in no figure. Absent: none was. */
  written_early: Type.Optional(Type.Literal(true)),
  sentences: Type.Array(RecordSentence),
})
