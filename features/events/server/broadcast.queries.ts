import { sql } from 'kysely'
import { insertTexts, obstacle, phoneOf } from '#features/texts/server/queue.queries.ts'
import type { EventUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import type { EventText } from './event-texts.queries.ts'

export type BroadcastKind = 'event_message' | 'event_concluded'

const pageSize = 2_000

export async function insertBroadcast(
  tx: Tx,
  clientUid: string,
  kind: BroadcastKind,
  { eventUid, message, smsAllowed, senderSignInUid = null }: EventText,
  buildingUids: readonly string[],
): Promise<void> {
  await tx
    .insertInto('broadcast')
    .values({ clientUid, eventUid, kind, body: message, buildingUids: [...buildingUids], smsAllowed, senderSignInUid })
    .execute()
}

/**
 * Writes one page of the oldest unfinished broadcast, to the occupants of its buildings. Each text is also a
 * message in the occupant's thread. An occupant without a mobile gets a skipped text. A conclusion goes to the people whom
 * the same transaction removed from the event. Returns false if there was no broadcast to write.
 */
export async function writeBroadcastPage(system: Db): Promise<boolean> {
  const texts = insertTexts(
    { kind: sql`r.kind`, body: sql`r.body`, writtenAt: sql`r.created_at`, brings: ['message_seq'] },
    sql`select page.*, b.kind, b.body, b.created_at, copied.seq as message_seq
      from due b cross join page left join copied on copied.evacuee_uid = page.evacuee_uid`,
  )
  const { rows } = await sql`
    with due as (
      select * from broadcast where finished_at is null order by created_at limit 1 for update skip locked
    ), page as (
      select e.uid as evacuee_uid, e.client_uid, e.event_uid, e.person_uid, p.mobile, ${obstacle(sql`b.sms_allowed`)} as obstacle
      from due b
      cross join lateral (
        select * from evacuee
        where client_uid = b.client_uid and event_uid = b.event_uid
          and person_uid > b.after_person_uid and building_uid = any (b.building_uids)
          and (active or (b.kind = 'event_concluded' and removed_at = b.created_at))
        order by person_uid
        limit ${pageSize}
      ) e
      ${phoneOf('e')}
      order by e.person_uid
    ), copied as (
      insert into message (client_uid, event_uid, kind, direction, sender_sign_in_uid, evacuee_uid, text, created_at)
      select b.client_uid, b.event_uid, 'evacuee', 'out', b.sender_sign_in_uid, page.evacuee_uid, b.body, b.created_at
      from due b cross join page
      where b.kind = 'event_message' and page.obstacle is null
      returning seq, evacuee_uid
    ), written as (${texts})
    update broadcast b
    set after_person_uid = coalesce((select person_uid from page order by person_uid desc limit 1), b.after_person_uid),
      finished_at = case when (select count(*) from page) < ${pageSize} then now() end
    from due
    where b.client_uid = due.client_uid and b.uid = due.uid
    returning b.uid`.execute(system)
  return rows.length > 0
}

/** Waits for the page that is being written, so that its texts can be cancelled afterwards. */
export async function stopBroadcasts(tx: Tx, eventUid: EventUid): Promise<void> {
  await tx
    .updateTable('broadcast')
    .set({ finishedAt: sql`now()` })
    .where('eventUid', '=', eventUid)
    .where('kind', '=', 'event_message')
    .where('finishedAt', 'is', null)
    .execute()
}
