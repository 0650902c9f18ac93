import { type RawBuilder, sql } from 'kysely'
import type { BuildingUid, ClientUid, EventUid, FloorUid, PersonUid, PlaceUid, SiteUid } from '#kernel/ids.ts'
import type { EventKind } from '#kernel/vocabulary.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { Reach } from '../record-access.service.ts'

/** An event about which something is noted: it runs, or it has ended and may have a record. */
export interface Observed {
  eventUid: EventUid
  siteUid: SiteUid
  siteName: string
  timezone: string
  type: string
  kind: EventKind
  buildingUids: BuildingUid[]
  floorUids: FloorUid[]
  beganAt: Date
  /** Null while it runs. */
  endedAt: Date | null
}

/** Events and, where the event is deleted, their records. A from-item `o`. */
const observed = (clientUid: ClientUid) => sql`
  (select e.uid as event_uid, e.site_uid, e.kind, et.type, e.started_at as began_at, e.ended_at,
      array(select eb.building_uid from event_building eb where eb.client_uid = e.client_uid and eb.event_uid = e.uid) as building_uids,
      array(select ef.floor_uid from event_floor ef where ef.client_uid = e.client_uid and ef.event_uid = e.uid) as floor_uids
    from event e join event_type et on et.client_uid = e.client_uid and et.uid = e.event_type_uid
    where e.client_uid = ${clientUid}
  union all
  select r.event_uid, r.site_uid, r.kind, coalesce(r.summary ->> 'type', ''), r.began_at, r.ended_at, r.building_uids, r.floor_uids
    from event_record r
    where r.client_uid = ${clientUid}
      and not exists (select from event e where e.client_uid = r.client_uid and e.uid = r.event_uid)) o
  join site st on st.client_uid = ${clientUid} and st.uid = o.site_uid`

const columns = sql`o.*, st.name as site_name, st.timezone`

export async function findObserved(tx: Tx, clientUid: ClientUid, eventUid: EventUid): Promise<Observed | undefined> {
  const { rows } = await sql<Observed>`
    select ${columns} from ${observed(clientUid)} where o.event_uid = ${eventUid}`.execute(tx)
  return rows[0]
}

/** True if event `o` touched a place within reach. */
const touchesObserved = ({ siteUid, isSite, buildingUids, floorUids }: Reach): RawBuilder<boolean> => sql`
  (o.site_uid = ${siteUid}
    and (${isSite} or o.building_uids && ${buildingUids}::uuid[] or o.floor_uids && ${floorUids}::uuid[]))`

/** The running event and those of the last days, newest end first: within reach, and those in which the person was on duty. */
export async function listObserved(
  tx: Tx,
  {
    clientUid,
    reach,
    personUid,
    days,
  }: { clientUid: ClientUid; reach: Reach | null; personUid: PersonUid; days: number },
): Promise<Observed[]> {
  const isWithin = reach ? touchesObserved(reach) : sql`false`
  const { rows } = await sql<Observed>`
    select ${columns} from ${observed(clientUid)}
    where (o.ended_at is null or o.ended_at > now() - make_interval(days => ${days}))
      and (${isWithin} or ${wasOnDuty({ clientUid, personUid, eventUid: sql`o.event_uid` })})
    order by o.ended_at desc nulls first, o.began_at desc limit 20`.execute(tx)
  return rows
}

interface OnDutyIn {
  clientUid: ClientUid
  personUid: PersonUid
  eventUid: unknown
}

/** True if the person is or was on duty in the event. */
const wasOnDuty = ({ clientUid, personUid, eventUid }: OnDutyIn): RawBuilder<boolean> => sql`
  exists (select from warden_sign_in si where si.client_uid = ${clientUid} and si.event_uid = ${eventUid}
    and si.person_uid = ${personUid} and (si.on_duty or si.on_duty_at is not null))`

export async function tookPart(tx: Tx, who: OnDutyIn): Promise<boolean> {
  const { rows } = await sql<{ took: boolean }>`select ${wasOnDuty(who)} as took`.execute(tx)
  return rows[0]?.took ?? false
}

export interface PlaceRow {
  uid: PlaceUid
  buildingUid: BuildingUid
  name: string
}

/** The buildings of the event, each before its floors. */
export async function listPlaces(
  tx: Tx,
  clientUid: ClientUid,
  { buildingUids, floorUids }: Pick<Observed, 'buildingUids' | 'floorUids'>,
): Promise<PlaceRow[]> {
  const { rows } = await sql<PlaceRow>`
    select uid, building_uid, name from (
      select b.uid, b.uid as building_uid, b.name, b.name as building_name, null as level from building b
        where b.client_uid = ${clientUid} and b.uid = any (${buildingUids}::uuid[])
      union all
      select f.uid, f.building_uid, b.name || ', ' || f.name, b.name, f.level from floor f
        join building b on b.client_uid = f.client_uid and b.uid = f.building_uid
        where f.client_uid = ${clientUid} and f.uid = any (${floorUids}::uuid[])
    ) places order by building_name, building_uid, level nulls first, name`.execute(tx)
  return rows
}
