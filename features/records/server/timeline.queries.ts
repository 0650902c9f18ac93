import { type RawBuilder, sql } from 'kysely'
import type { EventUid, FloorUid } from '#kernel/ids.ts'
import type { CallInput } from '#kernel/route.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { JsonObject } from '#server/platform/db/tables.ts'
import type { Actor } from '#server/wardens/actor.ts'
import type { EventRecord } from '../calls/record.ts'
import type { listTimeline } from '../calls/records.ts'
import { participants } from './figures.queries.ts'
import type { Reach } from './record-access.service.ts'

export const entriesOfPage = 50

export interface TimelineRow {
  xid: string
  position: string
  action: string
  before: JsonObject | null
  after: JsonObject | null
  recordedAt: Date
  observedAt: Date | null
  actorUid: string | null
  actorSignInUid: string | null
  /** Names are those of now: `toldThen` has those of the event. */
  actorName: string | null
  actorRole: string | null
  subjectUid: string
  /** It is about a person, by that uid or by their participation. */
  isSubjectNamed: boolean
  isSubjectFloor: boolean
  /** Name of the person, floor or warden that the entry is about. */
  subject: string | null
  place: string | null
  floorUid: string | null
  statusUid: string | null
  roleUid: string | null
  /** Of an entry about whole buildings. */
  buildings: { uid: string; name: string }[]
  statusName: string | null
  /** The number of the phone, by first use, and what kind it is. */
  phone: number | null
  device: string | null
  timezone: string
  /** When the words of messages were deleted. Null: they are there. */
  wordsDeletedAt: Date | null
  /** The building that it is about, and what people were told to do, by the record. Null: everyone was to leave. */
  buildingUid: string | null
  actions: EventRecord['actions'] | null
  /** When it was recorded, in seconds since the start. */
  since: number
}

/** Word for word the condition of the index journal_moment. */
const isMoment = sql`j.event_uid is not null and (j.action not in ('evacuee_status_set', 'messages_read', 'evacuee_messages_read', 'unread_changed',
  'signed_in', 'session_ended', 'record_names_seen') or j.after ->> 'status' = 'danger')`
/** Entries by which the log keeps itself: no moment of the event. */
const isOfLog = sql`j.action in ('log_opened', 'names_kept', 'people_packed', 'log_head_mailed', 'lines_erased')`
/** Entries that concern the whole event and name no person. */
const isOfEvent = sql`j.action in ('event_started', 'buildings_added', 'buildings_removed', 'drill_made_live', 'action_changed', 'event_ended',
  'service_gap')`

/** The floor that entry `j` is about. */
const floor = sql`coalesce(case when j.subject_type = 'floor' then j.subject_uid end, (j.after ->> 'floor_uid')::uuid, (j.before ->> 'floor_uid')::uuid)`
const isOfFloorWithin = ({ buildingUids, floorUids }: Reach) => sql`(${floor} = any (${floorUids}::uuid[])
  or (select f.building_uid from floor f where f.client_uid = j.client_uid and f.uid = ${floor}) = any (${buildingUids}::uuid[]))`

/** The floor of an entry of the event, null for one without. Undefined: there is no such entry within reach. */
export async function findEntryFloor(
  tx: Tx,
  reach: Reach,
  { eventUid, isWhole, position }: { eventUid: EventUid; isWhole: boolean; position: string },
): Promise<FloorUid | null | undefined> {
  const { rows } = await sql<{ floorUid: FloorUid | null }>`
    select ${floor} as floor_uid from journal j
    where j.client_uid = ${reach.clientUid} and j.event_uid = ${eventUid} and j.position = ${position}::bigint
      and (${isWhole} or ${isOfFloorWithin(reach)}) limit 1`.execute(tx)
  return rows[0]?.floorUid
}

type Query = CallInput<typeof listTimeline>['query']

