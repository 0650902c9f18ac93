import { sql } from 'kysely'
import type { FloorUid, SignInUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { type Of, participants } from '../figures.queries.ts'

export interface ClaimedFloor {
  signInUid: SignInUid
  by: string
  role: string
  floorUid: FloorUid
  floorName: string
  buildingName: string
  from: number
  /** When it was given back, or its building left. Null: neither happened. */
  to: number | null
}

/** The floors that wardens took, as the journal has it. A building that was taken whole stands for its floors. */
export async function listClaimedFloors(tx: Tx, { clientUid, eventUid }: Of): Promise<ClaimedFloor[]> {
  const since = (at: ReturnType<typeof sql>) =>
    sql<number>`greatest(0, extract(epoch from ${at} - e.started_at))::float8`
  const { rows } = await sql<ClaimedFloor>`
    select j.actor_sign_in_uid as sign_in_uid, who.name as "by", who.role, f.uid as floor_uid, f.name as floor_name,
      b.name as building_name, ${since(sql`j.recorded_at`)} as "from", case when over_.at is not null then ${since(sql`over_.at`)} end as "to"
    from event e
    join journal j on j.client_uid = e.client_uid and j.event_uid = e.uid and j.action = 'floor_claimed'
    join ${participants} who on who.client_uid = e.client_uid and who.uid = j.actor_sign_in_uid
    join event_floor ef on ef.client_uid = e.client_uid and ef.event_uid = e.uid and j.subject_uid in (ef.floor_uid, ef.building_uid)
    join floor f on f.client_uid = ef.client_uid and f.uid = ef.floor_uid
    join building b on b.client_uid = f.client_uid and b.uid = f.building_uid
    left join lateral (
      select min(g.recorded_at) as at from journal g
      where g.client_uid = e.client_uid and g.event_uid = e.uid
        and (g.action = 'floor_given_back' and g.after ->> 'claim_uid' = j.after ->> 'claim_uid'
          or g.action = 'buildings_removed' and g.after -> 'buildings' ? b.uid::text and g.recorded_at >= j.recorded_at)) over_ on true
    where e.client_uid = ${clientUid} and e.uid = ${eventUid}
    order by j.xid, j.position, b.name, f.level, f.name`.execute(tx)
  return rows
}
