import type { AssignmentUid, EvacueeUid, EventUid, SignInUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import type { JournalActor } from '#server/platform/db/journal.ts'
import { type DutyActor, hasFlag } from '#server/wardens/actor.ts'
import { countUnreadEvacuees, journalEvacueeUnread, listUnreadWardens, lockEvacueeUnread } from './unread.queries.ts'

/** A participation, with what its role may read. */
export interface Reader {
  eventUid: EventUid
  signInUid: SignInUid
  assignmentUid: AssignmentUid
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

/** The data of the unread banner and markers. */
export async function unreadOf(db: Db, reader: Reader) {
  const wardens = await listUnreadWardens(db, reader.eventUid, reader.signInUid)
  const evacuees = reader.readsMessages ? await countUnreadEvacuees(db, reader) : 0
  return {
    unread_messages_from_wardens: wardens,
    warden_unread_msg: wardens.length > 0,
    evacuee_unread_msg: evacuees > 0,
    evacuee_unread_count: evacuees,
  }
}

/** Updates banners after a thread was read or a message (`newSeq`) arrived. Call last in the transaction. */
export async function noteEvacueeUnread(
  tx: Tx,
  actor: JournalActor,
  { eventUid, evacueeUid, newSeq = null }: { eventUid: EventUid; evacueeUid: EvacueeUid; newSeq?: number | null },
): Promise<void> {
  await lockEvacueeUnread(tx, eventUid)
  await journalEvacueeUnread(tx, actor, { eventUid, evacueeUid, newSeq })
}
