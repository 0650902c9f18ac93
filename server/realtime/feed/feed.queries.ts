import { type RawBuilder, sql } from 'kysely'
import { each, type RecordKind } from '../../platform/db/batches.ts'
import { type Db, prepared } from '../../platform/db/db.ts'
import { journalHorizon } from '../../platform/db/journal-horizon.ts'
import type { FeedEntry } from './publications.ts'

export interface JournalPosition {
  xid: string | number
  position: string | number
}

interface Horizon {
  /** Changes at each failover. A standby has none and fails the query. */
  timeline: string
  /** Every transaction up to this id that can write into the journal has ended. */
  finished: number
  /** The newest transaction id that was given out. Smaller than one that was published: the database has another history. */
  newest: number
  /** Seconds that the oldest entry above `finished` has waited. Null if there is none. */
  heldBackSeconds: number | null
}

export async function findHorizon(db: Db): Promise<Horizon> {
  const { rows } = await sql<Horizon>`
    with horizon as materialized (select journal_horizon() as xid)
    select left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline,
      (horizon.xid::text::bigint - 1)::float8 as finished,
      (pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)::float8 as newest,
      (select extract(epoch from clock_timestamp() - min(recorded_at))::float8 from journal
        where xid >= horizon.xid) as "heldBackSeconds"
    from horizon`.execute(db)
  return rows[0] as Horizon
}

/** The oldest open transaction that can write into the journal: its end is what later entries wait for. */
export interface Holder {
  database: string
  /** Null: it was prepared, and no session has it. */
  pid: number | null
  /** The name it was prepared under. */
  prepared: string | null
  /** Age. 0 if this account may not see when it began. */
  seconds: number
}

export async function findHolder(db: Db): Promise<Holder | undefined> {
  const { rows } = await holderStatement.execute(db)
  return rows[0]
}

const holderStatement = sql<Holder>`
  select current_database() as database, a.pid, p.gid as prepared,
    coalesce(extract(epoch from clock_timestamp() - coalesce(a.xact_start, p.prepared)), 0)::float8 as seconds
  from pg_snapshot_xip(pg_current_snapshot()) as open (xid)
  left join pg_stat_activity a on a.backend_xid = open.xid::xid
  left join pg_prepared_xacts p on p.transaction = open.xid::xid
  where coalesce(a.datname, p.database) = current_database()
  order by open.xid limit 1`

/** The transaction of the newest entry up to that one. 0 if there is none. */
export async function findLastXid(db: Db, upTo: number): Promise<number> {
  const { rows } = await sql<{ xid: number }>`
    select xid::text::float8 as xid from journal where xid <= ${upTo}::xid8 order by journal.xid desc limit 1`.execute(
    db,
  )
  return rows[0]?.xid ?? 0
}

/** The largest assumed distance between the ids of two concurrent transactions. Bounds the search. */
const mostOverlapping = sql`greatest(0, journal.xid::text::bigint - 10000)::text::xid8`

/**
 * A transaction gets its id before it waits for a lock, so a transaction with an older id may have computed the
 * unread state later. Publishing in the order of ids would then end with an outdated state. This takes the value that
 * was computed last.
 */
const lastFound = (field: string) => sql`case when after ? ${sql.lit(field)} then coalesce((
    select (array_agg(later.after->${sql.lit(field)} order by later.position desc))[1] from journal later
    where later.subject_type = 'sign_in' and later.subject_uid = journal.subject_uid
      and later.xid < journal.xid and later.xid > ${mostOverlapping} and later.position > journal.position
      and later.after ? ${sql.lit(field)}
  ), after->${sql.lit(field)}) end`

/** Entries that may alarm someone: the condition of the index `journal_alarm`, word for word. */
export const mayAlarm = sql<boolean>`(action = 'evacuee_status_set' and after->>'status' = 'danger'
          or action = 'evacuee_refusal_set' and after->>'refused' = 'true'
          or action = 'floor_status_set')`

