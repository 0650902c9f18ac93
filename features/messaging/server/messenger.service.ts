import { presentWarden } from '#features/duty/server/attendance/wardens-on-duty.service.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import type { Attendance } from '#kernel/vocabulary.ts'
import type { Db } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import { type Actor, type DutyActor, hasFlag } from '#server/wardens/actor.ts'
import type { listTemplates, MessageTemplate } from '../calls/messaging.ts'
import type { filterMessenger, InboxWarden, listInbox, MessengerData, MessengerWarden } from '../calls/messenger.ts'
import {
  type ConversationRow,
  listConversations,
  listEventBuildings,
  listTemplatesOf,
  listWardens,
  type View,
  type WardenRow,
} from './wardens.queries.ts'

export const viewOf = (actor: DutyActor): View => ({
  clientUid: actor.clientUid,
  eventUid: actor.event.uid,
  signInUid: actor.signIn.uid,
  personUid: actor.personUid,
})

/** Uids and labels in the browser's form. */
export const presentMessengerWarden = (row: WardenRow): MessengerWarden => ({
  ...presentWarden(row),
  sms_refused: row.smsRefused,
})

/** The first data of /message/all. */
export async function messengerData(db: Db, actor: DutyActor): Promise<MessengerData> {
  const view = viewOf(actor)
  const rows = await listWardens(db, view, {})
  const roles = new Map(rows.map(({ roleUid, roleName }) => [roleUid, roleName]))
  return {
    messengerList: rows.map(presentMessengerWarden),
    buildings: (await listEventBuildings(db, view)).map(({ uid, name }) => ({ id: uid, name })),
    roles: [...roles].map(([id, name]) => ({ id, name })).toSorted((a, b) => a.name.localeCompare(b.name)),
    senderWardenSignInUid: actor.signIn.uid,
    sms_allowed: actor.smsAllowed,
  }
}

const attendanceOf: Record<string, readonly Attendance[]> = {
  'on duty': ['on_duty'],
  unknown: ['unknown'],
  'off duty': ['off_duty'],
  'not available': ['not_available', 'off_duty'],
}

/** 'not available' includes wardens who are off duty. */
export async function filteredWardens(
  db: Db,
  actor: DutyActor,
  { b, r, s, st }: CallInput<typeof filterMessenger>['query'],
): Promise<CallAnswer<typeof filterMessenger>> {
  const rows = await listWardens(db, viewOf(actor), {
    ...(b !== 'all' && { buildingUids: b.split(',') }),
    ...(r !== 'all' && { roleUids: r.split(',') }),
    ...(s !== 'all' && { statuses: s.split(',').flatMap((status) => attendanceOf[status] ?? []) }),
    text: st?.trim() ?? '',
  })
  return { messengerList: rows.map(presentMessengerWarden) }
}

export async function inbox(db: Db, actor: DutyActor, searchText = ''): Promise<CallAnswer<typeof listInbox>> {
  return { cspdList: (await listConversations(db, viewOf(actor), searchText.trim())).map(presentConversation) }
}

const presentConversation = (row: ConversationRow): InboxWarden => ({
  ...presentMessengerWarden(row),
  last_message: { text: row.lastText, own: row.lastIsOwn, timestamp: row.lastAt.toISOString() },
})

/** Each list of templates requires the module of its screens. Throws `forbidden`. */
export function requireTemplateFlag(actor: Actor, type: 'Warden' | 'Evacuee'): void {
  if (!hasFlag(actor, type === 'Warden' ? 'Module_Warden_Messaging' : 'Module_My_Messages'))
    throw new Refusal('forbidden')
}

export async function templates(
  db: Db,
  actor: DutyActor,
  type: 'Warden' | 'Evacuee',
): Promise<CallAnswer<typeof listTemplates>> {
  const rows = await listTemplatesOf(db, actor.clientUid, type)
  const present = (row: (typeof rows)[number]): MessageTemplate => ({
    id: row.id,
    text: row.text,
    automated_response_message: row.automatedResponse ? 1 : 0,
  })
  return { templates: rows.map(present) }
}
