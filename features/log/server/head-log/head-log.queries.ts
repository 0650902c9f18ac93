import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { inTurns } from '#server/platform/one-after-another.ts'
import { tileWidth } from '../merkle.ts'
import type { LogOf } from '../sealing.queries.ts'

/** A head as the log of heads has it. */
export interface KeptHead extends LogOf {
  n: number
  serial: number | null
  size: number
  root: Buffer
  note: string
  epoch: string
}

/** Of this process one waits for the lock with a connection of its own, so that the others of the pool are for the work. */
const turns = new WeakMap<Db, ReturnType<typeof inTurns>>()

/** One at a time in this database. The transaction writes nothing, so it holds nothing else back. */
export function oneAtATime<T>(system: Db, work: () => Promise<T>): Promise<T> {
  const inTurn = turns.get(system) ?? inTurns(1, Number.POSITIVE_INFINITY)
  turns.set(system, inTurn)
  return inTurn(() =>
    system.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtext('evac log of heads'))`.execute(tx)
      return work()
    }),
  )
}

export async function findLastNumber(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`select coalesce(max(n), 0)::int as n from head_log`.execute(db)
  return rows[0]?.n ?? 0
}

/** The epoch of the newest head. Undefined: there is none. */
export async function findLastEpoch(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ epoch: string }>`select epoch from head_log order by n desc limit 1`.execute(db)
  return rows[0]?.epoch
}

const columns = sql`client_uid, event_uid, n, serial, size, root, note, epoch`

/** The newest head of a log. */
export async function findLastHead(db: Db, { clientUid, eventUid }: LogOf): Promise<KeptHead | undefined> {
  const { rows } = await sql<KeptHead>`
    select ${columns} from head_log where client_uid = ${clientUid} and event_uid = ${eventUid}
    order by n desc limit 1`.execute(db)
  return rows[0]
}

/** All heads of a log, in their order. */
export async function listHeadsOf(db: Db, { clientUid, eventUid }: LogOf): Promise<KeptHead[]> {
  const { rows } = await sql<KeptHead>`
    select ${columns} from head_log where client_uid = ${clientUid} and event_uid = ${eventUid} order by n`.execute(db)
  return rows
}

/** The hashes of the first `size` notes, in their order, but for so many that are known. */
export async function listHashes(db: Db, size: number, known = 0): Promise<Buffer[]> {
  const { rows } = await sql<{ hash: Buffer }>`
    select hash from head_log where n > ${known} and n <= ${size} order by n`.execute(db)
  return rows.map(({ hash }) => hash)
}

/** The SHA-256 of the hashes of each full tile of the first `size` notes, in hexadecimal digits. */
export async function listTileDigests(db: Db, size: number): Promise<string[]> {
  const { rows } = await sql<{ digest: string }>`
    select (n - 1) / ${tileWidth} as tile, encode(sha256(string_agg(hash, ''::bytea order by n)), 'hex') as digest from head_log
    where n <= ${size - (size % tileWidth)} group by tile order by tile`.execute(db)
  return rows.map(({ digest }) => digest)
}

/** Adds a head that is kept in the file store. It is a head of its log, too, if that is still here. */
export async function addHead(
  tx: Tx,
  { clientUid, eventUid, hash, ...head }: KeptHead & { hash: Buffer },
): Promise<void> {
  await tx
    .insertInto('headLog')
    .values({ clientUid, eventUid, hash, ...head })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await sql`
    insert into record_head (client_uid, event_uid, size, root, note)
    select l.client_uid, l.event_uid, ${head.size}, ${head.root}, ${head.note} from record_log l
    where l.client_uid = ${clientUid} and l.event_uid = ${eventUid} and l.size >= ${head.size}
    on conflict do nothing`.execute(tx)
  await sql`
    update record_log set head_size = greatest(head_size, ${head.size}), head_at = now()
    where client_uid = ${clientUid} and event_uid = ${eventUid} and size >= ${head.size}`.execute(tx)
}

/** The entry from which the log goes on in another database than before. Undefined: it has always been in this one. */
export async function findMovedFrom(db: Db, { eventUid }: LogOf): Promise<number | undefined> {
  const { rows } = await sql<{ from: number }>`
    select (after ->> 'from')::int as from from journal where event_uid = ${eventUid} and action = 'log_moved'
    order by journal.xid desc, journal.position desc limit 1`.execute(db)
  return rows[0]?.from
}

/** True if the log says already that it does not continue this head. */
export async function isToldBroken(db: Db, { eventUid }: LogOf, size: number, root: string): Promise<boolean> {
  const { rows } = await sql`
    select from journal where event_uid = ${eventUid} and action = 'log_broken'
      and (after ->> 'size')::bigint = ${size} and after ->> 'root' = ${root} limit 1`.execute(db)
  return rows.length > 0
}

/** What is wrong with a log, until it is found to fit again. */
export async function noteTrouble(db: Db, { clientUid, eventUid }: LogOf, trouble: string): Promise<void> {
  await sql`
    update record_log set trouble = ${trouble},
      trouble_at = case when trouble is null then now() else trouble_at end
    where client_uid = ${clientUid} and event_uid = ${eventUid}`.execute(db)
}

/** Logs that do not fit, those of which only a head is left, and witnesses that refuse the log of heads. */
export async function countBroken(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select ((select count(*) from record_log where trouble is not null)
      + (select count(distinct h.event_uid) from head_log h
        where not exists (select from record_log l where (l.client_uid, l.event_uid) = (h.client_uid, h.event_uid)))
      + (select count(*) from witness_refusal))::int as count`.execute(db)
  return rows[0]?.count ?? 0
}
