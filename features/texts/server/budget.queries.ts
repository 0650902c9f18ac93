import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/db/db.ts'
import type { TextKey } from './sms.queries.ts'

/**
 * The daily budgets: sign-in links (which anyone may request), report-in links, every other text, and calls, of which each
 * counts as one segment. An empty budget does not affect the others. The column is `pot`.
 */
export type BudgetKind = 'sign_in_links' | 'links' | 'alerts' | 'calls'

export interface BudgetKey {
  clientUid: string
  pot: BudgetKind
}
export interface BudgetState extends BudgetKey {
  spent: number
  /** The client's own limit. Null means the server's. */
  ownLimit: number | null
}

const listed = (keys: readonly BudgetKey[]) =>
  sql`unnest(${keys.map((p) => p.clientUid)}::uuid[], ${keys.map((p) => p.pot)}::text[])`
/** The own limit of client `c` for the budget in row `s`. Null means the server's. */
const ownLimit = sql`case s.pot when 'sign_in_links' then c.sms_daily_sign_in_links when 'links' then c.sms_daily_links
  when 'calls' then c.daily_calls
  else c.sms_daily_alerts end`
const today = sql`(now() at time zone 'UTC')::date`

/** Locks today's budgets in key order until the transaction ends, so that no two workers spend the same segment. */
export async function lockBudgets(tx: Tx, keys: readonly BudgetKey[]): Promise<BudgetState[]> {
  await sql`
    insert into sms_spend (client_uid, day, pot) select p.client_uid, ${today}, p.pot from ${listed(keys)} as p (client_uid, pot)
    order by 1, 3 on conflict do nothing`.execute(tx)
  const { rows } = await sql<BudgetState>`
    select s.client_uid, s.pot, s.segments as spent, ${ownLimit} as own_limit
    from sms_spend s join client c on c.uid = s.client_uid
    join ${listed(keys)} as p (client_uid, pot) on p.client_uid = s.client_uid and p.pot = s.pot
    where s.day = ${today}
    order by s.client_uid, s.pot for update of s`.execute(tx)
  return rows
}

export async function addSpend(tx: Tx, amounts: readonly (BudgetKey & { segments: number })[]): Promise<void> {
  await sql`
    update sms_spend s set segments = s.segments + a.segments
    from unnest(${amounts.map((a) => a.clientUid)}::uuid[], ${amounts.map((a) => a.pot)}::text[],
      ${amounts.map((a) => a.segments)}::int[]) as a (client_uid, pot, segments)
    where s.client_uid = a.client_uid and s.pot = a.pot and s.day = ${today}`.execute(tx)
}

/** Stores the segments of each text, because a text is charged once however often it is tried. */
export async function markPaid(tx: Tx, texts: readonly (TextKey & { segments: number })[]): Promise<void> {
  await sql`
    update sms set segments = t.segments
    from unnest(${texts.map((t) => t.clientUid)}::uuid[], ${texts.map((t) => t.uid)}::uuid[],
      ${texts.map((t) => t.segments)}::int[]) as t (client_uid, uid, segments)
    where sms.client_uid = t.client_uid and sms.uid = t.uid`.execute(tx)
}

export interface SpendToday {
  pot: BudgetKind
  segments: number
  /** Number of clients with nothing left. */
  empty: number
}

export async function countSpend(system: Db, limits: Readonly<Record<BudgetKind, number>>): Promise<SpendToday[]> {
  const { rows } = await sql<SpendToday>`
    select s.pot, sum(s.segments) as segments, count(*) filter (where s.segments >= coalesce(${ownLimit}, case s.pot
      when 'sign_in_links' then ${limits.sign_in_links}::int when 'links' then ${limits.links}::int when 'calls' then ${limits.calls}::int
      else ${limits.alerts}::int end)) as empty
    from sms_spend s join client c on c.uid = s.client_uid where s.day = ${today} group by s.pot`.execute(system)
  return rows
}
