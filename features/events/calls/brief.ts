import { type Static, Type } from 'typebox'
import { BriefCommand } from '#features/command/calls/command.ts'
import { instructionKinds } from '#features/command/kinds.ts'
import { FloorClaim, FloorOffer, OverdueGaps } from '#features/coverage/calls/coverage.ts'
import { BuildingUid, InstructionUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'
import { ActionFields } from '#kernel/vocabulary.schemas.ts'

const None = Type.Null()

/** A building of the event whose people do something else than leave. */
export type BriefAction = Static<typeof BriefAction>
export const BriefAction = Type.Object({
  building: BuildingUid,
  name: Type.String(),
  ...ActionFields,
  /** The reader's phone may be there. */
  own: Type.Boolean(),
})

/** The newest instruction that means the reader, until they have understood it. */
export type BriefInstruction = Static<typeof BriefInstruction>
export const BriefInstruction = Type.Object({
  uid: InstructionUid,
  kind: Type.Enum([...instructionKinds]),
  /** Additive: the word of a kind that a change of the action sends. */
  word: Type.Optional(Type.String()),
  message: Type.String(),
  by: Type.String(),
  at: Type.String({ description: 'ISO 8601' }),
})

export type Brief = Static<typeof Brief>
export const Brief = Type.Object({
  /** Null before the event has a turn. */
  command: Type.Union([BriefCommand, None]),
  instruction: Type.Union([BriefInstruction, None]),
  /** A floor that the reader is asked to take. */
  offer: Type.Union([FloorOffer, None]),
  /** Floors that the reader has taken. */
  claims: Type.Array(FloorClaim),
  /** Of event managers. Null: nothing is overdue, or the reader is none. */
  gaps: Type.Union([OverdueGaps, None]),
  /** Additive: buildings by name. Absent where everyone leaves. */
  actions: Type.Optional(Type.Array(BriefAction)),
  /** Additive: in other buildings of the event people leave. Absent without `actions`. */
  leaving: Type.Optional(Type.Boolean()),
})

export const getBrief = defineCall({
  summary: 'What every page of an event shows its warden: command, instruction, offer, claims, gaps, actions',
  method: 'GET',
  path: '/api/event/brief',
  reply: Brief,
  policy: { access: 'duty', withoutEvent: 'refuse' },
  refusals: ['no_event', 'not_on_duty'],
})
