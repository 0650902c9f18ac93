import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from './db.ts'

/** At most `limit` attempts per key in `minutes`. Counted in the database, so all processes share the count. */
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
 * Counts one attempt per key, before the outcome is known, because concurrent attempts could slip through otherwise.
 * Returns the counts in the order of the keys. Commits asynchronously: a power cut may lose the last counts.
 */
export async function countEach(system: Db, counted: Counted, now: Date): Promise<number[]> {
  const rows = await counting(system, counted, now)
    .returning(['key', 'count', sql`set_config('synchronous_commit', 'off', true)`.as('commit')])
    .execute()
  return inOrder(counted, rows)
}

/** The same in the caller's transaction, which commits as it would without. */
export const countWithin = async (tx: Tx, counted: Counted, now: Date): Promise<number[]> =>
  inOrder(counted, await counting(tx, counted, now).returning(['key', 'count']).execute())

const inOrder = (counted: Counted, rows: readonly { key: string; count: number }[]) =>
  counted.map(([key]) => rows.find((row) => row.key === key)?.count ?? 0)

/** Always in the same order, so that two statements with the same keys cannot deadlock. */
const counting = (db: Db, counted: Counted, now: Date) =>
  db
    .insertInto('throttle')
    .values(counted.map(([key, rule]) => ({ key, windowStart: windowOf(rule, now), count: 1 })).toSorted(byKey))
    .onConflict((oc) => oc.columns(['key', 'windowStart']).doUpdateSet({ count: sql`throttle.count + 1` }))
const byKey = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1)

/**
 * Uses one attempt of the key, in a sliding window (a fixed window would allow twice the limit around its edge). False
 * if none is left. Rejected attempts are not counted, so the oldest one expires in time.
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

/** When the sliding window of a key that has none left allows the next attempt. */
export async function nextRecent(system: Db, key: string, { limit, minutes }: ThrottleRule): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`
    select (select array_agg(t order by t desc) from unnest(at) t)[${limit}] + make_interval(mins => ${minutes}) as at
    from recent_attempt where key = ${key}`.execute(system)
  return rows[0]?.at ?? new Date()
}

/** Forgets the attempts of these keys in the sliding window. */
export async function forgetRecent(system: Db, keys: readonly string[]): Promise<void> {
  await system.deleteFrom('recentAttempt').where('key', 'in', keys).execute()
}

/** Resets the counts of these keys. */
export async function clearCounts(system: Db, keys: readonly string[]): Promise<void> {
  await change(system, sql`0`, sql`key = any (${keys}::text[]) and count > 0`)
}

/** Takes back one attempt of each key that turned out well. */
export async function uncountOne(system: Db, keys: readonly string[], rule: ThrottleRule, now: Date): Promise<void> {
  await change(system, sql`t.count - 1`, sql`key = any (${keys}::text[]) and window_start = ${windowOf(rule, now)}`)
}

/** In the order in which attempts are counted: many of one network share their keys, and two statements must not deadlock. */
const change = (system: Db, count: RawBuilder<unknown>, which: RawBuilder<unknown>) =>
  sql`
    with locked as (select key, window_start from throttle where ${which} order by key collate "C", window_start for update)
    update throttle t set count = ${count} from locked l where (t.key, t.window_start) = (l.key, l.window_start)`.execute(
    system,
  )

/** Deletes expired counts, because made-up names would pile them up. Keys of a daily window begin with `day/`. */
export async function forgetOldCounts(system: Db): Promise<void> {
  await sql`delete from throttle where window_start < now() - interval '2 hours'
    and (key not like 'day/%' or window_start < now() - interval '25 hours')`.execute(system)
}
