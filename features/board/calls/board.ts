import { type Static, Type } from 'typebox'
import { instructionKinds } from '#features/command/kinds.ts'
import { BuildingUid, CommandTurnUid, EventUid, FloorUid, InstructionUid, SelfReportUid, SiteUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'
import { ActionFields, EventKind, StatusTotals } from '#kernel/vocabulary.schemas.ts'
import { recordOf } from '#kernel/vocabulary.ts'
import { boardSources, contradictionKinds, unknownCauses } from '../kinds.ts'

const Count = Type.Optional(Type.Integer({ minimum: 1 }))
/** Whole seconds since the event began. Ages are counted from it and `at`, so no clock of a phone matters. */
const EventSeconds = Type.Integer()
export const Instant = Type.String()
/** A floor, or a building for its people on no floor. */
export const Place = Type.Union([FloorUid, BuildingUid])

/**
 * A floor of the board, in the order of `places`. A count of zero and a time that does not exist are left out:
 * 1,000 floors stay below 15 kB.
 */
export type BoardFloor = Static<typeof BoardFloor>
export const BoardFloor = Type.Object({
  /** Its status: the place in `statuses` of the places. Left out on the row of people without a floor. */
  status: Type.Optional(Type.Integer()),
  /** When the status was set. Left out before the first change. */
  since: Type.Optional(EventSeconds),
  /** Who set it, if not the floor's own warden or claimant. */
  by: Type.Optional(Type.Enum([...boardSources])),
  safe: Count,
  unknown: Count,
  danger: Count,
  refused: Count,
  /** When the newest of those in danger was seen. */
  danger_at: Type.Optional(EventSeconds),
  /** Wardens on duty whose assignment names the floor, or who claimed it. */
  wardens: Count,
  /** Since when the floor has no warden. Left out if it has one, or its building is covered whole. */
  gap: Type.Optional(EventSeconds),
  /** Taken by a warden. */
  claimed: Type.Optional(Type.Literal(true)),
  /** Offered to a warden, who has not answered. */
  offered: Type.Optional(EventSeconds),
  /** Up to 10 s older, as of `slow_at`: people with a plan who are not yet safe. */
  plans: Count,
  /** Threads whose newest message came in and set nothing, and when the oldest of them came. */
  unanswered: Count,
  unanswered_at: Type.Optional(EventSeconds),
  /** People who are not safe and whose newest text failed. */
  text_failed: Count,
  /** Contradictions of the floor and of its people that no one keeps. */
  contradictions: Count,
  /** The newest instruction of the floor, where current instructions differ. */
  told: Type.Optional(Type.Enum([...instructionKinds])),
})

/** A building of the board, in the order of `places`. */
export type BoardBuilding = Static<typeof BoardBuilding>
export const BoardBuilding = Type.Object({
  /** No assignment names one of its floors, so its wardens cover it whole. */
  whole: Type.Optional(Type.Literal(true)),
  /** Wardens on duty for the whole building. */
  wardens: Count,
  /** Since when a building that is covered whole has no warden. */
  gap: Type.Optional(EventSeconds),
  /** Claim and offer of a building that is covered whole. */
  claimed: Type.Optional(Type.Literal(true)),
  offered: Type.Optional(EventSeconds),
  ...ActionFields,
})

/** Each split of `unknown` adds up to it: `not_asked` is what the other causes leave. */
export type BoardTotals = Static<typeof BoardTotals>
export const BoardTotals = Type.Object({
  /** Everyone in the event by status, as on the building safety page of that moment. */
  people: StatusTotals,
  danger_floors: Type.Integer(),
  /** Calls for help that are open, beside the people in danger and never among them. */
  calls: Type.Integer(),
  unknown_by_place: Type.Object({ not_cleared: Type.Integer(), cleared: Type.Integer() }),
  unknown_by_cause: Type.Object(recordOf(unknownCauses, () => Type.Integer())),
  /** Of the safe: by their own word. */
  own_word: Type.Integer(),
  /** Cleared: the status means clear. Else not begun: the first in use. Else help: a red one. Else under way. */
  floors: Type.Object({
    total: Type.Integer(),
    cleared: Type.Integer(),
    under_way: Type.Integer(),
    help: Type.Integer(),
    not_begun: Type.Integer(),
  }),
  plans: Type.Integer(),
  /** Floors, and buildings that are covered whole, without a warden. */
  no_warden: Type.Integer(),
  unanswered: Type.Integer(),
  unanswered_at: Type.Optional(EventSeconds),
  refused: Type.Integer(),
  refused_floors: Type.Integer(),
})

/** Two records that cannot both be complete. */
export type BoardContradiction = Static<typeof BoardContradiction>
export const BoardContradiction = Type.Object({
  kind: Type.Enum([...contradictionKinds]),
  /** The person's uid. Left out of a floor: it is the row. */
  subject: Type.Optional(Type.String()),
  /** The place in the order of `floors`. */
  floor: Type.Integer(),
  /** When the floor was cleared; of a person, when they were seen in danger. Whichever of the two records stands or came first. */
  first: EventSeconds,
  /** When the newest of those on the cleared floor was recorded; of a person, when they were said to be safe. Left out: never recorded. */
  second: Type.Optional(EventSeconds),
})

/** Open calls for help of one place. They are in no number of people. */
export type BoardCalls = Static<typeof BoardCalls>
export const BoardCalls = Type.Object({
  /** The oldest of them. */
  uid: SelfReportUid,
  /** The place in the order of `floors`: of a building without a floor its last row. Left out: they named no place. */
  floor: Type.Optional(Type.Integer()),
  count: Type.Integer({ minimum: 1 }),
  /** Additive: so many of them came while the event was a drill. */
  in_drill: Count,
  /** When the oldest and the newest of them came. */
  first: EventSeconds,
  newest: EventSeconds,
})

export type BoardCommand = Static<typeof BoardCommand>
export const BoardCommand = Type.Object({
  turn: CommandTurnUid,
  /** Null: no one is in command. */
  name: Type.Union([Type.String(), Type.Null()]),
  role: Type.Union([Type.String(), Type.Null()]),
  /** Since when they lead, or no one does. */
  since: EventSeconds,
  /** When they were last heard, if that is too long ago. */
  silent_since: Type.Optional(EventSeconds),
})

/** The newest instruction, and who of those on duty that it means has understood it. */
export type BoardInstruction = Static<typeof BoardInstruction>
export const BoardInstruction = Type.Object({
  uid: InstructionUid,
  kind: Type.Enum([...instructionKinds]),
  by: Type.String(),
  at: EventSeconds,
  understood: Type.Integer({ minimum: 0 }),
  meant: Type.Integer({ minimum: 0 }),
})

/** Wardens who have answered no step by which they were reached, and since when the first of them has not. */
export const BoardReach = Type.Object({ wardens: Type.Integer({ minimum: 1 }), since: EventSeconds })

export type Board = Static<typeof Board>
export const Board = Type.Object({
  /** The moment of the counts, by the database's clock. ISO 8601. */
  at: Instant,
  /** The moment of plans, messages, texts and causes. ISO 8601. */
  slow_at: Instant,
  /** Each change with an offset below this one is in the board. Decimal. */
  horizon: Type.String(),
  /** The version of `places` that `floors` follows. */
  places: Type.String(),
  event: Type.Object({
    id: EventUid,
    /** Additive: `timezone`, by whose clock all times of the event are told. IANA name. */
    site: Type.Object({ id: SiteUid, name: Type.String(), timezone: Type.String() }),
    type: Type.String(),
    kind: EventKind,
    /** ISO 8601. Seconds of the event count from here. */
    began_at: Instant,
    /** Minutes after which a gap is overdue. */
    coverage_minutes: Type.Integer(),
  }),
  command: Type.Optional(BoardCommand),
  instruction: Type.Optional(BoardInstruction),
  /** Left out: everyone was reached. */
  reach: Type.Optional(BoardReach),
  totals: BoardTotals,
  buildings: Type.Array(BoardBuilding),
  floors: Type.Array(BoardFloor),
  /** Places with calls for help, the oldest first. As fresh as the counts. */
  calls: Type.Array(BoardCalls, { maxItems: 200 }),
  contradictions: Type.Array(BoardContradiction, { maxItems: 200 }),
  /** There are more contradictions than the list holds. */
  more: Type.Boolean(),
})

/** What a board shows and seldom changes: buildings by name, their floors from the highest down. */
export type BoardPlaces = Static<typeof BoardPlaces>
export const BoardPlaces = Type.Object({
  version: Type.String(),
  /** In their order. The first in use is 'not begun'. */
  statuses: Type.Array(
    Type.Object({ name: Type.String(), colour: Type.String(), means_clear: Type.Boolean(), is_first: Type.Boolean() }),
  ),
  buildings: Type.Array(
    Type.Object({
      id: BuildingUid,
      name: Type.String(),
      /** The last row holds people without a floor: its id is the building's, its level null, its name 'No floor'. */
      floors: Type.Array(
        Type.Object({
          id: Place,
          name: Type.String(),
          level: Type.Union([Type.Integer(), Type.Null()]),
        }),
      ),
    }),
  ),
})

const NoBoard = Type.Object({ status: Type.Literal('error'), message: Type.String() })
const onDuty = { access: 'duty', flag: 'Module_Building_Evacuation_Status', withoutEvent: 'answer' } as const

export const getBoard = defineCall({
  summary: 'Totals, floors and contradictions of the event of one moment',
  method: 'GET',
  path: '/api/event/board',
  /** The newest offset that the reader has heard: no answer is older. Decimal. */
  query: Type.Object({ since: Type.Optional(Type.String({ pattern: '^[0-9]+$', maxLength: 19 })) }),
  reply: Type.Union([Board, NoBoard]),
  policy: onDuty,
})

export const getBoardPlaces = defineCall({
  summary: 'Buildings and floors of the board in its order, and the floor statuses',
  method: 'GET',
  path: '/api/event/board/places',
  reply: Type.Union([BoardPlaces, NoBoard]),
  policy: onDuty,
})
