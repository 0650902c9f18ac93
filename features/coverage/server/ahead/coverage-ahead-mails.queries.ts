import { sql } from 'kysely'
import type { ClientUid, PersonUid, SiteUid } from '#kernel/ids.ts'
import type { Db } from '#server/platform/db/db.ts'
import { isPostedOn } from '#server/wardens/posted-floors.ts'
import { mailAboutTomorrow } from '../../kinds.ts'

export interface CoverageGap {
  clientUid: ClientUid
  siteUid: SiteUid
  siteName: string
  /** Tomorrow at the site. */
  day: string
  /** Floors without a warden that day, with their building, in order. */
  floors: string[]
}

/**
 * Sites where it is afternoon, no event runs, tomorrow has floors without a warden, and any accepted assignment of
 * that day names a floor.
 */
export async function listGaps(system: Db, now: Date): Promise<CoverageGap[]> {
  const tomorrow = sql`((${now}::timestamptz at time zone st.timezone)::date + 1)`
  const { rows } = await sql<CoverageGap>`
    select st.client_uid, st.uid as site_uid, st.name as site_name, ${tomorrow}::text as day,
      array_agg(b.name || ' - ' || f.name order by b.name, b.uid, f.level desc, f.name) as floors
    from site st
    join client c on c.uid = st.client_uid and c.active and c.coverage_mail
    join building b on b.client_uid = st.client_uid and b.site_uid = st.uid and b.retired_at is null
    join floor f on f.client_uid = b.client_uid and f.building_uid = b.uid and f.retired_at is null
    where st.retired_at is null
      and (${now}::timestamptz at time zone st.timezone)::time
        between ${mailAboutTomorrow.from}::time and ${mailAboutTomorrow.until}::time
      and not exists (select from event e where e.client_uid = st.client_uid and e.site_uid = st.uid and e.ended_at is null)
      and exists (select from warden_assignment a
        join assignment_location l on l.client_uid = a.client_uid and l.assignment_uid = a.uid and l.floor_uid is not null
        where a.client_uid = st.client_uid and a.site_uid = st.uid and a.status = 'Accepted'
          and ${tomorrow} between a.date_from and a.date_to)
      and not exists (select from assignment_location l
        join warden_assignment a on a.client_uid = l.client_uid and a.uid = l.assignment_uid and ${isPostedOn(tomorrow)}
        join person p on p.client_uid = a.client_uid and p.uid = a.person_uid and p.active
        where l.client_uid = f.client_uid and l.floor_uid = f.uid)
    group by st.client_uid, st.uid, st.name, st.timezone`.execute(system)
  return rows
}

export interface ManagerAddress {
  personUid: PersonUid
  accountUid: string | null
  email: string
}

/** Event managers of the site today who have an address. */
export async function listManagers(
  system: Db,
  { clientUid, siteUid }: CoverageGap,
  now: Date,
): Promise<ManagerAddress[]> {
  const { rows } = await sql<ManagerAddress>`
    select distinct p.uid as person_uid, ac.uid as account_uid, coalesce(ac.email, p.email) as email
    from warden_assignment a
    join site st on st.client_uid = a.client_uid and st.uid = a.site_uid
    join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid and 'Event_Management' = any (r.modules)
    join person p on p.client_uid = a.client_uid and p.uid = a.person_uid and p.active
    left join account ac on ac.uid = p.account_uid and ac.active
    where a.client_uid = ${clientUid} and a.site_uid = ${siteUid} and a.status = 'Accepted'
      and (${now}::timestamptz at time zone st.timezone)::date between a.date_from and a.date_to
      and coalesce(ac.email, p.email) is not null`.execute(system)
  return rows
}
