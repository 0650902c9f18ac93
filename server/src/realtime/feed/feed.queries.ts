import { sql } from 'kysely'
import type { Db } from '../../platform/db/db.ts'
import type { FeedEntry } from './publications.ts'

export interface JournalPlace {
  xid: string | number
  position: string | number
}

interface Horizon {
  /** Changes at each failover; a standby has none and refuses the query. */
  timeline: string
  /** The newest transaction id below which all have ended. */
  newest: number
  /** How long the oldest entry above it has waited; null when none does. */
  heldBackSeconds: number | null
}

export async function findHorizon(db: Db): Promise<Horizon> {
  const { rows } = await sql<Horizon>`
    select left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline,
      (pg_snapshot_xmin(pg_current_snapshot())::text::bigint - 1)::float8 as newest,
      (select extract(epoch from clock_timestamp() - min(recorded_at))::float8 from journal
        where xid >= pg_snapshot_xmin(pg_current_snapshot())) as "heldBackSeconds"`.execute(db)
  return rows[0] as Horizon
}

/** The transaction of the newest entry up to that one; 0 when there is none. */
export async function findLastXid(db: Db, upTo: number): Promise<number> {
  const { rows } = await sql<{ xid: number }>`
    select xid::text::float8 as xid from journal where xid <= ${upTo}::xid8 order by journal.xid desc limit 1`.execute(
    db,
  )
  return rows[0]?.xid ?? 0
}

/** How many transactions may come between two that were under way at once; more would be searched for nothing. */
const mostOverlapping = sql`greatest(0, journal.xid::text::bigint - 10000)::text::xid8`

/**
 * HUB-33: a transaction has its id before it waits for somebody's lock, so one with an older id may have found out later
 * what is unread. Who is told in the order of ids hears what was found out last: a message's banner stays up.
 */
const lastFound = (field: string) => sql`case when after ? ${sql.lit(field)} then coalesce((
    select (array_agg(later.after->${sql.lit(field)} order by later.position desc))[1] from journal later
    where later.subject_type = 'sign_in' and later.subject_uid = journal.subject_uid
      and later.xid < journal.xid and later.xid > ${mostOverlapping} and later.position > journal.position
      and later.after ? ${sql.lit(field)}
  ), after->${sql.lit(field)}) end`

// Values of jsonb are picked out here: a cast that fails on one odd row would stop the feed for everybody.
const columns = sql`xid::text as xid, position::text as position, action, subject_uid as "subjectUid",
  event_uid as "eventUid", actor_sign_in_uid as "actorSignInUid",
  after->>'floor_uid' as "floorUid", before->>'floor_uid' as "formerFloorUid",
  after->>'thread_uid' as "threadUid",
  ${lastFound('unread_messages_from_wardens')} as "unreadFrom",
  ${lastFound('warden_unread_msg')} as "wardenUnread", ${lastFound('evacuee_unread_msg')} as "evacueeUnread"`

// Named by table: alone they would mean the texts above, and '1000' sorts before '999'.
const feedOrder = sql`journal.xid, journal.position`

/**
 * The next entries by transaction, none of a transaction newer than `upTo`. Nor of one above an unfinished one: `upTo` may
 * be the word of another server, where a failover came in between.
 */
export async function listEntries(db: Db, after: JournalPlace, upTo: number, limit: number): Promise<FeedEntry[]> {
  const { rows } = await sql<FeedEntry>`
    select ${columns} from journal
    where (xid, position) > (${after.xid}::xid8, ${after.position}::bigint) and xid <= ${upTo}::xid8
      and xid < pg_snapshot_xmin(pg_current_snapshot())
    order by ${feedOrder} limit ${limit}`.execute(db)
  return rows
}

/** Finished entries about one event, for recovery. */
export async function listEventEntries(db: Db, eventUid: string, after: number, limit: number): Promise<FeedEntry[]> {
  const { rows } = await sql<FeedEntry>`
    select ${columns} from journal
    where event_uid = ${eventUid} and xid > ${after}::xid8 and xid < pg_snapshot_xmin(pg_current_snapshot())
    order by ${feedOrder} limit ${limit}`.execute(db)
  return rows
}

/** Finished entries about one sign-in, for recovery. */
export async function listSignInEntries(db: Db, signInUid: string, after: number, limit: number): Promise<FeedEntry[]> {
  const { rows } = await sql<FeedEntry>`
    select ${columns} from journal
    where subject_type = 'sign_in' and subject_uid = ${signInUid}
      and xid > ${after}::xid8 and xid < pg_snapshot_xmin(pg_current_snapshot())
    order by ${feedOrder} limit ${limit}`.execute(db)
  return rows
}
