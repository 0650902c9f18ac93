import { sql } from 'kysely'
import type { Tx } from '#server/platform/db/db.ts'
import { recordset } from '#server/platform/db/recordset.ts'
import type { Merging } from '../merge.queries.ts'
import type { Assigned, Settled } from './merged-assignments.ts'

/** All assignments of both, in the order of their days. No one answers one of them until the transaction ends. */
export async function holdAssignments(tx: Tx, { clientUid, stays, goes }: Merging): Promise<Assigned[]> {
  const { rows } = await sql<Assigned>`
    select a.uid, a.person_uid, a.role_uid, a.site_uid,
      (select r.name from warden_role r where r.client_uid = a.client_uid and r.uid = a.role_uid) as role,
      (select st.name from site st where st.client_uid = a.client_uid and st.uid = a.site_uid) as site, a.date_from, a.date_to, a.status,
      a.date_to < current_date - 1 as is_past,
      array(select coalesce('b' || l.building_uid, 'f' || l.floor_uid) from assignment_location l
        where l.client_uid = a.client_uid and l.assignment_uid = a.uid) as places
    from warden_assignment a
    where a.client_uid = ${clientUid} and a.person_uid = any (${[stays, goes]}::uuid[])
    order by a.date_from, a.uid for update`.execute(tx)
  return rows
}

const columns = { uid: 'uuid', personUid: 'uuid', dateFrom: 'date', dateTo: 'date' } as const

/** Writes person, days, places and days away of these. Two may exchange their first days. */
export async function writeAssignments(tx: Tx, clientUid: string, rows: readonly Settled[]): Promise<void> {
  const uids = rows.map(({ uid }) => uid)
  await sql`update warden_assignment a set date_from = date '0001-01-01' + i.n::int
    from unnest(${uids}::uuid[]) with ordinality i (uid, n) where a.client_uid = ${clientUid} and a.uid = i.uid`.execute(
    tx,
  )
  await sql`update warden_assignment a set person_uid = i.person_uid, date_from = i.date_from, date_to = i.date_to, updated_at = now()
    from ${recordset(rows, columns)} where a.client_uid = ${clientUid} and a.uid = i.uid`.execute(tx)
  await sql`delete from assignment_location where client_uid = ${clientUid} and assignment_uid = any (${uids}::uuid[])`.execute(
    tx,
  )
  const places = rows.flatMap(({ uid, places }) =>
    places.map((place) => {
      const placeUid = place.slice(1)
      return place.startsWith('b')
        ? { uid, buildingUid: placeUid, floorUid: null }
        : { uid, buildingUid: null, floorUid: placeUid }
    }),
  )
  await sql`insert into assignment_location (client_uid, assignment_uid, building_uid, floor_uid)
    select ${clientUid}::uuid, i.uid, i.building_uid, i.floor_uid
    from ${recordset(places, { uid: 'uuid', buildingUid: 'uuid', floorUid: 'uuid' })}`.execute(tx)
  const absences = rows.flatMap(({ uid, absentAs = [] }) => absentAs.map((other) => ({ uid, other })))
  await sql`insert into warden_absence (client_uid, assignment_uid, day)
    select ab.client_uid, i.uid, ab.day from ${recordset(absences, { uid: 'uuid', other: 'uuid' })}
    join warden_absence ab on ab.client_uid = ${clientUid} and ab.assignment_uid = i.other
    on conflict do nothing`.execute(tx)
}
