import { type Static, type TSchema, Type } from 'typebox'
import { Warden } from '#features/duty/calls/attendance.ts'
import { BuildingUid, SignInUid } from '#kernel/ids.ts'
import * as limits from '#kernel/limits.ts'
import { defineCall } from '#kernel/route.ts'

/** Lists of wardens to write to. messaging.ts has the messages. */
export const toWardens = <const Answer extends 'refuse' | 'answer'>(withoutEvent: Answer) =>
  ({ access: 'duty', flag: 'Module_Warden_Messaging', withoutEvent }) as const

/** Why a list is empty or a message was not sent: the caller is not on duty in an event. */
export const absence = {
  error: Type.Union([Type.Literal('no_event'), Type.Literal('not_on_duty')]),
  /** 'No Current Events', or a sentence that the caller is not on duty. */
  message: Type.String(),
}
/** Must come first in a union, because a reply is serialised by the first schema that matches. */
export const empty = <S extends TSchema>(schema: S) => Type.Array(schema, { maxItems: 0 })

/** A warden on the messaging screens: as on the attendance screens, with STOP. */
export type MessengerWarden = Static<typeof MessengerWarden>
export const MessengerWarden = Type.Object({
  ...Warden.properties,
  /** Additive: the number has sent STOP, so texts to it are skipped. Shown as 'SMS refused'. */
  sms_refused: Type.Boolean(),
})

/** A row of the inbox: the warden, with what was written last. */
export type InboxWarden = Static<typeof InboxWarden>
export const InboxWarden = Type.Object({
  ...MessengerWarden.properties,
  /** Additive. */
  last_message: Type.Object({
    /** The first 130 characters. A text from a phone may be longer. */
    text: Type.String(),
    /** The caller wrote it. */
    own: Type.Boolean(),
    /** ISO 8601, UTC. */
    timestamp: Type.String(),
  }),
})

const Named = <S extends TSchema>(id: S) => Type.Object({ id, name: Type.String() })

/** The first data of /message/all: all other wardens of the event, by name. */
export type MessengerData = Static<typeof MessengerData>
export const MessengerData = Type.Object({
  messengerList: Type.Array(MessengerWarden),
  /** Buildings of the event, by name. */
  buildings: Type.Array(Named(BuildingUid)),
  /** Roles of the listed wardens, by name. */
  roles: Type.Array(Named(Type.String({ format: 'uuid' }))),
  senderWardenSignInUid: SignInUid,
  sms_allowed: Type.Boolean(),
})

export const getMessengerData = defineCall({
  summary: 'Wardens of the event, and what they can be filtered by',
  method: 'GET',
  path: '/api/message/data',
  reply: Type.Union([
    MessengerData,
    Type.Object({
      messengerList: empty(MessengerWarden),
      buildings: empty(Named(BuildingUid)),
      roles: empty(Named(Type.String())),
      senderWardenSignInUid: Type.Null(),
      sms_allowed: Type.Boolean(),
      ...absence,
    }),
  ]),
  policy: toWardens('answer'),
})

const uuid = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'
const Uids = Type.String({ pattern: `^(?:all|${uuid}(?:,${uuid})*)$`, maxLength: 4000 })
const status = '(?:on duty|off duty|unknown|not available)'
const Statuses = Type.String({ pattern: `^(?:all|${status}(?:,${status})*)$`, maxLength: 200 })

export const filterMessenger = defineCall({
  summary: 'Wardens of the event by building, role, status and text, by name',
  method: 'GET',
  path: '/api/message/filter/data',
  query: Type.Object({
    /** 'all', or uids of buildings separated by commas. A warden belongs to every building of their area. */
    b: Uids,
    /** 'all', or uids of roles. */
    r: Uids,
    /** 'all', or 'on duty', 'off duty', 'unknown', 'not available', separated by commas. 'not available' includes 'off duty'. */
    s: Statuses,
    /** Part of the name or the role. */
    st: Type.Optional(Type.String({ maxLength: limits.searchLength })),
  }),
  reply: Type.Union([
    Type.Object({ messengerList: empty(MessengerWarden), ...absence }),
    Type.Object({ messengerList: Type.Array(MessengerWarden) }),
  ]),
  policy: toWardens('answer'),
})

export const listInbox = defineCall({
  summary: 'Wardens the caller has a conversation with, unread first, then the newest message',
  method: 'GET',
  path: '/api/message/cspd/filter/data',
  query: Type.Object({
    /** Part of the name, the role, or any message of the conversation. Empty or absent means all. */
    searchText: Type.Optional(Type.String({ maxLength: limits.searchLength })),
  }),
  reply: Type.Union([
    Type.Object({ cspdList: empty(InboxWarden), ...absence }),
    Type.Object({ cspdList: Type.Array(InboxWarden) }),
  ]),
  policy: toWardens('answer'),
})
