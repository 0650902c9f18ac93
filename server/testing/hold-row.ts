import { expect } from 'vitest'
import type { TestDatabase } from './database.ts'

/**
 * Holds a row so that those who want it queue up in the order they came: the way to make a race happen on purpose. Held
 * for 'no key update', others may still refer to it.
 */
export async function holdRow(
  { owner }: TestDatabase,
  table: string,
  uid: string,
  strength: 'update' | 'no key update' = 'update',
) {
  const holder = await owner.pg.connect()
  await holder.query('begin')
  await holder.query(`select from ${table} where uid = $1 for ${strength}`, [uid])
  const countWaiting = async () => {
    const { rows } = await owner.pg.query<{ waiting: number }>(
      `select count(*) as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows[0]?.waiting
  }
  return {
    /** Until this many transactions wait for a lock. */
    waiting: (count: number) => expect.poll(countWaiting, { timeout: 10_000, interval: 5 }).toBe(count),
    async release() {
      await holder.query('rollback')
      holder.release()
    },
  }
}
