import { sql } from 'kysely'
import type { Db, Tx } from './db.ts'

/** At most `limit` of a key in `minutes`. Counted in the database, so every process sees the same. */
export interface ThrottleRule {
  limit: number
  minutes: number
}

const windowOf = ({ minutes }: ThrottleRule, now: Date) => {
  const length = minutes * 60_000
  return new Date(Math.floor(now.getTime() / length) * length)
}

type Counted = readonly (readonly [key: string, rule: ThrottleRule])[]

/**
 * Counts one for each key, before its outcome is known where many at once could slip through. Answers which it is, in the
 * order of the keys. Nobody waits for the disk: a power cut may forget the last moment's counts.
 */
export async function countEach(system: Db, counted: Counted, now: Date): Promise<number[]> {
  const rows = await counting(system, counted, now)
    .returning(['key', 'count', sql`set_config('synchronous_commit', 'off', true)`.as('commit')])
    .execute()
  return counted.map(([key]) => rows.find((row) => row.key === key)?.count ?? 0)
}

/** Takes one of the key's tries within the caller's transaction. False when none is left. */
export async function takeAttempt(tx: Tx, key: string, rule: ThrottleRule, now: Date): Promise<boolean> {
  const { count } = await counting(tx, [[key, rule]], now)
    .returning('count')
    .executeTakeFirstOrThrow()
  return count <= rule.limit
}

/** In one order everywhere: two that count the same keys at once wait for each other in turn. */
const counting = (db: Db, counted: Counted, now: Date) =>
  db
    .insertInto('throttle')
    .values(counted.map(([key, rule]) => ({ key, windowStart: windowOf(rule, now), count: 1 })).toSorted(byKey))
    .onConflict((oc) => oc.columns(['key', 'windowStart']).doUpdateSet({ count: sql`throttle.count + 1` }))
const byKey = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1)

/**
 * Takes one of the key's tries, counted back from this moment (a fixed window would allow twice as many around its edge).
 * False when all are used up; a refused try is not counted, so the oldest one frees its place in time.
 */
export async function takeRecent(system: Db, key: string, { limit, minutes }: ThrottleRule, now: Date) {
  const since = new Date(now.getTime() - minutes * 60_000)
  const { rows } = await sql<{ taken: boolean }>`
    insert into recent_attempt as r (key, at) values (${key}, array[${now}::timestamptz])
    on conflict (key) do update set at = (select array_agg(t order by t) from unnest(r.at) t where t > ${since})
      || ${now}::timestamptz
    where (select count(*) from unnest(r.at) t where t > ${since}) < ${limit}
    returning true as taken`.execute(system)
  return rows.length === 1
}

/** Nothing was counted for these keys. */
export async function clearCounts(system: Db, keys: readonly string[]): Promise<void> {
  await system.updateTable('throttle').set({ count: 0 }).where('key', 'in', keys).where('count', '>', 0).execute()
}

/** What was counted for the key turned out well. */
export async function uncountOne(system: Db, key: string, rule: ThrottleRule, now: Date): Promise<void> {
  await system
    .updateTable('throttle')
    .set({ count: sql`count - 1` })
    .where('key', '=', key)
    .where('windowStart', '=', windowOf(rule, now))
    .execute()
}

/** Counts of windows that are over decide nothing; made-up names would pile them up. Keys of a day's window begin with `day/`. */
export async function forgetOldCounts(system: Db): Promise<void> {
  await sql`delete from throttle where window_start < now() - interval '2 hours'
    and (key not like 'day/%' or window_start < now() - interval '25 hours')`.execute(system)
}
