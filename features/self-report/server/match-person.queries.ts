import { type RawBuilder, sql } from 'kysely'
import type { ClientUid, EventUid, PersonUid, SelfReportUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'

export interface EventOf {
  clientUid: ClientUid
  eventUid: EventUid
}

const evacueeOf = sql`
      cross join lateral (select v.uid, v.status, v.place_uid from evacuee v
        where v.client_uid = r.client_uid and v.event_uid = r.event_uid and v.person_uid = p.uid and v.active offset 0) v`

/**
 * Joins to report `r` of event `e` as `proposed` the one person whom its mobile, or its whole name and floor, names, if they are
 * unknown. Someone else who is named in the same way, whatever their status, makes it no one: a wrong "safe" is worse
 * than a question. A report of a drill that became live names no one. `offset 0`: names are looked up
 * first, then whom they are of. A planner without statistics may do it the other way round, which takes minutes.
 */
export const joinProposed = sql`
  cross join lateral (
    select case when count(*) = 1 and min(n.status) = 'unknown' then min(n.uid::text)::uuid end as evacuee_uid
    from (
      select v.uid, v.status
      from (select p.uid from person p where p.client_uid = r.client_uid and p.mobile = r.said_mobile offset 0) p
      ${evacueeOf}
      union
      select v.uid, v.status
      from (select p.uid from person p
        where p.client_uid = r.client_uid and p.folded_name = name_fold(r.said_name) offset 0) p
      ${evacueeOf}
      where v.place_uid = r.floor_uid
    ) n
    where r.state = 'open' and r.at >= coalesce(e.counts_from, '-infinity')
  ) proposed`

/** Reports `r` with their event `e`. */
export const reportsIn = ({ clientUid, eventUid }: EventOf) => sql`
  self_report r
  join event e on e.client_uid = r.client_uid and e.uid = r.event_uid and e.client_uid = ${clientUid} and e.uid = ${eventUid}`

export interface NetworkRow {
  network: string
  count: number
  help: number
  naming: number
  newest: Date
}

/** Open reports by network. */
export async function countByNetwork(tx: Tx, of: EventOf): Promise<NetworkRow[]> {
  const { rows } = await sql<NetworkRow>`
    select r.network, count(*)::int as count, (count(*) filter (where r.status = 'help'))::int as help,
      (count(proposed.evacuee_uid) filter (where r.status = 'safe'))::int as naming, max(r.at) as newest
    from ${reportsIn(of)} ${joinProposed}
    where r.client_uid = ${of.clientUid} and r.event_uid = ${of.eventUid} and r.state = 'open'
    group by r.network order by newest desc`.execute(tx)
  return rows
}

/** The reports of these networks, or of all others. */
export const ofNetworks = ({ only, but }: Networks): RawBuilder<unknown> =>
  only === null ? sql`not (r.network = any (${but}::text[]))` : sql`r.network = ${only}`

export interface Networks {
  only: string | null
  but: readonly string[]
}

export interface Naming {
  uid: SelfReportUid
  personUid: PersonUid
  secondsAgo: number
}

/** Open "safe" reports up to one that name one person, the oldest first. */
export async function listNaming(
  tx: Tx,
  of: EventOf,
  networks: Networks,
  { upTo, most }: { upTo: SelfReportUid; most: number },
): Promise<Naming[]> {
  const { rows } = await sql<Naming>`
    select r.uid, v.person_uid, extract(epoch from (select steady_now()) - r.at)::float8 as seconds_ago
    from ${reportsIn(of)} ${joinProposed}
    join evacuee v on v.client_uid = r.client_uid and v.uid = proposed.evacuee_uid
    where r.client_uid = ${of.clientUid} and r.event_uid = ${of.eventUid} and r.state = 'open' and r.status = 'safe'
      and ${ofNetworks(networks)} and (r.at, r.uid) <= (select at, uid from self_report
        where client_uid = ${of.clientUid} and event_uid = ${of.eventUid} and uid = ${upTo})
    order by r.at, r.uid limit ${most}`.execute(tx)
  return rows
}

/** The person whom an open report names. */
export async function findProposed(tx: Tx, of: EventOf, uid: SelfReportUid): Promise<PersonUid | undefined> {
  const { rows } = await sql<{ personUid: PersonUid }>`
    select v.person_uid
    from ${reportsIn(of)} ${joinProposed}
    join evacuee v on v.client_uid = r.client_uid and v.uid = proposed.evacuee_uid
    where r.client_uid = ${of.clientUid} and r.uid = ${uid}`.execute(tx)
  return rows[0]?.personUid
}
