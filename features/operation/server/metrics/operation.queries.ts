import { sql } from 'kysely'
import type { EventKind } from '#kernel/vocabulary.ts'
import type { Db } from '#server/platform/db/db.ts'

/** How many events run, of both kinds. */
export async function countRunning(system: Db): Promise<{ kind: EventKind; count: number }[]> {
  const { rows } = await sql<{ kind: EventKind; count: number }>`
    select k.kind, count(e.uid)::int as count from unnest(array['drill', 'live']) k (kind)
    left join event e on e.kind = k.kind and e.ended_at is null group by k.kind`.execute(system)
  return rows
}

/** Jobs of each queue that are due, and those that failed for good within a day. Only `owner` may read them. */
export async function countJobs(owner: Db): Promise<{ queue: string; waiting: number; failed: number }[]> {
  const { rows } = await sql<{ queue: string; waiting: number; failed: number }>`
    select q.name as queue, count(j.id) filter (where ${isDue})::int as waiting,
      count(j.id) filter (where j.state = 'failed' and j.completed_on > now() - interval '1 day')::int as failed
    from pgboss.queue q left join pgboss.job j on j.name = q.name
    where not starts_with(q.name, '__pgboss') group by q.name`.execute(owner)
  return rows
}

/** For how many seconds the oldest job that is due has waited. 0: none waits. */
export async function findOldestJobSeconds(owner: Db): Promise<number> {
  const { rows } = await sql<{ seconds: number | null }>`
    select extract(epoch from now() - min(j.start_after))::float8 as seconds from pgboss.job j
    where ${isDue} and not starts_with(j.name, '__pgboss')`.execute(owner)
  return rows[0]?.seconds ?? 0
}

const isDue = sql`j.state in ('created', 'retry') and j.start_after <= now()`
