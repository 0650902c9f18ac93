import { type Static, Type } from 'typebox'
import { instructionKinds } from '#features/command/kinds.ts'
import { EventUid, FloorUid, InstructionUid, SignInUid } from '#kernel/ids.ts'
import { topics } from '#kernel/kinds.ts'
import { defineCall } from '#kernel/route.ts'
import { EventKind, EventKindField } from '#kernel/vocabulary.schemas.ts'

export type Changed = Static<typeof Changed>
export const Changed = Type.Object({
  topic: Type.Enum([...topics]),
  /** Uids of what changed. Empty means any of them. */
  ids: Type.Array(Type.String()),
  /** Additive, of people: all of them are on these floors, or were until now. Left out: they may be anywhere. */
  floors: Type.Optional(Type.Array(Type.String())),
})

/** An instruction that was sent. More floors than these are 'any'. */
export const Instruction = Type.Object({
  id: InstructionUid,
  kind: Type.Enum([...instructionKinds]),
  floors: Type.Union([Type.Literal('all'), Type.Literal('any'), Type.Array(FloorUid, { maxItems: 50 })]),
})

/** A real-time publication. Ids only, nothing personal. While an event runs `event.status` is true. */
export type Publication = Static<typeof Publication>
export const Publication = Type.Object({
  status: Type.String(),
  message: Type.Union([Type.String(), Type.Null()]),
  unread_messages_from_wardens: Type.Optional(Type.Array(Type.String())),
  warden_unread_msg: Type.Optional(Type.Boolean()),
  evacuee_unread_msg: Type.Optional(Type.Boolean()),
  /** Evacuees with an unread message. `mostUnread` means that many or more. */
  evacuee_unread_count: Type.Optional(Type.Integer()),
  event: Type.Optional(Type.Object({ status: Type.Boolean(), ended_by: Type.Union([Type.String(), Type.Null()]) })),
  /** Additive: the kind of the event, in the answer to a poll and when it changes. */
  event_kind: Type.Optional(EventKind),
  /** Additive: when the drill became a live event, in the publication that says so. ISO 8601. */
  live_from: Type.Optional(Type.String()),
  /** Additive: an instruction was sent. */
  instruction: Type.Optional(Instruction),
  changed: Type.Optional(Type.Array(Changed)),
  /** Additive: the newest transaction that this tells of. A reader that names it gets no older answer. */
  at: Type.Optional(Type.Integer()),
  /** Additive: something may have been missed, so everything on screen is read again. */
  refetch: Type.Optional(Type.Literal(true)),
})

export const getChannels = defineCall({
  summary: 'Channels the signed-in warden may follow; empty unless on duty',
  method: 'GET',
  path: '/api/v2/warden/channels',
  reply: Type.Object({
    channels: Type.Array(Type.String()),
    Warden_Sign_In_UID: Type.Union([SignInUid, Type.Null()]),
    ...EventKindField,
    /** Additive: by whose clock the times of the event are told. IANA name. Left out without an event. */
    timezone: Type.Optional(Type.String()),
    /** Additive: the drill became live, and this warden on duty has not said that they read it. `at` is ISO 8601. */
    made_live: Type.Union([Type.Object({ event: EventUid, at: Type.String() }), Type.Null()]),
    /** Additive, on duty while a change waits behind an open transaction: for how many whole seconds. */
    live: Type.Optional(Type.Object({ behind_seconds: Type.Integer() })),
  }),
  policy: { access: 'session' },
})

export const getChannelToken = defineCall({
  summary: 'Signed token for the real-time socket, 3600 s',
  method: 'GET',
  path: '/api/v2/warden/channel-token',
  reply: Type.Object({
    token: Type.String(),
    expires_in: Type.Integer(),
    url: Type.String(),
    /** Additive: the socket is Centrifugo's, which wants a token for each channel. By the name of the channel. */
    channel_tokens: Type.Optional(Type.Record(Type.String(), Type.String())),
  }),
  policy: { access: 'duty', withoutEvent: 'refuse' },
  refusals: ['no_event', 'not_on_duty'],
})

export const pollEvent = defineCall({
  summary: 'The publication a disconnected phone would have received',
  method: 'GET',
  path: '/api/v2/warden/eventpoll',
  reply: Publication,
  policy: { access: 'session' },
})

/** Shown to a warden whose building leaves the event. */
export const removedMessage = 'Your building has been removed from the event. You have been signed out of the event.'