/** The journal of the event in its order, behind the entry with this key. One row more than a page. */
export async function listTimelineRows(
  tx: Tx,
  reach: Reach,
  {
    eventUid,
    isWhole,
    most,
    ...query
  }: Omit<Query, 'after'> & { eventUid: EventUid; isWhole: boolean; after: TimelineKey | null; most: number },
): Promise<TimelineRow[]> {
  const conditions: RawBuilder<unknown>[] = [sql`j.client_uid = ${reach.clientUid} and j.event_uid = ${eventUid}`]
  if (query.show !== 'all') conditions.push(isMoment, sql`not ${isOfLog}`)
  if (query.after)
    conditions.push(sql`(j.xid, j.position) > (${query.after.xid}::xid8, ${query.after.position}::bigint)`)
  if (query.person)
    conditions.push(sql`(j.subject_uid = ${query.person} and j.action not in ('plan_viewed', 'plan_notice_sent')
      or j.actor_person_uid = ${query.person}
      or j.subject_uid in (select uid from warden_sign_in si where si.client_uid = j.client_uid and si.event_uid = j.event_uid
        and si.person_uid = ${query.person}))`)
  if (query.floor) conditions.push(sql`${floor} = ${query.floor}`)
  if (query.action) conditions.push(sql`j.action = ${query.action}`)
  if (query.entries) conditions.push(sql`j.position = any (${query.entries.split(',')}::bigint[])`)
  if (query.late) conditions.push(sql`j.recorded_at > j.observed_at + interval '30 seconds'`)
  if (!isWhole) conditions.push(sql`(${isOfEvent} or ${isOfFloorWithin(reach)})`)
  const { rows } = await sql<TimelineRow>`
    with page as (
      select * from journal j where ${sql.join(conditions, sql` and `)}
      order by j.event_uid, j.xid, j.position limit ${most + 1}
    ), told as materialized (
      -- once: a large record is unpacked anew each time that something is read of it
      select r.summary -> 'actions' as actions, (r.summary ->> 'started_at')::timestamptz as began, r.session_uids,
        coalesce(r.words_deleted_at, r.reduced_at) as words_deleted_at, st.timezone
      from event_record r join site st on st.client_uid = r.client_uid and st.uid = r.site_uid
      where r.client_uid = ${reach.clientUid} and r.event_uid = ${eventUid}
    )
    select j.xid::text, j.position::text, j.action, j.before, j.after, j.recorded_at, j.observed_at,
      j.actor_person_uid as actor_uid, j.actor_sign_in_uid, ap.name as actor_name, by.role as actor_role,
      j.subject_uid, j.subject_type in ('evacuee', 'person', 'sign_in') as is_subject_named, j.subject_type = 'floor' as is_subject_floor,
      coalesce(sp.name, warden.name, sf.name) as subject,
      case when f.uid is not null then b.name || ' - ' || f.name end as place, f.uid as floor_uid,
      j.after ->> 'floor_status_uid' as status_uid, by.role_uid, fs.name as status_name,
      (select coalesce(json_agg(json_build_object('uid', eb.uid, 'name', eb.name) order by eb.name, eb.uid), '[]') from building eb
        where eb.client_uid = j.client_uid and eb.uid::text in (select jsonb_array_elements_text(
          case when j.action in ('buildings_added', 'buildings_removed', 'action_changed') then j.after -> 'buildings' end))) as buildings,
      array_position(told.session_uids, j.session_uid) as phone, s.device, told.timezone, told.words_deleted_at,
      coalesce(f.building_uid::text, j.after ->> 'building_uid') as building_uid, told.actions,
      extract(epoch from j.recorded_at - told.began)::float8 as since
    from page j
    cross join told
    left join session s on s.uid = j.session_uid
    left join person ap on ap.client_uid = j.client_uid and ap.uid = j.actor_person_uid
    left join ${participants} by on by.client_uid = j.client_uid and by.uid = j.actor_sign_in_uid
    left join person sp on sp.client_uid = j.client_uid and sp.uid = j.subject_uid and j.subject_type in ('evacuee', 'person')
    left join ${participants} warden on warden.client_uid = j.client_uid and warden.uid = j.subject_uid and j.subject_type = 'sign_in'
    left join floor sf on sf.client_uid = j.client_uid and sf.uid = j.subject_uid and j.subject_type = 'floor'
    left join floor f on f.client_uid = j.client_uid and f.uid = ${floor}
    left join building b on b.client_uid = f.client_uid and b.uid = f.building_uid
    left join floor_status fs on fs.client_uid = j.client_uid and fs.uid = (j.after ->> 'floor_status_uid')::uuid
    order by j.xid, j.position`.execute(tx)
  return rows
}

/** True if the actor has read the timeline within the last hour. */
export async function hasSeenLately(
  tx: Tx,
  { clientUid, personUid }: Pick<Actor, 'clientUid' | 'personUid'>,
  eventUid: EventUid,
): Promise<boolean> {
  const { rows } = await sql`
    select from journal where client_uid = ${clientUid} and event_uid = ${eventUid} and action = 'record_names_seen'
      and actor_person_uid = ${personUid} and after ->> 'list' = 'timeline' and recorded_at > now() - interval '1 hour'
    limit 1`.execute(tx)
  return rows.length > 0
}

export interface TimelineKey {
  xid: string
  position: string
}
