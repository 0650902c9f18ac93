import { type RawBuilder, sql } from 'kysely'
import type { Administrator } from './administrator.ts'

type Condition = RawBuilder<boolean>

/**
 * What an administrator reaches, as conditions of SQL, one per kind of row. Each expects its table under the alias
 * that is named here. They come in addition to `client_uid`, never in its place.
 */
export interface Within {
  /** `p` person: everyone who is not erased; who has a floor or a visit at the site; members of the group. */
  person: Condition
  /** `a` warden_assignment with `r` its warden_role: all; those at the site; of members, roles of a floor or area that manage no event. */
  assignment: Condition
  /** `st` site. A group's administrator reads all places. */
  site: Condition
  /** `b` building. */
  building: Condition
  /** `d` document: all; those of the site; none. */
  document: Condition
  /** `gr` people_group: all; all; the one. */
  group: Condition
}

const all = sql<boolean>`true`
const none = sql<boolean>`false`
/** No one finds an erased person again. Such a person has no floor and is in no group. */
const notErased = sql<boolean>`(p.erased_at is null)`

export function within({ clientUid, reach }: Pick<Administrator, 'clientUid' | 'reach'>): Within {
  if (reach.kind === 'organisation')
    return { person: notErased, assignment: all, site: all, building: all, document: all, group: all }
  if (reach.kind === 'site') return withinSite(clientUid, reach.siteUid)
  const members = sql`(select person_uid from people_group_member
    where client_uid = ${clientUid} and group_uid = ${reach.groupUid})`
  return {
    person: sql`(p.uid in ${members})`,
    assignment: sql`(a.person_uid in ${members} and r.area_domain in ('Floor', 'Area')
      and not 'Event_Management' = any (r.modules))`,
    site: all,
    building: all,
    document: none,
    group: sql`(gr.uid = ${reach.groupUid})`,
  }
}

function withinSite(clientUid: string, siteUid: string): Within {
  const buildings = sql`(select uid from building where client_uid = ${clientUid} and site_uid = ${siteUid})`
  const floors = sql`(select uid from floor where client_uid = ${clientUid} and building_uid in ${buildings})`
  return {
    person: sql`(p.primary_floor_uid in ${floors} or p.visiting_building_uid in ${buildings})`,
    assignment: sql`(a.site_uid = ${siteUid})`,
    site: sql`(st.uid = ${siteUid})`,
    building: sql`(b.site_uid = ${siteUid})`,
    document: sql`(d.site_uid = ${siteUid})`,
    group: all,
  }
}
