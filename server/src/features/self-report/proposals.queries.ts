import type { ClientUid, EvacueeUid, EventUid, PersonUid, SelfReportUid } from '@evac/contract/ids.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/db.ts'

export interface EventOf {
  clientUid: ClientUid
  eventUid: EventUid
}

/**
 * REC-27: the part `proposed` of a `with`: of each open report the one person of the event whom its mobile, or its whole name and
 * floor, names, if they are unknown. Somebody else who is named in the same way, whatever their status, makes it
 * nobody: a wrong "safe" is worse than a question. A report of a drill that became live names nobody.
 */
export const proposedIn = ({ clientUid, eventUid }: EventOf) => sql`
    open_report as (
      select r.* from self_report r
      join event e on e.client_uid = r.client_uid and e.uid = r.event_uid
      where r.client_uid = ${clientUid} and r.event_uid = ${eventUid} and r.state = 'open'
        and r.at >= coalesce(e.counts_from, '-infinity')
    ), named as (
      select r.uid, v.uid as evacuee_uid, v.status
      from open_report r
      join person p on p.client_uid = r.client_uid and p.mobile = r.said_mobile
      join evacuee v on v.client_uid = p.client_uid and v.event_uid = r.event_uid and v.person_uid = p.uid and v.active
      union
      select r.uid, v.uid, v.status
      from open_report r
      join evacuee v on v.client_uid = r.client_uid and v.event_uid = r.event_uid and v.place_uid = r.floor_uid and v.active
      join person p on p.client_uid = v.client_uid and p.uid = v.person_uid
        and lower(p.first_name || ' ' || p.last_name) = lower(r.said_name)
    ), proposed as (
      select uid, min(evacuee_uid::text)::uuid as evacuee_uid from named
      group by uid having count(*) = 1 and min(status) = 'unknown'
    )`

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
    with ${proposedIn(of)}
    select r.network, count(*)::int as count, (count(*) filter (where r.status = 'help'))::int as help,
      (count(p.uid) filter (where r.status = 'safe'))::int as naming, max(r.at) as newest
    from self_report r left join proposed p on p.uid = r.uid
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
  evacueeUid: EvacueeUid
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
    with ${proposedIn(of)}
    select r.uid, p.evacuee_uid, v.person_uid, extract(epoch from steady_now() - r.at)::float8 as seconds_ago
    from proposed p
    join self_report r on r.client_uid = ${of.clientUid} and r.uid = p.uid and r.status = 'safe'
    join evacuee v on v.client_uid = r.client_uid and v.uid = p.evacuee_uid
    where ${ofNetworks(networks)} and (r.at, r.uid) <= (select at, uid from self_report
      where client_uid = ${of.clientUid} and event_uid = ${of.eventUid} and uid = ${upTo})
    order by r.at, r.uid limit ${most}`.execute(tx)
  return rows
}

/** The person whom an open report names, with how long ago it was made. */
export async function findProposed(tx: Tx, of: EventOf, uid: SelfReportUid): Promise<PersonUid | undefined> {
  const { rows } = await sql<{ personUid: PersonUid }>`
    with ${proposedIn(of)}
    select v.person_uid from proposed p
    join evacuee v on v.client_uid = ${of.clientUid} and v.uid = p.evacuee_uid
    where p.uid = ${uid}`.execute(tx)
  return rows[0]?.personUid
}
