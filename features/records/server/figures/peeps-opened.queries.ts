import { sql } from 'kysely'
import type { BuildingUid, FloorUid } from '#kernel/ids.ts'
import type { SafetyStatus } from '#kernel/vocabulary.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { Of } from '../figures.queries.ts'

export interface PlannedRow {
  floorUid: FloorUid | null
  floorName: string | null
  buildingUid: BuildingUid
  buildingName: string
  status: SafetyStatus
  /** Seconds since the start. Null unless safe at the end. */
  safeAfter: number | null
}

/** The people with a plan as they were at the end, without names. The plans themselves are not read. */
export async function listPlanned(tx: Tx, { clientUid, eventUid }: Of): Promise<PlannedRow[]> {
  const { rows } = await sql<PlannedRow>`
    select v.floor_uid, f.name as floor_name, v.building_uid, b.name as building_name, v.status,
      case when v.status = 'safe' then greatest(0, extract(epoch from v.status_at - e.started_at))::float8 end as safe_after
    from event e
    join evacuee v on v.client_uid = e.client_uid and v.event_uid = e.uid and v.active
    join building b on b.client_uid = v.client_uid and b.uid = v.building_uid
    left join floor f on f.client_uid = v.client_uid and f.uid = v.floor_uid
    where e.client_uid = ${clientUid} and e.uid = ${eventUid}
      and exists (select from peep where peep.client_uid = v.client_uid and peep.person_uid = v.person_uid and peep.active)
    order by b.name, b.uid, f.level desc nulls last, f.name, f.uid, v.sort_name, v.uid`.execute(tx)
  return rows
}
