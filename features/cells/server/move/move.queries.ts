import { sql } from 'kysely'
import type { ClientUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'

/** After this without a word from its process a move has ended. */
const leaseSeconds = 120
const inTime = sql`clock_timestamp() + make_interval(secs => ${leaseSeconds})`

export interface Home {
  uid: ClientUid
  active: boolean
  movedTo: string | null
  isMoving: boolean
  hasEvent: boolean
}

/**
 * The organisation of the code, alone: no one writes anything of it until the transaction ends. 'taken': someone does. It never waits
 * while it holds something, so that it stands in no one's way. Undefined: there is none.
 */
export async function takeAlone(tx: Tx, code: string): Promise<Home | 'taken' | undefined> {
  const { rows } = await sql<{ uid: ClientUid; isFree: boolean }>`
    select uid, pg_try_advisory_xact_lock(hashtextextended('moving ' || uid, 0)) as is_free from client where code = ${code}`.execute(
    tx,
  )
  const [found] = rows
  if (!found) return undefined
  const { rows: held } = found.isFree
    ? await sql<Home>`
        select uid, active, moved_to, coalesce(moving_until > clock_timestamp(), false) as is_moving,
          exists (select from event e where e.client_uid = client.uid and e.ended_at is null) as has_event
        from client where uid = ${found.uid} for no key update skip locked`.execute(tx)
    : { rows: [] }
  return held[0] ?? 'taken'
}

export async function markMoving(tx: Tx, uid: ClientUid, by: string): Promise<void> {
  await sql`update client set moving_until = ${inTime}, moving_by = ${by} where uid = ${uid}`.execute(tx)
}

/** False: the move has ended, by an event that started, or because nothing was heard of it for too long. */
export async function renewMoving(system: Db, uid: ClientUid, by: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update client set moving_until = ${inTime} where uid = ${uid} and moving_by = ${by} and moving_until > clock_timestamp()`.execute(
    system,
  )
  return numAffectedRows === 1n
}

export async function isMovingBy(tx: Tx, uid: ClientUid, by: string): Promise<boolean> {
  const { rows } = await sql`
    select from client where uid = ${uid} and moving_by = ${by} and moving_until > clock_timestamp()`.execute(tx)
  return rows.length === 1
}

export async function endMoving(db: Db, uid: ClientUid, by: string): Promise<void> {
  await sql`update client set moving_until = null, moving_by = null where uid = ${uid} and moving_by = ${by}`.execute(
    db,
  )
}

/** Neither has it left, nor does another process move it. */
export async function isAtRest(system: Db, uid: ClientUid): Promise<boolean> {
  const { rows } = await sql`select from client where uid = ${uid} and moved_to is null and moving_by is null`.execute(
    system,
  )
  return rows.length === 1
}
