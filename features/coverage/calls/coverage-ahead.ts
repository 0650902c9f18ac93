import { type Static, Type } from 'typebox'
import { BuildingUid, FloorUid, PersonUid, SiteUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'
import { Day } from '#kernel/vocabulary.schemas.ts'

const closed = { additionalProperties: false } as const
const YesNo = Type.Enum(['yes', 'no'])

/** The wardens by name who have accepted the floor and are in that day, and how many have been asked. */
export type FloorAhead = Static<typeof FloorAhead>
export const FloorAhead = Type.Object({
  id: FloorUid,
  name: Type.String(),
  wardens: Type.Array(Type.String()),
  offered: Type.Integer(),
})

export type CoverageAhead = Static<typeof CoverageAhead>
export const CoverageAhead = Type.Object({
  site: Type.Object({ id: SiteUid, name: Type.String() }),
  day: Day,
  /** Today at the site and the seven days after it, each with its floors without a warden. */
  days: Type.Array(Type.Object({ day: Day, without: Type.Integer() })),
  /** False: no assignment of any day names a floor of the site. */
  has_floor_wardens: Type.Boolean(),
  /** By name. Floors from the highest down. */
  buildings: Type.Array(Type.Object({ id: BuildingUid, name: Type.String(), floors: Type.Array(FloorAhead) })),
})

/** Someone who may be asked, the likeliest first. `why` is the reason in words: 'Level 11, 1 floor away'. */
export type AskedAhead = Static<typeof AskedAhead>
export const AskedAhead = Type.Object({
  person: PersonUid,
  name: Type.String(),
  role: Type.String(),
  why: Type.String(),
  /** An open offer of this person begins on that day. */
  asked: Type.Boolean(),
})

/** A day of one's own. `places` are the own assignments of that day, in words; without one the day has no buttons. */
export type OwnDay = Static<typeof OwnDay>
export const OwnDay = Type.Object({ day: Day, in: Type.Boolean(), places: Type.Array(Type.String()) })

/** A floor without a warden near one's own. */
export type NearFloor = Static<typeof NearFloor>
export const NearFloor = Type.Object({ id: FloorUid, name: Type.String(), building: Type.String(), day: Day })

const manager = { access: 'session', flag: 'Module_Event_Management' } as const

export const getCoverageAhead = defineCall({
  summary: "Floors of the caller's site with and without a warden, today and the next seven days",
  method: 'GET',
  path: '/api/coverage',
  query: Type.Object({ day: Type.Optional(Day) }),
  reply: CoverageAhead,
  policy: { access: 'session', flag: 'Module_Floor_Warden_Status' },
})

export const listAskable = defineCall({
  summary: "At most eight wardens who may take a floor of the caller's site on a day, the likeliest first",
  method: 'GET',
  path: '/api/coverage/people',
  query: Type.Object({ floorId: FloorUid, day: Day }),
  reply: Type.Object({ people: Type.Array(AskedAhead) }),
  policy: manager,
  refusals: ['not_found'],
})

export const askForDay = defineCall({
  summary: "Offer a warden of the caller's site a floor for one day, and tell them by email or text",
  method: 'POST',
  path: '/api/coverage/ask',
  body: Type.Object({ floorId: FloorUid, day: Day, personId: PersonUid }, closed),
  reply: Type.Object({ status: Type.Literal('offered') }),
  policy: manager,
  refusals: ['not_found', 'invalid_transition', 'busy', 'idempotency_conflict'],
})

export const getOwnDays = defineCall({
  summary: "The caller's next 14 days, and floors without a warden near their own",
  method: 'GET',
  path: '/api/coverage/mine',
  reply: Type.Object({ days: Type.Array(OwnDay), near: Type.Array(NearFloor) }),
  policy: { access: 'session' },
})

export const setOwnDay = defineCall({
  summary: "Mark one of the caller's next 14 days as 'In' or 'Not in'. Attendance in an event stays",
  method: 'POST',
  path: '/api/coverage/mine',
  body: Type.Object({ day: Day, in: YesNo }, closed),
  reply: Type.Object({ day: OwnDay }),
  policy: { access: 'session' },
  refusals: ['not_found', 'idempotency_conflict'],
})

export const takeForDay = defineCall({
  summary: "Take a floor near the caller's own for today or tomorrow",
  method: 'POST',
  path: '/api/coverage/take',
  body: Type.Object({ floorId: FloorUid, day: Day }, closed),
  reply: Type.Object({ status: Type.Literal('accepted') }),
  policy: { access: 'session' },
  refusals: ['not_found', 'floor_taken', 'invalid_transition', 'busy', 'idempotency_conflict'],
})
