import { type Static, type TSchema, Type } from 'typebox'
import { Occupant } from '#features/evacuation/calls/evacuation.ts'
import { FilterSet } from '#features/evacuation/calls/safety.ts'
import { AssignmentUid, FloorUid, PersonUid, SignInUid } from '#kernel/ids.ts'
import * as limits from '#kernel/limits.ts'
import { defineCall } from '#kernel/route.ts'
import { SafetyStatus } from '#kernel/vocabulary.schemas.ts'
import { absence, empty, MessengerWarden, toWardens } from './messenger.ts'

const None = Type.Null()
const orNone = <S extends TSchema>(schema: S) => Type.Union([schema, None])

const toEvacuees = <const Answer extends 'refuse' | 'answer'>(withoutEvent: Answer) =>
  ({ access: 'duty', flag: 'Module_My_Messages', withoutEvent }) as const

/** The state of a text (SMS). 'skipped', 'expired' and 'failed' never arrive. `reason` says why in words. */
export type TextState = Static<typeof TextState>
export const TextState = Type.Object({
  status: Type.Enum(['queued', 'handed_over', 'delivered', 'failed', 'unconfirmed', 'expired', 'skipped']),
  reason: orNone(Type.String()),
})

/** A message of a thread. Threads are oldest first. */
export type Message = Static<typeof Message>
export const Message = Type.Object({
  /** Increases with each message. */
  messageId: Type.Integer(),
  /** The sender's participation, to compare with `senderWardenSignInUid`. The person if the sender is an evacuee. */
  senderId: Type.Union([SignInUid, PersonUid]),
  name: Type.String(),
  /** The sender's role. 'Occupant' or 'Visitor' if the sender is an evacuee. */
  role: Type.String(),
  /** ISO 8601, UTC. */
  timestamp: Type.String(),
  /**
   * For an incoming message: false the first time it is returned to anyone on the caller's side, then true. For an own
   * message to a warden: whether that warden has read it. For an own message to an evacuee: always false, because unknown.
   */
  read: Type.Boolean(),
  text: Type.String(),
  /** Additive: the message came or went as a text. An incoming one is unverified, because a number proves no identity. */
  sms: Type.Boolean(),
  /** Additive: the state of an outgoing text. Null for an incoming one, or for a message in the app only. */
  delivery: orNone(TextState),
  /** Additive: a warden on duty had not opened the message after 60 s, so it was texted as well. */
  also_texted: Type.Boolean(),
  /** Additive: the safety status that this reply set by itself; shown as 'by SMS, unverified'. */
  recorded: orNone(SafetyStatus),
  /** Additive: the names of all who have the number that the text came from. It is not known who wrote, so it set nothing. */
  shared_with: orNone(Type.String()),
})

const thread = <S extends TSchema>(recipient: S) =>
  Type.Union([
    Type.Object({
      recipient,
      messages: Type.Array(Message),
      sms_allowed: Type.Boolean(),
      senderWardenSignInUid: SignInUid,
    }),
    Type.Object({
      recipient: None,
      messages: empty(Message),
      sms_allowed: Type.Boolean(),
      senderWardenSignInUid: None,
      ...absence,
    }),
  ])

/** An evacuee's thread, shared by all wardens with the module. `recipient` is as in the floor lists. */
export type EvacueeThread = Static<typeof EvacueeThread>
export const EvacueeThread = thread(Occupant)
/** A thread between two participations of the event, visible to these two only. */
export type WardenThread = Static<typeof WardenThread>
export const WardenThread = thread(MessengerWarden)

export const getEvacueeThread = defineCall({
  summary: 'Thread with an evacuee of the event; what it gives counts as read',
  method: 'GET',
  path: '/api/message/evacuee/data',
  query: Type.Object({ toEvacuee: PersonUid }),
  reply: EvacueeThread,
  policy: toEvacuees('answer'),
  refusals: ['not_found'],
})

export const pollEvacueeThread = defineCall({
  summary: 'The same again, every 10 s; merge by messageId',
  method: 'GET',
  path: '/api/message/evacuee/poll',
  query: Type.Object({ toEvacuee: PersonUid }),
  reply: EvacueeThread,
  policy: toEvacuees('answer'),
  refusals: ['not_found'],
})

export const getWardenThread = defineCall({
  summary: 'Thread with another warden of the event; what it gives counts as read',
  method: 'GET',
  path: '/api/message/warden/data',
  query: Type.Object({ toWarden: AssignmentUid }),
  reply: WardenThread,
  policy: toWardens('answer'),
  refusals: ['not_found'],
})

export const pollWardenThread = defineCall({
  summary: 'The same again, every 5 s; merge by messageId',
  method: 'GET',
  path: '/api/message/warden/poll',
  query: Type.Object({ toWarden: AssignmentUid }),
  reply: WardenThread,
  policy: toWardens('answer'),
  refusals: ['not_found'],
})

/** 1 to 130 UTF-16 units, not only spaces. Stored unchanged. */
const Text = Type.String({ minLength: 1, maxLength: limits.messageLength, pattern: '\\S' })
/** 1 if the chosen template has 1 and its text is unchanged, else 0. */
const AutomatedResponse = Type.Union([Type.Literal(0), Type.Literal(1)])

