import { getOccupant } from '#features/evacuation/server/occupant.service.ts'
import type { AssignmentUid, PersonUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import { type DutyActor, journalActor } from '#server/wardens/actor.ts'
import type { EvacueeThread, WardenThread } from '../calls/messaging.ts'
import { presentMessengerWarden, viewOf } from './messenger.service.ts'
import { presentMessage } from './present.ts'
import { lockSignIn } from './send.queries.ts'
import {
  listEvacueeMessages,
  listWardenMessages,
  type MessageRow,
  markEvacueeRead,
  markWardenRead,
  type Pair,
} from './thread.queries.ts'
import { listUnreadWardens } from './unread.queries.ts'
import { noteEvacueeUnread } from './unread.service.ts'
import { listWardens } from './wardens.queries.ts'

/** A thread, and whether returning it marked something read. */
interface Opened<T> {
  thread: T
  hasRead: boolean
}

const header = (actor: DutyActor, rows: readonly MessageRow[]) => ({
  messages: rows.map(presentMessage),
  sms_allowed: actor.smsAllowed,
  senderWardenSignInUid: actor.signIn.uid,
})
const newestOf = (rows: readonly MessageRow[]) => rows.at(-1)?.seq ?? 0
const isUnread = (row: MessageRow) => row.readAt === null

/** For all wardens with the module. What one of them reads is read for all. */
export async function openEvacueeThread(
  tx: Tx,
  actor: DutyActor,
  personUid: PersonUid,
): Promise<Opened<EvacueeThread>> {
  const { clientUid } = actor
  const eventUid = actor.event.uid
  const recipient = await getOccupant(tx, { clientUid, eventUid, personUid })
  const evacueeUid = recipient.evacuee_list_uid
  const rows = await listEvacueeMessages(tx, clientUid, evacueeUid)
  const hasUnread = rows.some((row) => row.direction === 'in' && isUnread(row))
  const hasRead = hasUnread && (await markEvacueeRead(tx, clientUid, evacueeUid, newestOf(rows)))
  if (hasRead) {
    const subject = { subjectType: 'evacuee', subjectUid: personUid, eventUid } as const
    await record(tx, journalActor(actor), { action: 'evacuee_messages_read', ...subject })
    await noteEvacueeUnread(tx, journalActor(actor), { eventUid, evacueeUid })
  }
  return { thread: { recipient, ...header(actor, rows) }, hasRead }
}

/** Only for the two wardens. */
export async function openWardenThread(
  tx: Tx,
  actor: DutyActor,
  assignmentUid: AssignmentUid,
): Promise<Opened<WardenThread>> {
  const [other] = await listWardens(tx, viewOf(actor), { assignmentUid })
  if (!other) throw new Refusal('not_found')
  const pair = {
    clientUid: actor.clientUid,
    eventUid: actor.event.uid,
    ownSignInUid: actor.signIn.uid,
    otherSignInUid: other.signInUid,
  }
  const rows = await listWardenMessages(tx, pair)
  const hasUnread = rows.some((row) => row.senderUid === other.signInUid && isUnread(row))
  const hasRead = hasUnread && (await readWarden(tx, actor, pair, newestOf(rows)))
  return { thread: { recipient: presentMessengerWarden(other), ...header(actor, rows) }, hasRead }
}

/** The reader's banner, and the ticks in the writer's open thread. */
async function readWarden(tx: Tx, actor: DutyActor, pair: Pair, upTo: number): Promise<boolean> {
  const { eventUid, ownSignInUid, otherSignInUid } = pair
  await lockSignIn(tx, ownSignInUid)
  if (!(await markWardenRead(tx, pair, upTo))) return false
  const unread = await listUnreadWardens(tx, eventUid, ownSignInUid)
  await record(tx, journalActor(actor), [
    {
      action: 'unread_changed',
      subjectType: 'sign_in',
      subjectUid: ownSignInUid,
      eventUid,
      after: { unread_messages_from_wardens: unread, warden_unread_msg: unread.length > 0 },
    },
    {
      action: 'messages_read',
      subjectType: 'sign_in',
      subjectUid: otherSignInUid,
      eventUid,
      after: { thread_uid: actor.assignment.uid },
    },
  ])
  return true
}
