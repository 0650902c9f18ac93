import { sql } from 'kysely'
import type { UnknownCause } from '#features/board/kinds.ts'
import type { PlaceUid } from '#features/evacuation/server/tally.queries.ts'
import type { ClientUid, EventUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { byHash, isAsking, unreachedIn } from './causes.queries.ts'

/** Numbers of people of a place by plans, messages, texts, own words and causes. */
export interface CountsOfPlace {
  placeUid: PlaceUid
  /** People with a plan who are not safe. */
  plans: number
  /** Threads whose newest message came in and set nothing. */
  unanswered: number
  /** When the oldest of these messages was written. */
  unansweredAt: Date | null
  /** People who are not safe and whose newest text failed. */
  textFailed: number
  /** People who are safe by their own word. */
  ownWord: number
  causes: Record<UnknownCause, number>
}

/**
 * Places that have something to count. The same causes as those of `causedIn`, with less work: most people of an event are safe, and
 * nothing is to be told of them. Messages that ask, the most of all rows, are only looked at for people who have no other cause.
 *
 * 1. `told`: people who are not safe, or whose word or message counts.
 * 2. `alike`: how many of them are alike.
 * 3. `asked`: unknown people without another cause whom someone has asked.
 */
export function countByPlace(tx: Tx, clientUid: ClientUid, eventUid: EventUid): Promise<CountsOfPlace[]> {
  const of = { clientUid, eventUid }
  return byHash(
    tx,
    sql<CountsOfPlace>`
    with ${unreachedIn(of)}, told as materialized (
      select e.uid, e.place_uid, unclear.written_at as unanswered_at, e.status = 'unknown' as is_unknown,
        e.status <> 'safe' and plan.uid is not null as is_planned, e.status <> 'safe' and failed.person_uid is not null as is_failed,
        e.status = 'safe' and greatest(e.text_status_at, e.self_status_at) = e.status_at as is_own,
        e.seen_before_at is not null as is_seen
      from evacuee e
      left join unclear on unclear.evacuee_uid = e.uid
      left join failed on failed.person_uid = e.person_uid
      left join peep plan on plan.client_uid = ${clientUid} and plan.person_uid = e.person_uid and plan.active
      where e.client_uid = ${clientUid} and e.event_uid = ${eventUid} and e.active
        and (e.status <> 'safe' or unclear.evacuee_uid is not null or e.text_status_at is not null or e.self_status_at is not null)
    ), alike as (
      select place_uid, is_unknown, is_planned, is_failed, is_own, is_seen,
        count(*) as people, count(unanswered_at) as unanswered, min(unanswered_at) as unanswered_at
      from told group by place_uid, is_unknown, is_planned, is_failed, is_own, is_seen
    ), asked as (
      select place_uid, count(*) as people, count(*) filter (where is_seen) as seen
      from told
      where is_unknown and unanswered_at is null and not is_failed
        and exists (select from message m where m.evacuee_uid = told.uid and ${isAsking(of)})
      group by place_uid
    ), counted as (
      select place_uid, sum(people) filter (where is_planned) as plans, sum(unanswered) as unanswered,
        min(unanswered_at) as unanswered_at, sum(people) filter (where is_failed) as text_failed,
        sum(people) filter (where is_own) as own_word, sum(unanswered) filter (where is_unknown) as unclear,
        sum(people - unanswered) filter (where is_unknown and is_failed) as unknown_failed,
        sum(people - unanswered) filter (where is_unknown and not is_failed and is_seen) as seen,
        sum(people - unanswered) filter (where is_unknown and not is_failed and not is_seen) as unseen
      from alike group by place_uid
    )
    select c.place_uid, coalesce(c.plans, 0)::int as plans, c.unanswered::int, c.unanswered_at,
      coalesce(c.text_failed, 0)::int as text_failed, coalesce(c.own_word, 0)::int as own_word,
      json_build_object('unclear', coalesce(c.unclear, 0), 'text_failed', coalesce(c.unknown_failed, 0), 'asked', coalesce(a.people, 0),
        'seen_before', coalesce(c.seen, 0) - coalesce(a.seen, 0),
        'not_asked', coalesce(c.unseen, 0) - coalesce(a.people - a.seen, 0)) as causes
    from counted c left join asked a using (place_uid)`,
  )
}
