import { type Static, Type } from 'typebox'
import { AssignmentUid, BuildingUid, FloorUid, InstructionUid, SignInUid } from '#kernel/ids.ts'
import * as limits from '#kernel/limits.ts'
import { defineCall } from '#kernel/route.ts'
import { chosenKinds, instructionKinds, mostFloors } from '../kinds.ts'

const closed = { additionalProperties: false } as const
const At = Type.String({ description: 'ISO 8601' })
const Count = Type.Integer({ minimum: 0 })
const Kind = Type.Enum([...instructionKinds])
/** Floors of the event. */
const Floors = Type.Union([Type.Literal('all'), Type.Array(FloorUid, { minItems: 1, maxItems: mostFloors })])

export type SentInstruction = Static<typeof SentInstruction>
export const SentInstruction = Type.Object({
  uid: InstructionUid,
  kind: Kind,
  message: Type.String(),
  floors: Floors,
  by: Type.String(),
  at: At,
  /** Of those for whom no newer one counts: how many have understood, of how many. */
  understood: Count,
  meant: Count,
})

export type InstructionsPage = Static<typeof InstructionsPage>
export const InstructionsPage = Type.Object({
  /** What an instruction can be for: buildings by name, floors by level. */
  places: Type.Array(
    Type.Object({
      id: BuildingUid,
      name: Type.String(),
      floors: Type.Array(Type.Object({ id: FloorUid, name: Type.String() })),
    }),
  ),
  /** The newest first, 20 at most. */
  sent: Type.Array(SentInstruction),
  sms_allowed: Type.Boolean(),
})

/** A warden who has not understood yet. */
export type NotYet = Static<typeof NotYet>
export const NotYet = Type.Object({
  wardenSignInUid: SignInUid,
  id: AssignmentUid,
  name: Type.String(),
  /** 'Tower A - Level 3' */
  areas: Type.Array(Type.String()),
  phone: Type.Union([Type.String(), Type.Null()]),
  /** The instruction went to the phone as a text. */
  texted: Type.Boolean(),
})

const policy = { access: 'duty', flag: 'Module_Event_Management', withoutEvent: 'refuse' } as const
const absences = ['no_event', 'not_on_duty'] as const

export const listInstructions = defineCall({
  summary: 'Places that an instruction can be for, and instructions that were sent',
  method: 'GET',
  path: '/api/event/instructions',
  reply: InstructionsPage,
  policy,
  refusals: absences,
})

export const previewInstruction = defineCall({
  summary: 'Who an instruction would reach now, what was sent lately, and who is not safe',
  method: 'POST',
  path: '/api/event/instructions/preview',
  body: Type.Object({ floors: Floors }, closed),
  reply: Type.Object({
    wardens: Count,
    /** What anyone sent in the last two minutes, the newest first, ten at most. */
    recent: Type.Array(SentInstruction),
    danger: Count,
    unknown: Count,
    contradictions: Count,
  }),
  policy,
  refusals: ['not_found', ...absences],
})

export const sendInstruction = defineCall({
  summary: 'Send an instruction to the wardens of floors',
  method: 'POST',
  path: '/api/event/instructions',
  body: Type.Object(
    {
      kind: Type.Enum([...chosenKinds]),
      message: Type.String({ minLength: 1, maxLength: limits.messageLength }),
      floors: Floors,
      /** 'Also text anyone who has not confirmed after a minute'. */
      text: Type.Enum(['yes', 'no']),
    },
    closed,
  ),
  reply: Type.Object({ uid: InstructionUid, meant: Count }),
  policy,
  refusals: ['not_found', 'quiet_building', ...absences],
})

const params = Type.Object({ uid: InstructionUid })

export const getInstruction = defineCall({
  summary: 'Who has not confirmed an instruction yet, by name',
  method: 'GET',
  path: '/api/event/instructions/:uid',
  params,
  query: Type.Object({ after: Type.Optional(SignInUid) }),
  reply: Type.Object({
    understood: Count,
    meant: Count,
    not_yet: Type.Array(NotYet),
    /** The next page begins after this one. */
    next: Type.Union([SignInUid, Type.Null()]),
  }),
  policy,
  refusals: ['not_found', ...absences],
})

export const understand = defineCall({
  summary: 'A warden confirms an instruction that is for them; counts once',
  method: 'POST',
  path: '/api/event/instructions/:uid/understood',
  params,
  reply: Type.Object({ status: Type.Literal('success') }),
  policy: { access: 'duty', withoutEvent: 'refuse' },
  refusals: ['not_found', ...absences],
})
