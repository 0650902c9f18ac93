import { sql } from 'kysely'
import type { Db } from '../../platform/db/db.ts'

export interface Position {
  /** Everything up to this transaction has been published. */
  xid: number
  epoch: string
  /** Since a leader last said that all is well. */
  secondsAgo: number
}

export async function findPosition(db: Db): Promise<Position | undefined> {
  const { rows } = await sql<Position>`
    select xid::text::float8 as xid, epoch, extract(epoch from clock_timestamp() - at)::float8 as "secondsAgo"
    from centrifugo_position`.execute(db)
  return rows[0]
}

/** Begins a history. */
export function beginPosition(db: Db, { xid, epoch }: Pick<Position, 'xid' | 'epoch'>) {
  const begun = { xid: String(xid), epoch, at: sql<Date>`clock_timestamp()` }
  return db
    .insertInto('centrifugoPosition')
    .values(begun)
    .onConflict((conflict) => conflict.column('onlyRow').doUpdateSet(begun))
    .execute()
}

/** Never back: a leader that was replaced without knowing it has published no more than its successor. */
export function movePosition(db: Db, { xid, epoch }: Pick<Position, 'xid' | 'epoch'>) {
  return sql`update centrifugo_position set xid = greatest(xid, ${String(xid)}::xid8), at = clock_timestamp()
    where epoch = ${epoch}`.execute(db)
}

/** Events with more listeners than `most`: each warden on duty has a phone. */
export async function listCrowdedEvents(db: Db, most: number): Promise<string[]> {
  const { rows } = await sql<{ uid: string }>`
    select event_uid as uid from warden_sign_in where on_duty and closed_at is null
    group by event_uid having count(*) > ${most}`.execute(db)
  return rows.map(({ uid }) => uid)
}

export async function listRunningEvents(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('event').select('uid').where('endedAt', 'is', null).execute()
  return rows.map(({ uid }) => uid)
}

/** Everyone who was on duty in the event at some time. */
export async function listParticipations(db: Db, eventUid: string): Promise<string[]> {
  const { rows } = await sql<{ uid: string }>`
    select uid from warden_sign_in where event_uid = ${eventUid} and reported_in`.execute(db)
  return rows.map(({ uid }) => uid)
}
