import { type RawBuilder, sql } from 'kysely'
import type { BuildingUid, ClientUid, EventUid, FloorUid, PersonUid, SelfReportUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { noFloor } from '../kinds.ts'
import type { MoreOfSite, NamingOne, OpenOfLine, OpenReports } from './groups.ts'

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

/** Report `r` of event `e` came while the event was a drill. */
export const isOfDrill = sql`(e.kind = 'drill' or coalesce(r.at <= e.counts_from, false))`

const fromOf = sql`r.network as line, coalesce(r.home, r.network) as home, coalesce(r.site, r.network) as site,
      coalesce(r.floor_uid, r.building_uid) as place, r.floor_uid is not null as has_floor`

/** Sites whose further calls the list shows. */
const mostMore = 200

/** Open reports by poster by line and place, those that say safe and name one person, and calls that were counted. */
export async function readOpen(tx: Tx, of: EventOf): Promise<OpenReports> {
  const isOpen = sql`r.client_uid = ${of.clientUid} and r.event_uid = ${of.eventUid} and r.way = 'poster' and r.state = 'open'`
  const open = await sql<OpenOfLine>`
    select ${fromOf}, count(*)::int as count, (count(*) filter (where r.status = 'help'))::int as help,
      (count(*) filter (where ${isOfDrill}))::int as in_drill, max(r.at) as newest
    from ${reportsIn(of)} where ${isOpen} group by 1, 2, 3, 4, 5 order by newest desc`.execute(tx)
  const naming = await sql<NamingOne>`
    select ${fromOf}, r.at from ${reportsIn(of)} ${joinProposed}
    where ${isOpen} and r.status = 'safe' and proposed.evacuee_uid is not null`.execute(tx)
  const more = await sql<MoreOfSite>`
    select site, count - dismissed as more, newest_at as newest from self_report_more
    where client_uid = ${of.clientUid} and event_uid = ${of.eventUid} and count > dismissed order by newest desc limit ${mostMore}`.execute(
    tx,
  )
  return { rows: open.rows, naming: naming.rows, more: more.rows }
}

/** Which reports are meant: those of one network, or of none of these, that name a place or any. */
export interface Choice {
  only: string | null
  but: readonly string[]
  place: FloorUid | BuildingUid | typeof noFloor | null
}

const isAt = (place: Choice['place']) => {
  if (place === null) return sql`true`
  return place === noFloor ? sql`r.floor_uid is null` : sql`coalesce(r.floor_uid, r.building_uid) = ${place}`
}

/** Of reports `r`. */
export const isChosen = ({ only, but, place }: Choice): RawBuilder<unknown> => sql`
  ${only === null ? sql`(r.network = any (${but}::text[]) or r.home = any (${but}::text[]) or r.site = any (${but}::text[])) is not true` : sql`${only} in (r.network, r.home, r.site)`}
  and ${isAt(place)}`

export interface Naming {
  uid: SelfReportUid
  personUid: PersonUid
  secondsAgo: number
}

/** Open "safe" reports up to one that name one person, the oldest first. */
export async function listNaming(
  tx: Tx,
  of: EventOf,
  choice: Choice,
  { upTo, most }: { upTo: SelfReportUid; most: number },
): Promise<Naming[]> {
  const { rows } = await sql<Naming>`
    select r.uid, v.person_uid, extract(epoch from (select steady_now()) - r.at)::float8 as seconds_ago
    from ${reportsIn(of)} ${joinProposed}
    join evacuee v on v.client_uid = r.client_uid and v.uid = proposed.evacuee_uid
    where r.client_uid = ${of.clientUid} and r.event_uid = ${of.eventUid} and r.state = 'open' and r.status = 'safe'
      and ${isChosen(choice)} and (r.at, r.uid) <= (select at, uid from self_report
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
