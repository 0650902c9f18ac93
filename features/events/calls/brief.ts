import { type Static, Type } from 'typebox'
import { BriefCommand } from '#features/command/calls/command.ts'
import { instructionKinds } from '#features/command/kinds.ts'
import { FloorClaim, FloorOffer, OverdueGaps } from '#features/coverage/calls/coverage.ts'
import { InstructionUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'

const None = Type.Null()

/** The newest instruction that means the reader, until they have understood it. */
export type BriefInstruction = Static<typeof BriefInstruction>
export const BriefInstruction = Type.Object({
  uid: InstructionUid,
  kind: Type.Enum([...instructionKinds]),
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
})

export const getBrief = defineCall({
  summary: 'What every page of an event shows its warden: command, instruction, offer, claims, gaps',
  method: 'GET',
  path: '/api/event/brief',
  reply: Brief,
  policy: { access: 'duty', withoutEvent: 'refuse' },
  refusals: ['no_event', 'not_on_duty'],
})
