import { type Static, type TSchema, Type } from 'typebox'
import { AssignmentUid, CommandTurnUid, SignInUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'
import { commandNoteLength, turnBeginnings } from '../kinds.ts'

const closed = { additionalProperties: false } as const
const orNone = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
const At = Type.String({ description: 'ISO 8601' })
const Count = Type.Integer({ minimum: 0 })
const Note = Type.String({ maxLength: commandNoteLength })

/** A warden on duty who can manage the event. */
export type ChainMember = Static<typeof ChainMember>
export const ChainMember = Type.Object({
  /** The assignment, as in all lists of wardens. */
  id: AssignmentUid,
  wardenSignInUid: SignInUid,
  name: Type.String(),
  role: Type.String(),
  /** Digits with the country code. */
  phone: orNone(Type.String()),
})

/** People and floors at the beginning of a turn. */
export type CommandCounts = Static<typeof CommandCounts>
export const CommandCounts = Type.Object({
  safe: Count,
  unknown: Count,
  danger: Count,
  floors: Count,
  floors_cleared: Count,
})

export type CommandTurn = Static<typeof CommandTurn>
export const CommandTurn = Type.Object({
  uid: CommandTurnUid,
  /** Who led. Null: no one did. */
  name: orNone(Type.String()),
  role: orNone(Type.String()),
  began_at: At,
  ended_at: orNone(At),
  how: Type.Enum([...turnBeginnings]),
  note: orNone(Type.String()),
  counts: orNone(CommandCounts),
})

export type InCommand = Static<typeof InCommand>
export const InCommand = Type.Object({
  turn: CommandTurnUid,
  /** Null: no one is in command. */
  in_command: orNone(ChainMember),
  /** Since when they lead, or no one does. */
  since: At,
  /** When they were last heard, if that is too long ago. */
  silent_since: orNone(At),
  /** Who is asked to take over, until when. */
  asked: orNone(Type.Object({ wardenSignInUid: SignInUid, name: Type.String(), until: At })),
})

export type CommandState = Static<typeof CommandState>
export const CommandState = Type.Object({
  turn: InCommand,
  /** Wardens on duty who can manage the event, in the order in which they would lead. */
  chain: Type.Array(ChainMember),
  /** The newest first, 50 at most. */
  turns: Type.Array(CommandTurn),
})

/** The command as every event page shows it. */
export type BriefCommand = Static<typeof BriefCommand>
export const BriefCommand = Type.Object({
  /** The server's clock. */
  at: At,
  turn: CommandTurnUid,
  in_command: orNone(Type.Object({ wardenSignInUid: SignInUid, name: Type.String(), role: Type.String() })),
  silent_since: orNone(At),
  /** The reader is asked to take command, from that moment on. Null: no one asks them. */
  take: orNone(
    Type.Object({
      why: Type.Enum(['asked', 'silent', 'vacant']),
      from: At,
      /** Who asks, or who is not heard. */
      name: orNone(Type.String()),
      /** Only if someone asks. */
      note: orNone(Type.String()),
      until: orNone(At),
    }),
  ),
})

const policy = { access: 'duty', flag: 'Module_Event_Management', withoutEvent: 'refuse' } as const
const refusals = ['command_changed', 'not_on_duty', 'no_event'] as const

export const getCommand = defineCall({
  summary: 'Who is in command, the chain and all turns',
  method: 'GET',
  path: '/api/event/command',
  reply: CommandState,
  policy: { access: 'duty', withoutEvent: 'refuse' },
  refusals: ['no_event', 'not_on_duty'],
})

export const handOver = defineCall({
  summary: 'Ask someone in the chain of command to take over; until they do, the caller leads',
  method: 'POST',
  path: '/api/event/command/hand-over',
  body: Type.Object({ turn: CommandTurnUid, to: SignInUid, note: Note }, closed),
  reply: CommandState,
  policy,
  refusals: [...refusals, 'invalid_transition', 'not_found'],
})

export const takeCommand = defineCall({
  summary: 'Take command; names the turn it ends, so that of two at once one does',
  method: 'POST',
  path: '/api/event/command/take',
  body: Type.Object({ turn: CommandTurnUid, note: Type.Optional(Note) }, closed),
  reply: CommandState,
  policy,
  refusals,
})
