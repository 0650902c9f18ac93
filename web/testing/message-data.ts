import {
  type EvacueeThread,
  listTemplates,
  type Message,
  type MessageTemplate,
  type WardenThread,
} from '#features/messaging/calls/messaging.ts'
import type { InboxWarden, MessengerData, MessengerWarden } from '#features/messaging/calls/messenger.ts'
import type { AssignmentUid, BuildingUid, SignInUid } from '#kernel/ids.ts'
import type { FakeServer } from './fake-server.ts'
import { occupant } from './floor-data.ts'
import { someSignIn } from './stored-auth.ts'

const uid = (n: number) => `00000000-0000-4000-8000-0000000e${String(n).padStart(4, '0')}`

/** 'Warden 1', on duty in Tower A. */
export const warden = (n: number, more: Partial<MessengerWarden> = {}): MessengerWarden => ({
  id: uid(n) as AssignmentUid,
  name: `Warden ${n}`,
  phone: `6149100${String(n).padStart(4, '0')}`,
  status: 'On Duty',
  role: 'Floor Warden',
  areas: [{ id: uid(500 + n), name: `Tower A - Level ${n}` }],
  unread: false,
  wardenSignInUid: uid(1000 + n) as SignInUid,
  sms_refused: false,
  ...more,
})

/** The warden in the inbox: 'Message of Warden n' is the last one unless said otherwise. */
export const conversationWith = (
  known: MessengerWarden,
  last: Partial<InboxWarden['last_message']> = {},
): InboxWarden => ({
  ...known,
  last_message: { text: `Message of ${known.name}`, own: false, timestamp: '2026-01-21T03:04:05.000Z', ...last },
})

/** A message of 'Warden 1' unless said otherwise. */
export const message = (id: number, more: Partial<Message> = {}): Message => ({
  messageId: id,
  senderId: warden(1).wardenSignInUid,
  name: 'Warden 1',
  role: 'Floor Warden',
  timestamp: '2026-01-21T03:04:05.000Z',
  read: true,
  text: `Message ${id}`,
  sms: false,
  delivery: null,
  also_texted: false,
  recorded: null,
  shared_with: null,
  ...more,
})
export const ownMessage = (id: number, more: Partial<Message> = {}) =>
  message(id, { senderId: someSignIn, name: 'Me', role: 'Chief Warden', ...more })

type Present<T> = Exclude<T, { error: unknown }>
export const wardenThread = (more: Partial<Present<WardenThread>> = {}): Present<WardenThread> => ({
  recipient: warden(1),
  messages: [],
  sms_allowed: true,
  senderWardenSignInUid: someSignIn,
  ...more,
})
export const evacueeThread = (more: Partial<Present<EvacueeThread>> = {}): Present<EvacueeThread> => ({
  recipient: occupant(1),
  messages: [],
  sms_allowed: true,
  senderWardenSignInUid: someSignIn,
  ...more,
})

/** Not in the order in which they are to be offered. */
export const templates: MessageTemplate[] = [
  { id: 1, text: 'Are you out of the building?', automated_response_message: 0 },
  { id: 3, text: 'Reply 1 if you are safe, 2 if you need help.', automated_response_message: 1 },
  { id: 2, text: 'Please wait where you are.', automated_response_message: 0 },
]
export const serveTemplates = (server: Pick<FakeServer, 'answer'>, given: MessageTemplate[] = templates) =>
  server.answer(listTemplates, { templates: given })

export const messengerData = (wardens: MessengerWarden[], more: Partial<MessengerData> = {}): MessengerData => ({
  messengerList: wardens,
  buildings: [
    { id: uid(901) as BuildingUid, name: 'Tower A' },
    { id: uid(902) as BuildingUid, name: 'Tower B' },
    { id: uid(903) as BuildingUid, name: 'Tower C' },
  ],
  roles: [
    { id: uid(911), name: 'Chief Warden' },
    { id: uid(912), name: 'Floor Warden' },
  ],
  senderWardenSignInUid: someSignIn,
  sms_allowed: true,
  ...more,
})
