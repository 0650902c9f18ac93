import { type Static, type TSchema, Type } from 'typebox'
import { BuildingUid, SignInUid } from '../ids.ts'
import { limits } from '../limits.ts'
import { defineCall } from '../route.ts'
import { Warden } from './attendance.ts'

/** Lists of wardens to write to; what is written is in messaging.ts. */
export const toWardens = (withoutEvent: 'refuse' | 'answer') =>
  ({ access: 'duty', flag: 'Module_Warden_Messaging', withoutEvent }) as const

/** Why a read comes back empty, or a message was not sent: nobody takes part in an event without being on duty in it. */
export const absence = {
  error: Type.Union([Type.Literal('no_event'), Type.Literal('not_on_duty')]),
  /** 'No Current Events', or that the caller is not on duty. */
  message: Type.String(),
}
/** Stands first in a union: an answer is written by the first shape that fits. */
export const empty = <S extends TSchema>(schema: S) => Type.Array(schema, { maxItems: 0 })

/** A warden as the messaging screens list them: as the attendance screens do (DUTY-15), and what a text meets. */
export type MessengerWarden = Static<typeof MessengerWarden>
export const MessengerWarden = Type.Object({
  ...Warden.properties,
  /** Additive: this phone has answered STOP; texts to it are skipped. Shown as 'SMS refused'. */
  sms_refused: Type.Boolean(),
})

const Named = <S extends TSchema>(id: S) => Type.Object({ id, name: Type.String() })

/** Everything /message/all opens with: all wardens of the event but oneself, by name (AMB-143, ALLMSG-16). */
export type MessengerData = Static<typeof MessengerData>
export const MessengerData = Type.Object({
  messengerList: Type.Array(MessengerWarden),
  /** Of the event, by name. */
  buildings: Type.Array(Named(BuildingUid)),
  /** Of the wardens listed, by name. */
  roles: Type.Array(Named(Type.String({ format: 'uuid' }))),
  senderWardenSignInUid: SignInUid,
  sms_allowed: Type.Boolean(),
})

export const getMessengerData = defineCall({
  summary: 'Wardens of the event, and what they can be filtered by (API-63)',
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
  summary: 'Wardens of the event by building, role, status and text, by name (API-64, AMB-143)',
  method: 'GET',
  path: '/api/message/filter/data',
  query: Type.Object({
    /** 'all', or uids of buildings divided by commas. A warden belongs to every building of their area. */
    b: Uids,
    /** 'all', or uids of roles. */
    r: Uids,
    /** 'all', or 'on duty', 'off duty', 'unknown', 'not available', divided by commas. 'not available' brings 'off duty', too. */
    s: Statuses,
    /** In name or role. */
    st: Type.Optional(Type.String({ maxLength: limits.searchLength })),
  }),
  reply: Type.Union([
    Type.Object({ messengerList: empty(MessengerWarden), ...absence }),
    Type.Object({ messengerList: Type.Array(MessengerWarden) }),
  ]),
  policy: toWardens('answer'),
})

export const listInbox = defineCall({
  summary: 'Wardens the caller has a conversation with, unread first, then the newest message (API-65, AMB-142)',
  method: 'GET',
  path: '/api/message/cspd/filter/data',
  query: Type.Object({
    /** In name, role, or any text of the conversation; empty or absent: all. */
    searchText: Type.Optional(Type.String({ maxLength: limits.searchLength })),
  }),
  reply: Type.Union([
    Type.Object({ cspdList: empty(MessengerWarden), ...absence }),
    Type.Object({ cspdList: Type.Array(MessengerWarden) }),
  ]),
  policy: toWardens('answer'),
})
