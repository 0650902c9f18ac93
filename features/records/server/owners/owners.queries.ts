import { sql } from 'kysely'
import type { PersonUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { isNamed } from '#server/platform/db/name-search.ts'
import { assignmentIsInDate } from '#server/wardens/live-session.ts'
import { isWithin, type Reach } from '../record-access.service.ts'

export interface OwnerRow {
  person: PersonUid
  name: string
  place: string | null
}

/** Staff whose floor is within reach, and with reach of the whole site its wardens too. */
const owners = (reach: Reach) => sql`
    select p.uid as person, p.search_name, p.name, b.name || ' - ' || f.name as place
    from person p
    left join floor f on f.client_uid = p.client_uid and f.uid = p.primary_floor_uid
    left join building b on b.client_uid = f.client_uid and b.uid = f.building_uid
    where p.client_uid = ${reach.clientUid} and p.active and p.kind = 'staff'
      and (b.site_uid = ${reach.siteUid} and ${isWithin(reach, { floorUid: sql`f.uid`, buildingUid: sql`b.uid` })}
        or ${reach.isSite} and exists (select from warden_assignment a
          join site st on st.client_uid = a.client_uid and st.uid = a.site_uid
          where a.client_uid = p.client_uid and a.person_uid = p.uid and a.site_uid = ${reach.siteUid} and ${assignmentIsInDate}))`

/** By name, at most 20. */
export async function findOwners(tx: Tx, reach: Reach, q: string): Promise<OwnerRow[]> {
  const { rows } = await sql<OwnerRow>`
    select o.person, o.name, o.place from (${owners(reach)}) o where ${isNamed(sql`o.search_name`, q)}
    order by o.name collate "und-x-icu", o.person limit 20`.execute(tx)
  return rows
}

export async function findOwner(tx: Tx, reach: Reach, person: PersonUid): Promise<OwnerRow | undefined> {
  const { rows } =
    await sql<OwnerRow>`select o.person, o.name, o.place from (${owners(reach)}) o where o.person = ${person}`.execute(
      tx,
    )
  return rows[0]
}
/** The name of someone in the organisation. */
export async function findName(tx: Tx, { clientUid }: Reach, person: PersonUid): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select name from person where client_uid = ${clientUid} and uid = ${person}`.execute(tx)
  return rows[0]?.name
}