/** 'not_sent' is not an error. `message` tells the warden why. */
export type SendReply = Static<typeof SendReply>
export const SendReply = Type.Union([
  Type.Object({ status: Type.Literal('message_sent'), newMessages: Type.Array(Message) }),
  Type.Object({ status: Type.Literal('not_sent'), message: Type.String() }),
])

export const sendToEvacuee = defineCall({
  summary: "Texts an evacuee; not_sent without sms_allowed, a mobile, or the person's consent",
  method: 'POST',
  path: '/api/message/evacuee/send',
  body: Type.Object(
    {
      message: Text,
      /** The person, as `evacueeId` in the path. */
      receiverId: PersonUid,
      automated_response_message: AutomatedResponse,
    },
    { additionalProperties: false },
  ),
  reply: SendReply,
  policy: toEvacuees('answer'),
  refusals: ['not_found'],
})

export const sendToWarden = defineCall({
  summary: 'Messages a warden in the app, and by text when not on duty; not_sent when neither goes',
  method: 'POST',
  path: '/api/message/warden/send',
  body: Type.Object(
    {
      message: Text,
      /** The recipient's assignment, as `wardenId` in the path. */
      receiverId: AssignmentUid,
      /** The caller's own participation. Any other gets 422. */
      from: SignInUid,
      /** The recipient's participation. 422 if it is not of `receiverId`. */
      to: SignInUid,
    },
    { additionalProperties: false },
  ),
  reply: SendReply,
  policy: toWardens('answer'),
  refusals: ['not_found'],
})

/** Message templates, newest id first. */
export type MessageTemplate = Static<typeof MessageTemplate>
export const MessageTemplate = Type.Object({
  id: Type.Integer(),
  text: Type.String(),
  automated_response_message: AutomatedResponse,
})

export const listTemplates = defineCall({
  summary: 'Templates for messages to wardens, or to evacuees; each needs the module of its screens',
  method: 'GET',
  path: '/api/message/templates/data',
  query: Type.Object({ type: Type.Enum(['Warden', 'Evacuee']) }),
  reply: Type.Union([
    Type.Object({ templates: empty(MessageTemplate), ...absence }),
    Type.Object({ templates: Type.Array(MessageTemplate) }),
  ]),
  // the service checks Module_Warden_Messaging for Warden and Module_My_Messages for Evacuee
  policy: { access: 'duty', withoutEvent: 'answer' },
  refusals: ['forbidden'],
})

const Floors = Type.Array(Type.Union([Type.Literal('all'), FloorUid]), { minItems: 1, maxItems: 1000 })

export const countEvacueeGroup = defineCall({
  summary: 'How many evacuees a send with these filters would text: matched, with a mobile, each once',
  method: 'POST',
  path: '/api/message/evacuee/group/data',
  body: Type.Object({ filters: FilterSet }, { additionalProperties: false }),
  reply: Type.Union([
    Type.Object({
      count: Type.Integer(),
      /** Additive: matches without a mobile, and matches who have sent STOP. Neither is in `count`. */
      without_mobile: Type.Integer(),
      sms_refused: Type.Integer(),
    }),
    Type.Object({ count: Type.Literal(0), ...absence }),
  ]),
  policy: toEvacuees('answer'),
})

export const sendToEvacueeGroup = defineCall({
  summary: "Texts the people whom the filters match at this moment: 'Message sent to n evacuees.'",
  method: 'POST',
  path: '/api/message/evacuee/group/send',
  body: Type.Object(
    {
      filters: FilterSet,
      automated_response_message: AutomatedResponse,
      /** `filters.floors` or ['all']. Takes precedence. */
      floors: Floors,
      msg: Text,
      /** Additive: the `count` that the sender saw. If it is now more than 10 % higher or lower, nothing is sent (409). */
      count: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000_000 })),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({ status: Type.Literal('message_sent'), message: Type.String() }),
  policy: toEvacuees('refuse'),
  refusals: ['sms_not_allowed', 'audience_changed', 'no_event', 'not_on_duty'],
})

/** A recipient of a group message: `id` and `wardenSignInUid` of a listed warden. */
export type AudienceMember = Static<typeof AudienceMember>
export const AudienceMember = Type.Object(
  { wardenAssignmentUid: AssignmentUid, wardenSignInUid: SignInUid },
  { additionalProperties: false },
)

export const sendToWardenGroup = defineCall({
  summary: "Messages wardens of the event: 'Message sent to n wardens.'",
  method: 'POST',
  path: '/api/message/warden/group/send',
  body: Type.Object(
    {
      /** 422 if any recipient is unknown, of another event, or has another assignment. The caller is skipped. */
      audience: Type.Array(AudienceMember, { minItems: 1, maxItems: limits.audience }),
      /** The caller's own participation. Any other gets 403. */
      from: SignInUid,
      message: Text,
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({ status: Type.Literal('message_sent'), message: Type.String() }),
  policy: toWardens('refuse'),
  refusals: ['forbidden', 'sms_not_allowed', 'no_event', 'not_on_duty'],
})
