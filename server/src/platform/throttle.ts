import { sql } from 'kysely'
import type { Db } from './db.ts'

/** At most `limit` failures of a key in `minutes`. Counted in the database, so every process sees the same. */
export interface ThrottleRule {
  limit: number
  minutes: number
}

const windowOf = ({ minutes }: ThrottleRule, now: Date) => {
  const length = minutes * 60_000
  return new Date(Math.floor(now.getTime() / length) * length)
}

export async function isThrottled(system: Db, key: string, rule: ThrottleRule, now: Date): Promise<boolean> {
  const row = await system
    .selectFrom('throttle')
    .select('count')
    .where('key', '=', key)
    .where('windowStart', '=', windowOf(rule, now))
    .executeTakeFirst()
  return (row?.count ?? 0) >= rule.limit
}

export async function countFailure(system: Db, key: string, rule: ThrottleRule, now: Date): Promise<void> {
  await countOne(system, key, rule, now)
}

/** Takes one of the key's tries before its outcome is known: many at once cannot slip through. False when none is left. */
export async function takeAttempt(system: Db, key: string, rule: ThrottleRule, now: Date): Promise<boolean> {
  return (await countOne(system, key, rule, now)) <= rule.limit
}

async function countOne(system: Db, key: string, rule: ThrottleRule, now: Date): Promise<number> {
  const { count } = await system
    .insertInto('throttle')
    .values({ key, windowStart: windowOf(rule, now), count: 1 })
    .onConflict((oc) => oc.columns(['key', 'windowStart']).doUpdateSet({ count: sql`throttle.count + 1` }))
    .returning('count')
    .executeTakeFirstOrThrow()
  return count
}

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

export async function clearFailures(system: Db, key: string): Promise<void> {
  await system.updateTable('throttle').set({ count: 0 }).where('key', '=', key).where('count', '>', 0).execute()
}
