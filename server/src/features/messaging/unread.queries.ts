import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'

/** Assignments of wardens whose messages to this sign-in are unread (AMB-080). */
export async function listUnreadWardens(db: Db, eventUid: string, signInUid: string): Promise<string[]> {
  const { rows } = await sql<{ uid: string }>`
    select distinct sender.assignment_uid as uid
    from message m
    join warden_sign_in sender on sender.client_uid = m.client_uid and sender.uid = m.sender_sign_in_uid
    where m.event_uid = ${eventUid} and m.recipient_sign_in_uid = ${signInUid} and m.read_at is null`.execute(db)
  return rows.map(({ uid }) => uid)
}

/** Has an evacuee of the warden's area, or of a thread the warden wrote in, a message nobody has read (AMB-128)? */
export async function hasUnreadEvacuee(
  db: Db,
  scope: { eventUid: string; signInUid: string; assignmentUid: string; wholeSite: boolean },
) {
  const { rows } = await sql<{ unread: boolean }>`
    select exists (
      select from message m
      join evacuee e on e.client_uid = m.client_uid and e.uid = m.evacuee_uid and e.active
      where m.event_uid = ${scope.eventUid} and m.kind = 'evacuee' and m.direction = 'in' and m.read_at is null
        and (${scope.wholeSite}
          or exists (select from assignment_location l where l.client_uid = e.client_uid
            and l.assignment_uid = ${scope.assignmentUid} and (l.floor_uid = e.floor_uid or l.building_uid = e.building_uid))
          or exists (select from message w where w.client_uid = m.client_uid and w.evacuee_uid = m.evacuee_uid
            and w.sender_sign_in_uid = ${scope.signInUid}))
    ) as unread`.execute(db)
  return rows[0]?.unread ?? false
}
