import { type RawBuilder, sql } from 'kysely'
import { expect } from 'vitest'
import type { TestServer } from './test-server.ts'

/** What an import holds. */
export const directoryOf = (clientUid: string) =>
  sql`select pg_advisory_xact_lock(hashtext('evac import'), hashtext(code)) from client where uid = ${clientUid}`

/** What the start and the end of an event hold. */
export const eventsOf = (siteUid: string) => sql`select from site where uid = ${siteUid} for no key update`

/** True if the row is free while the act waits for what another transaction holds. The act then goes on. */
export async function isFreeMeanwhile(
  { database }: Pick<TestServer, 'database'>,
  {
    held,
    row: [table, uid],
    act,
  }: { held: RawBuilder<unknown>; row: [table: string, uid: string]; act: () => unknown },
): Promise<boolean> {
  const { db } = database.owner
  const { isFree, acting } = await db.transaction().execute(async (tx) => {
    await held.execute(tx)
    const acting = act()
    await expect.poll(() => countWaiting(db), { timeout: 10_000, interval: 5 }).toBe(1)
    const { rows } = await sql`
      select from ${sql.table(table)} where uid = ${uid} for no key update skip locked`.execute(tx)
    return { isFree: rows.length === 1, acting: () => acting }
  })
  await acting()
  return isFree
}

async function countWaiting(db: TestServer['database']['owner']['db']): Promise<number | undefined> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows[0]?.waiting
}