// Pick values out of jsonb without a cast: one odd row would fail the cast and stop the feed for everyone.
const columns = sql`xid::text as xid, position::text as position, action,
  subject_type as "subjectType", subject_uid as "subjectUid",
  event_uid as "eventUid", actor_sign_in_uid as "actorSignInUid",
  after->>'floor_uid' as "floorUid", before->>'floor_uid' as "formerFloorUid",
  after->>'thread_uid' as "threadUid", after->>'live_from' as "liveFrom", after->>'offered_by_uid' as "offeredByUid",
  after->'instruction' as instruction, after->>'instruction_uid' as "instructionUid",
  coalesce(${mayAlarm}, false) as "isAlarm",
  ${lastFound('unread_messages_from_wardens')} as "unreadFrom",
  ${lastFound('warden_unread_msg')} as "wardenUnread", ${lastFound('evacuee_unread_msg')} as "evacueeUnread",
  ${lastFound('evacuee_unread_count')} as "evacueeUnreadCount"`

// Qualified by table: unqualified they would mean the text columns above, and '1000' sorts before '999'.
const feedOrder = sql`journal.xid, journal.position`

/**
 * The next entries by transaction, up to `upTo`. Leaves out entries above an unfinished transaction, because `upTo` may
 * come from the server before a failover.
 */
export async function listEntries(db: Db, after: JournalPosition, upTo: number, limit: number): Promise<FeedEntry[]> {
  const { rows } = await sql<FeedEntry>`
    select ${columns} from journal
    where (xid, position) > (${after.xid}::xid8, ${after.position}::bigint) and xid <= ${upTo}::xid8
      and xid < ${journalHorizon}
    order by ${feedOrder} limit ${limit}`.execute(db)
  return rows
}

/** Entries of the last seconds up to that transaction. */
export async function listRecentEntries(db: Db, upTo: number, seconds: number): Promise<FeedEntry[]> {
  const { rows } = await sql<FeedEntry>`
    select * from (
      select ${columns}, recorded_at from journal where xid <= ${upTo}::xid8 order by journal.xid desc limit 1000
    ) recent where recorded_at > clock_timestamp() - make_interval(secs => ${seconds})`.execute(db)
  return rows
}

/** Finished entries of one event, for recovery. */
export async function listEventEntries(db: Db, eventUid: string, after: number, limit: number): Promise<FeedEntry[]> {
  const { rows } = await sql<FeedEntry>`${prepared('list_event_entries')}
    select ${columns} from journal
    where event_uid = ${eventUid} and xid > ${after}::xid8 and xid < ${journalHorizon}
    order by ${feedOrder} limit ${limit}`.execute(db)
  return rows
}

interface Missed {
  signInUid: string
  /** The transaction after which it has missed everything. */
  after: number
  limit: number
}

/** Finished entries of one participation, for recovery. After a restart thousands of phones ask at once, each for its own. */
export const missedEntries: RecordKind<Missed, { entries: FeedEntry[] }> = {
  name: 'missed_entries',
  statement: listMissedEntries,
  senderOf: ({ signInUid }) => signInUid,
  apartBy: () => [],
}

function listMissedEntries(missed: readonly Missed[]): RawBuilder<{ entries: FeedEntry[]; n: number }> {
  const all = each(missed)
  return sql<{ entries: FeedEntry[]; n: number }>`${prepared('missed_entries')}
    select q.n, coalesce(found.entries, '[]') as entries
    from unnest(${all('signInUid')}::uuid[], ${all('after')}::text[]::xid8[], ${all('limit')}::int[]) with ordinality
      as q (sign_in_uid, after, most, n)
    cross join lateral (
      select json_agg(entry order by nth) as entries
      from (
        select ${columns}, row_number() over (order by ${feedOrder}) as nth from journal
        where subject_type = 'sign_in' and subject_uid = q.sign_in_uid
          and xid > q.after and xid < ${journalHorizon}
        order by ${feedOrder} limit q.most
      ) entry
    ) found`
}
