import { type DutyActor, hasFlag } from '../../platform/actor.ts'
import type { Db } from '../../platform/db.ts'
import { hasUnreadEvacuee, listUnreadWardens } from './unread.queries.ts'

/** Whose unread messages: a sign-in, with what its role lets it read. */
export interface Reader {
  eventUid: string
  signInUid: string
  assignmentUid: string
  wholeSite: boolean
  readsMessages: boolean
}

export const readerOf = (actor: DutyActor): Reader => ({
  eventUid: actor.event.uid,
  signInUid: actor.signIn.uid,
  assignmentUid: actor.assignment.uid,
  wholeSite: actor.assignment.areaDomain === 'Site',
  readsMessages: hasFlag(actor, 'Module_My_Messages'),
})

/** What the unread banner and markers show (RT-17, AMB-080). */
export async function unreadOf(db: Db, reader: Reader) {
  const wardens = await listUnreadWardens(db, reader.eventUid, reader.signInUid)
  const evacuees = reader.readsMessages && (await hasUnreadEvacuee(db, reader))
  return { unread_messages_from_wardens: wardens, warden_unread_msg: wardens.length > 0, evacuee_unread_msg: evacuees }
}
