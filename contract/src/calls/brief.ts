import { type Static, Type } from 'typebox'
import { instructionKinds } from '../command.ts'
import { InstructionUid } from '../ids.ts'
import { defineCall } from '../route.ts'
import { BriefCommand } from './command.ts'

const None = Type.Null()

/** CMD-22, CMD-23: the newest instruction that means the reader, until they have understood it. */
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
})

export const getBrief = defineCall({
  summary: 'What every page of an event shows its warden: who is in command, and an instruction (CMD-02, CMD-22)',
  method: 'GET',
  path: '/api/event/brief',
  reply: Brief,
  policy: { access: 'duty', withoutEvent: 'refuse' },
  refusals: ['no_event', 'not_on_duty'],
})
