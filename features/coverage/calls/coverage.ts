import { type Static, type TSchema, Type } from 'typebox'
import { BuildingUid, FloorOfferUid, FloorUid, SignInUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'
import { offerAnswers } from '../kinds.ts'

const orNone = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
const Time = Type.String({ description: 'ISO 8601' })

/** A floor, or a building that no assignment names a floor of: it is covered whole. */
const PlaceUid = Type.Union([FloorUid, BuildingUid])
const place = {
  id: PlaceUid,
  /** Of the floor; of the building, if it is covered whole. */
  name: Type.String(),
  building: Type.Object({ id: BuildingUid, name: Type.String() }),
  whole_building: Type.Boolean(),
}

/** A place without a warden on duty. */
export type CoverageGap = Static<typeof CoverageGap>
export const CoverageGap = Type.Object({
  ...place,
  since: Time,
  /** Longer than the organisation's `coverage_minutes`. */
  overdue: Type.Boolean(),
  /** In the area of the caller's assignment, or in a building that it meets. */
  own_building: Type.Boolean(),
  /** Who has been asked, and has not answered yet. */
  asked: orNone(Type.Object({ name: Type.String(), seconds_ago: Type.Integer() })),
  /** Who was asked last and said no, or has not answered in 60 s. */
  asked_before: orNone(Type.Object({ name: Type.String(), said_no: Type.Boolean() })),
})

/** A place that the caller has taken and not given back. */
export type FloorClaim = Static<typeof FloorClaim>
export const FloorClaim = Type.Object({
  ...place,
  since: Time,
  /** Its own warden has come on duty since. */
  own_warden: orNone(Type.String()),
})

/** The caller is asked to take a place. `taken_by`: another warden has, within the last minute. */
export type FloorOffer = Static<typeof FloorOffer>
export const FloorOffer = Type.Object({
  id: FloorOfferUid,
  place: Type.Object(place),
  taken_by: orNone(Type.String()),
})

/** Gaps of which event managers are told. */
export type OverdueGaps = Static<typeof OverdueGaps>
export const OverdueGaps = Type.Object({ count: Type.Integer(), minutes: Type.Integer() })

const refusals = ['not_found', 'no_event', 'not_on_duty'] as const

export type Coverage = Static<typeof Coverage>
export const Coverage = Type.Object({
  /** The own building first, then by building and level from the top. */
  gaps: Type.Array(CoverageGap),
  claims: Type.Array(FloorClaim),
  /** An assignment names a floor of the event. */
  floors_named: Type.Boolean(),
})

export const getFloorCoverage = defineCall({
  summary: 'Floors of the event without a warden on duty, and those that the caller has taken',
  method: 'GET',
  path: '/api/event/coverage',
  reply: Coverage,
  policy: { access: 'duty', flag: 'Module_Floor_Evacuation', withoutEvent: 'refuse' },
  refusals: ['no_event', 'not_on_duty'],
})

export type Candidates = Static<typeof Candidates>
export const Candidates = Type.Object({
  /** On duty and free to ask, the best first. */
  candidates: Type.Array(
    Type.Object({
      wardenSignInUid: SignInUid,
      name: Type.String(),
      /** 'Level 11, cleared, 1 floor away'. */
      reason: Type.String(),
      phone: orNone(Type.String()),
    }),
    { maxItems: 8 },
  ),
  /** Not on duty. */
  others: Type.Array(
    Type.Object({
      wardenSignInUid: SignInUid,
      name: Type.String(),
      role: Type.String(),
      status: Type.Enum(['Unknown', 'Off duty']),
      phone: orNone(Type.String()),
    }),
    { maxItems: 20 },
  ),
})

export const listFloorCandidates = defineCall({
  summary: 'Who can take a floor without a warden, with the reason, and who is not on duty',
  method: 'GET',
  path: '/api/event/coverage/:floorId/candidates',
  params: Type.Object({ floorId: PlaceUid }),
  reply: Candidates,
  policy: { access: 'duty', flag: 'Module_Floor_Warden_Status', withoutEvent: 'refuse' },
  refusals: [...refusals, 'quiet_building'],
})

export const claimFloor = defineCall({
  summary: 'Take a floor without a warden. Of two at once one has it',
  method: 'POST',
  path: '/api/event/coverage/claim',
  body: Type.Object({ floorId: PlaceUid }, { additionalProperties: false }),
  reply: Type.Object({ claim: FloorClaim }),
  policy: { access: 'duty', flag: 'Module_Floor_Evacuation', withoutEvent: 'refuse' },
  refusals: [...refusals, 'floor_taken', 'floor_covered', 'quiet_building'],
})

export const giveBackFloor = defineCall({
  summary: 'Give back a floor that the caller has taken',
  method: 'POST',
  path: '/api/event/coverage/give-back',
  body: Type.Object({ floorId: PlaceUid }, { additionalProperties: false }),
  reply: Type.Object({ claim: Type.Null() }),
  policy: { access: 'duty', flag: 'Module_Floor_Evacuation', withoutEvent: 'refuse' },
  refusals,
})

export const offerFloor = defineCall({
  summary: 'Ask one warden on duty to take a floor without a warden',
  method: 'POST',
  path: '/api/event/coverage/offer',
  body: Type.Object({ floorId: PlaceUid, wardenSignInUid: SignInUid }, { additionalProperties: false }),
  reply: Type.Object({ offer: Type.Object({ id: FloorOfferUid, name: Type.String() }) }),
  policy: { access: 'duty', flag: 'Module_Floor_Warden_Status', withoutEvent: 'refuse' },
  refusals: [...refusals, 'already_offered', 'floor_covered', 'quiet_building'],
})

export const answerOffer = defineCall({
  summary: 'Answer an offer: take the floor or not. A late answer counts while the floor is free',
  method: 'POST',
  path: '/api/event/coverage/offer/answer',
  body: Type.Object({ offer: FloorOfferUid, take: Type.Enum(['yes', 'no']) }, { additionalProperties: false }),
  reply: Type.Object({ offer: Type.Object({ id: FloorOfferUid, answer: Type.Enum([...offerAnswers]) }) }),
  policy: { access: 'duty', withoutEvent: 'refuse' },
  refusals: [...refusals, 'floor_taken', 'floor_covered', 'quiet_building'],
})
