import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/db.ts'
import type { TextKey } from './sms.queries.ts'

/**
 * What texts are paid from: sign-in links, which anybody may ask for; report-in links; everything else. One that is empty
 * leaves the others alone.
 */
export type Pot = 'sign_in_links' | 'links' | 'alerts'

export interface PotKey {
  clientUid: string
  pot: Pot
}
export interface PotState extends PotKey {
  spent: number
  /** The client's own limit; null: the server's. */
  ownLimit: number | null
}

const potsOf = (pots: readonly PotKey[]) =>
  sql`unnest(${pots.map((p) => p.clientUid)}::uuid[], ${pots.map((p) => p.pot)}::text[])`
/** The limit of pot `s` that client `c` has of its own; null: the server's. */
const ownLimit = sql`case s.pot when 'sign_in_links' then c.sms_daily_sign_in_links when 'links' then c.sms_daily_links
  else c.sms_daily_alerts end`
const today = sql`(now() at time zone 'UTC')::date`

/** Holds today's pots until the transaction ends: two workers cannot spend the same segment. In key order. */
export async function lockPots(tx: Tx, pots: readonly PotKey[]): Promise<PotState[]> {
  await sql`
    insert into sms_spend (client_uid, day, pot) select p.client_uid, ${today}, p.pot from ${potsOf(pots)} as p (client_uid, pot)
    order by 1, 3 on conflict do nothing`.execute(tx)
  const { rows } = await sql<PotState>`
    select s.client_uid, s.pot, s.segments as spent, ${ownLimit} as own_limit
    from sms_spend s join client c on c.uid = s.client_uid
    join ${potsOf(pots)} as p (client_uid, pot) on p.client_uid = s.client_uid and p.pot = s.pot
    where s.day = ${today}
    order by s.client_uid, s.pot for update of s`.execute(tx)
  return rows
}

export async function addSpend(tx: Tx, amounts: readonly (PotKey & { segments: number })[]): Promise<void> {
  await sql`
    update sms_spend s set segments = s.segments + a.segments
    from unnest(${amounts.map((a) => a.clientUid)}::uuid[], ${amounts.map((a) => a.pot)}::text[],
      ${amounts.map((a) => a.segments)}::int[]) as a (client_uid, pot, segments)
    where s.client_uid = a.client_uid and s.pot = a.pot and s.day = ${today}`.execute(tx)
}

/** A text is paid once, however often it is tried. */
export async function markPaid(tx: Tx, texts: readonly (TextKey & { segments: number })[]): Promise<void> {
  await sql`
    update sms set segments = t.segments
    from unnest(${texts.map((t) => t.clientUid)}::uuid[], ${texts.map((t) => t.uid)}::uuid[],
      ${texts.map((t) => t.segments)}::int[]) as t (client_uid, uid, segments)
    where sms.client_uid = t.client_uid and sms.uid = t.uid`.execute(tx)
}

export interface SpendToday {
  pot: Pot
  segments: number
  /** Clients that have nothing left. */
  empty: number
}

export async function countSpend(system: Db, limits: Readonly<Record<Pot, number>>): Promise<SpendToday[]> {
  const { rows } = await sql<SpendToday>`
    select s.pot, sum(s.segments) as segments, count(*) filter (where s.segments >= coalesce(${ownLimit}, case s.pot
      when 'sign_in_links' then ${limits.sign_in_links}::int when 'links' then ${limits.links}::int
      else ${limits.alerts}::int end)) as empty
    from sms_spend s join client c on c.uid = s.client_uid where s.day = ${today} group by s.pot`.execute(system)
  return rows
}
