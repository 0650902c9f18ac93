import { sql } from 'kysely'
import type { Db } from '#server/platform/db/db.ts'
import { hashLength, tileWidth } from './merkle.ts'
import type { LogOf } from './sealing.queries.ts'
import type { Signer } from './signed-note.ts'

/** A signed size and root of a log. */
export interface Head {
  size: number
  root: Buffer
  /** The signed note, a C2SP checkpoint. */
  note: string
  at: Date
  /** The answer of a time stamp authority for the note (RFC 3161). */
  tsr: Buffer | null
}

const ofLog = ({ clientUid, eventUid }: LogOf) => sql`(client_uid, event_uid) = (${clientUid}, ${eventUid})`

/** When a head of the log is due: within a minute of the start, each 10 minutes, at the end, and a minute after it grew later. */
const dueAt = sql`case when e.uid is not null and e.ended_at is null
  then coalesce(l.head_at + interval '10 minutes', e.started_at) else coalesce(l.head_at + interval '1 minute', l.sealed_at) end`
const ungrown = sql`record_log l left join event e on (e.client_uid, e.uid) = (l.client_uid, l.event_uid)
  where l.head_size < l.size and l.form_from is not null`

/** Logs that have grown and whose head is due. */
export async function listWithoutHead(system: Db): Promise<LogOf[]> {
  const { rows } = await sql<LogOf>`
    select l.client_uid, l.event_uid from ${ungrown} and ${dueAt} <= now()`.execute(system)
  return rows
}

/** For how many seconds the oldest head that is due has not been kept. */
export async function findOverdueSeconds(system: Db): Promise<number> {
  const { rows } = await sql<{ seconds: number | null }>`
    select extract(epoch from now() - min(${dueAt}))::float8 as seconds from ${ungrown} and ${dueAt} <= now()`.execute(
    system,
  )
  return rows[0]?.seconds ?? 0
}

/** The hashes of the full tiles up to the size, and the commits after them. */
export async function readTree(db: Db, of: LogOf, size: number): Promise<{ fullTiles: Buffer[]; rest: Buffer }> {
  const full = Math.floor(size / tileWidth)
  const ofTiles = sql`${ofLog(of)} and file = 'journal'`
  const { rows } = await sql<{ hash: Buffer }>`
    select hash from log_tile where ${ofTiles} and idx < ${full} order by idx`.execute(db)
  const last = await sql<{ commits: Buffer }>`
    select commits from log_tile where ${ofTiles} and idx = ${full}`.execute(db)
  const rest = last.rows[0]?.commits.subarray(0, (size % tileWidth) * hashLength) ?? Buffer.alloc(0)
  return { fullTiles: rows.map(({ hash }) => hash), rest }
}

/** Oldest first. */
export async function listHeads(db: Db, { clientUid, eventUid }: LogOf): Promise<Head[]> {
  return db
    .selectFrom('recordHead')
    .select(['size', 'root', 'note', 'at', 'tsr'])
    .where('clientUid', '=', clientUid)
    .where('eventUid', '=', eventUid)
    .orderBy('size')
    .execute()
}

/** Newest first. */
export async function listNewestHeads(db: Db, of: LogOf, limit: number) {
  const { rows } = await sql<Pick<Head, 'size' | 'root' | 'note' | 'at'> & { isStamped: boolean }>`
    select size, root, note, at, tsr is not null as is_stamped from record_head
    where ${ofLog(of)} order by size desc limit ${limit}`.execute(db)
  return rows
}

export async function keepKey(db: Db, { name, keyId, publicKey }: Signer): Promise<void> {
  await db
    .insertInto('logKey')
    .values({ name, keyId, publicKey })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Every key that has signed here, oldest first. */
export const listKeys = (db: Db) =>
  db.selectFrom('logKey').select(['name', 'keyId', 'publicKey', 'since']).orderBy('since').execute()

/** Heads of the last day without a time stamp. */
export async function listUnstamped(system: Db) {
  const { rows } = await sql<LogOf & { size: number; note: string }>`
    select client_uid, event_uid, size, note from record_head
    where tsr is null and at > now() - interval '1 day' order by at limit 100`.execute(system)
  return rows
}

export async function saveStamp(system: Db, of: LogOf, size: number, tsr: Buffer): Promise<void> {
  await sql`update record_head set tsr = ${tsr} where ${ofLog(of)} and size = ${size} and tsr is null`.execute(system)
}

/** What was last found wrong with a log, or when it was last found to fit, of how many entries. */
export async function findCheck(db: Db, of: LogOf) {
  const { rows } = await sql<{ at: Date; size: number; trouble: string | null }>`
    select coalesce(trouble_at, checked_at) as at, coalesce(checked_size, size)::int as size, trouble from record_log
    where ${ofLog(of)} and coalesce(trouble_at, checked_at) is not null`.execute(db)
  return rows[0]
}
