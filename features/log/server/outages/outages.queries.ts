import { sql } from 'kysely'
import type { Db } from '#server/platform/db/db.ts'

const utc = (at: ReturnType<typeof sql>) => sql`to_char((${at}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/**
 * Marks the logs of all running events, in one statement. One whose mark was over `seconds` old when it began gets the entry
 * `service_gap`, for each such time in which nothing of the event was recorded and no phone on duty was seen: else only the mark
 * came late. How long the statement waits for a log that is being sealed is no outage. Of workers that mark at once the second
 * finds the mark of the first.
 */
export async function markRunning(system: Db, seconds: number): Promise<void> {
  const lasts = sql`make_interval(secs => ${seconds}::float8)`
  await sql`
    with held as (
      select l.client_uid, l.event_uid, l.marked_at from record_log l
      join event e on (e.client_uid, e.uid) = (l.client_uid, l.event_uid) and e.ended_at is null
      order by l.client_uid, l.event_uid for no key update of l
    ), marked as (
      update record_log l set marked_at = greatest(l.marked_at, clock_timestamp()) from held
      where (l.client_uid, l.event_uid) = (held.client_uid, held.event_uid)
      returning l.client_uid, l.event_uid, held.marked_at as from_at
    ), late as (
      select * from marked where now() - from_at > ${lasts}
    ), proof as (
      select client_uid, event_uid, from_at as at from late
      union all select client_uid, event_uid, now() from late
      union all select j.client_uid, j.event_uid, j.recorded_at from late
        join journal j on (j.client_uid, j.event_uid) = (late.client_uid, late.event_uid) and j.recorded_at between from_at and now()
      union all select si.client_uid, si.event_uid, c.seen_at from late
        join warden_sign_in si on (si.client_uid, si.event_uid) = (late.client_uid, late.event_uid)
        join warden_contact c on (c.client_uid, c.sign_in_uid) = (si.client_uid, si.uid) and c.seen_at between from_at and now()
    ), gap as (
      select client_uid, event_uid, at as from_at, lead(at) over (partition by event_uid order by at) as to_at from proof
    )
    insert into journal (client_uid, event_uid, action, subject_type, subject_uid, after)
    select client_uid, event_uid, 'service_gap', 'event', event_uid,
      jsonb_build_object('from', ${utc(sql`from_at`)}, 'to', ${utc(sql`to_at`)}, 'what', 'server')
    from gap where to_at - from_at > ${lasts} order by event_uid, from_at`.execute(system)
}

/** Tells each running event that live updates were delayed, from its start on. */
export async function noteFeedGap(system: Db, { fromMsAgo, toMsAgo }: { fromMsAgo: number; toMsAgo: number }) {
  await sql`
    insert into journal (client_uid, event_uid, action, subject_type, subject_uid, after)
    select client_uid, uid, 'service_gap', 'event', uid,
      jsonb_build_object('from', ${utc(sql`greatest(started_at, ${msAgo(fromMsAgo)})`)}, 'to', ${utc(msAgo(toMsAgo))}, 'what', 'feed')
    from event where ended_at is null and started_at < ${msAgo(toMsAgo)}`.execute(system)
}

const msAgo = (ms: number) => sql`clock_timestamp() - make_interval(secs => ${ms / 1000}::float8)`
