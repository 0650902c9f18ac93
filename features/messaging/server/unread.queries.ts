import { sql } from 'kysely'
import type { AssignmentUid, EvacueeUid, EventUid, SignInUid } from '#kernel/ids.ts'
import { mostUnread } from '#kernel/limits.ts'
import { type Db, prepared, type Tx } from '#server/platform/db/db.ts'
import type { JournalActor } from '#server/platform/db/journal.ts'
import { areaCovers } from '#server/wardens/warden-area.ts'

/** Assignments of wardens whose messages to this sign-in are unread. */
export async function listUnreadWardens(db: Db, eventUid: EventUid, signInUid: SignInUid): Promise<AssignmentUid[]> {
  const { rows } = await sql<{ uid: AssignmentUid }>`${prepared('list_unread_wardens')}
    select distinct sender.assignment_uid as uid
    from message m
    join warden_sign_in sender on sender.client_uid = m.client_uid and sender.uid = m.sender_sign_in_uid
    where m.event_uid = ${eventUid} and m.recipient_sign_in_uid = ${signInUid} and m.read_at is null`.execute(db)
  return rows.map(({ uid }) => uid)
}

/** The place of evacuee `e`. */
const place = { floorUid: sql`e.floor_uid`, buildingUid: sql`e.building_uid` }

/** Evacuees with an unread message in the warden's area, or in threads in which the warden wrote. Counts to `mostUnread`. */
export async function countUnreadEvacuees(
  db: Db,
  scope: { eventUid: EventUid; signInUid: SignInUid; assignmentUid: AssignmentUid; wholeSite: boolean },
) {
  const { rows } = await sql<{ people: number }>`${prepared('count_unread_evacuees')}
    select count(*)::int as people from (
      select distinct m.evacuee_uid from message m
      join evacuee e on e.client_uid = m.client_uid and e.uid = m.evacuee_uid and e.active
      where m.event_uid = ${scope.eventUid} and m.kind = 'evacuee' and m.direction = 'in' and m.read_at is null
        and (${scope.wholeSite}
          or ${areaCovers(place, { clientUid: sql`e.client_uid`, uid: scope.assignmentUid })}
          or exists (select from message w where w.client_uid = m.client_uid and w.evacuee_uid = m.evacuee_uid
            and w.sender_sign_in_uid = ${scope.signInUid}))
      limit ${mostUnread}) unread`.execute(db)
  return rows[0]?.people ?? 0
}

/** A thread concerns wardens whose area contains the evacuee, and wardens who have written in it. */
const concerns = sql`
  r.area_domain = 'Site'
  or ${areaCovers(place)}
  or exists (select from message w where w.client_uid = e.client_uid and w.evacuee_uid = e.uid
    and w.sender_sign_in_uid = si.uid)`

/** Locks the count of an event's unread messages until the commit, so that banners follow in order. */
export async function lockEvacueeUnread(tx: Tx, eventUid: EventUid): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${eventUid}, 128))`.execute(tx)
}

/**
 * Notifies the wardens on duty whom the thread concerns and whose number of unread evacuees, counted up
 * to `mostUnread`, changes: after the first unread message of an evacuee, and after reading.
 */
export async function journalEvacueeUnread(
  tx: Tx,
  actor: JournalActor,
  { eventUid, evacueeUid, newSeq }: { eventUid: EventUid; evacueeUid: EvacueeUid; newSeq: number | null },
): Promise<void> {
  await sql`${prepared('journal_evacuee_unread')}
    with concerned as (
      select si.client_uid, si.uid, si.assignment_uid, r.area_domain = 'Site' as whole_site
      from warden_sign_in si
      join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
      join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
      join evacuee e on e.client_uid = si.client_uid and e.uid = ${evacueeUid}
      where si.client_uid = ${actor.clientUid} and si.event_uid = ${eventUid} and si.on_duty and si.closed_at is null
        and 'My_Messages' = any (r.modules) and (${concerns})
    ), unread as (
      select si.*, (select count(*)::int from (
        select distinct m.evacuee_uid from message m
        join evacuee e on e.client_uid = m.client_uid and e.uid = m.evacuee_uid and e.active
        where m.client_uid = si.client_uid and m.event_uid = ${eventUid} and m.kind = 'evacuee' and m.direction = 'in'
          and m.read_at is null and (${concerns})
        limit ${mostUnread + 1}) counted) as people
      from concerned si
      cross join lateral (select si.assignment_uid as uid, si.client_uid) a
      cross join lateral (select case when si.whole_site then 'Site' end as area_domain) r
    )
    insert into journal (client_uid, event_uid, actor_person_uid, actor_sign_in_uid, session_uid, action, subject_type,
      subject_uid, after)
    select si.client_uid, ${eventUid}::uuid, ${actor.personUid}::uuid, ${actor.signInUid}::uuid,
      ${actor.sessionUid ?? null}::uuid, 'unread_changed', 'sign_in', si.uid, jsonb_build_object('evacuee_unread_msg', people > 0, 'evacuee_unread_count', people)
    from unread si
    where people <= ${newSeq === null ? mostUnread - 1 : mostUnread} and not exists (
      select from message m
      where m.client_uid = ${actor.clientUid} and m.event_uid = ${eventUid} and m.evacuee_uid = ${evacueeUid}
        and m.direction = 'in' and m.read_at is null and m.seq is distinct from ${newSeq}::bigint)
    order by si.uid`.execute(tx)
}
