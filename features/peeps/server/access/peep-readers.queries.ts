import { type RawBuilder, sql } from 'kysely'
import type { ClientUid, EventUid, PersonUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { PlanReason, PlanWay } from '../../kinds.ts'

export interface OfEvent {
  clientUid: ClientUid
  eventUid: EventUid
}

/** Each time a plan was seen in the event: parts of a `with`, the last one `seen`. `only` restricts rows by `person_uid`. */
const seenIn = ({ clientUid, eventUid }: OfEvent, only: RawBuilder<unknown> = sql`true`) => sql`
  seen as (
    select j.actor_person_uid as reader_uid, j.subject_uid as person_uid, 'opened' as way, j.after ->> 'reason' as reason,
      j.recorded_at as at, null::uuid as pack_uid
    from journal j
    where j.client_uid = ${clientUid} and j.event_uid = ${eventUid} and j.action = 'plan_viewed'
    union all
    select s.reader_uid, s.person_uid, s.way, null, s.seen_at, s.pack_uid
    from plan_seen s where s.client_uid = ${clientUid} and s.event_uid = ${eventUid}
  ), chosen as (select * from seen where ${only})`

/**
 * Name and role in the event of the person who saw the plan in row `s`: a from-item `who`. `given` is what a reader of a
 * pack typed as their name; no one has checked it.
 */
const readerOf = ({ clientUid, eventUid }: OfEvent) => sql`
  lateral (
    select nullif(r.name, '') as given from (values (1)) one (n)
    left join arrival_pack_reader r on r.client_uid = ${clientUid} and r.pack_uid = s.pack_uid
      and encode(substring(r.reader_hash from 1 for 16), 'hex')::uuid = s.reader_uid
  ) typed cross join lateral (
    select typed.given, case when s.pack_uid is not null then 'Fire service' || coalesce(': ' || typed.given, '')
        else (select p.name from person p where p.client_uid = ${clientUid} and p.uid = s.reader_uid)
      end as name,
      (select r.name from warden_sign_in si
        join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
        join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
        where si.client_uid = ${clientUid} and si.event_uid = ${eventUid} and si.person_uid = s.reader_uid
        order by si.on_duty desc, si.on_duty_at desc nulls last limit 1) as role
  ) who`

export interface ReaderRow {
  name: string
  role: string | null
  opened: number
  listed: number
  lastAt: Date
  readers: number
}

/** Readers of the event with the number of people whose plan they have seen, newest first. */
export async function listReaderRows(tx: Tx, of: OfEvent, { opened, most }: { opened: number; most: number }) {
  const { rows } = await sql<ReaderRow>`
    with ${seenIn(of)}, once as (
      select reader_uid, person_uid, bool_or(way <> 'list') as is_opened, max(at) as at, (array_agg(pack_uid))[1] as pack_uid
      from chosen group by reader_uid, person_uid
    ), s as (
      select reader_uid, (array_agg(pack_uid))[1] as pack_uid, count(*) filter (where is_opened)::int as opened,
        count(*) filter (where not is_opened)::int as listed, max(at) as last_at, count(*) over ()::int as readers
      from once group by reader_uid
    )
    select coalesce(who.name, 'Someone') as name, who.role, s.opened, s.listed, s.last_at, s.readers
    from (select * from s where opened > ${opened} order by last_at desc, reader_uid limit ${most}) s
    cross join ${readerOf(of)}
    order by s.last_at desc, s.reader_uid`.execute(tx)
  return rows
}

export interface SeenRow {
  name: string
  /** Of a reader of a pack, what they typed as their name. */
  given: string | null
  role: string | null
  way: PlanWay
  reason: PlanReason | null
  /** The first time by this reader, in this way and for this reason. */
  at: Date
}

/** Who saw the plan of one person in the event, oldest first. */
export async function listSeenOf(tx: Tx, of: OfEvent, personUid: PersonUid, most: number): Promise<SeenRow[]> {
  const { rows } = await sql<SeenRow>`
    with ${seenIn(of, sql`person_uid = ${personUid}`)}, s as (
      select reader_uid, way, reason, min(at) as at, (array_agg(pack_uid))[1] as pack_uid
      from chosen group by reader_uid, way, reason
    )
    select coalesce(who.name, 'Someone') as name, who.given, who.role, s.way, s.reason, s.at
    from (select * from s order by at, reader_uid, way limit ${most}) s cross join ${readerOf(of)}
    order by s.at, s.reader_uid, s.way`.execute(tx)
  return rows
}
