import { type RawBuilder, sql } from 'kysely'
import type { ClientUid, EvacueeUid, EventUid } from '#kernel/ids.ts'
import { nobodyCounted, type SafetyStatus, type StatusCounts } from '#kernel/vocabulary.ts'
import { type Db, prepared } from '#server/platform/db/db.ts'
import { isIndexed, isNamed, namePatterns } from '#server/platform/db/name-search.ts'
import {
  eachInEvent,
  nameInEvent,
  nameOf,
  type OccupantRow,
  occupantColumns,
  occupantJoins,
  plannedAt,
} from './evacuation.queries.ts'
import type { Window } from './people-page.service.ts'
import { countsByStatus, type EventPlace, type Places, type PlaceUid, peopledPlaces } from './tally.queries.ts'

/**
 * A page of several places by name. Reads at most one page from the index of each place and merges them. With a status,
 * places where no one has it are skipped. The cost grows with the number of places, not of people.
 */
export async function listPlacesPage(
  db: Db,
  places: Places,
  status: SafetyStatus | null,
  { after, offset, limit }: Window,
): Promise<EvacueeUid[]> {
  const { clientUid, eventUid } = places
  const { rows } = await sql<{ uid: EvacueeUid }>`
    select e.uid
    from ${peopledPlaces(places, status)} t cross join lateral (
      select uid, sort_name from evacuee
      where client_uid = ${clientUid} and event_uid = ${eventUid} and place_uid = t.place_uid and active
        ${status ? sql`and status = ${status}` : sql``}
        ${after ? sql`and (sort_name, uid) > (${nameOf(clientUid, after)})` : sql``}
      order by sort_name, uid
      limit ${limit + offset}
    ) e
    order by e.sort_name, e.uid
    limit ${limit} offset ${offset}`.execute(db)
  return rows.map(({ uid }) => uid)
}

export interface PeopleFilter {
  assist: boolean
  visitor: boolean
  refused: boolean
  message: 'unread' | 'no reply' | null
  search: Search | null
}
/** Words of a name, a pattern of a number, and places: a text that occurs in the name of a place finds all people of it. */
export interface Search {
  name: string
  phone: string | null
  placeUids: readonly PlaceUid[]
}

/** Counts of the people who pass the filter, and a page of them. The cost grows with the number who pass. */
export async function filterPlaces(
  db: Db,
  { clientUid, eventUid, placeUids }: Places,
  { assist, visitor, refused, message, search }: PeopleFilter,
  status: SafetyStatus | null,
  { after, offset, limit }: Window,
): Promise<StatusCounts & { uids: EvacueeUid[] }> {
  const { rows } = await sql<StatusCounts & { uids: EvacueeUid[] }>`
    with passing as materialized (
      select e.uid, e.sort_name, e.status
      from ${search ? found(clientUid, eventUid, search) : assist ? planned(clientUid, eventUid) : sql`evacuee`} e
      where e.client_uid = ${clientUid} and e.event_uid = ${eventUid} and e.active
        and e.place_uid = any (${placeUids}::uuid[])
        ${visitor ? sql`and e.visitor` : sql``}
        ${refused ? sql`and e.refused` : sql``}
        ${assist && search ? sql`and e.person_uid in (${withPlan(clientUid)})` : sql``}
        ${message ? sql`and e.uid in (${message === 'unread' ? unread(clientUid, eventUid) : unanswered(clientUid, eventUid)})` : sql``}
    )
    select ${countsByStatus},
      array(
        select uid from passing
        where ${status ? sql`status = ${status}` : sql`true`}
          ${after ? sql`and (sort_name, uid) > (${nameOf(clientUid, after)})` : sql``}
        order by sort_name, uid limit ${limit} offset ${offset}
      ) as uids
    from passing`.execute(db)
  return rows[0] ?? { ...nobodyCounted, uids: [] }
}

/** People with an incoming message that no warden has read. */
const unread = (clientUid: ClientUid, eventUid: EventUid) => sql`
  select evacuee_uid from message where client_uid = ${clientUid} and event_uid = ${eventUid}
    and evacuee_uid is not null and direction = 'in' and read_at is null`

/** People whose last message is outgoing. */
const unanswered = (clientUid: ClientUid, eventUid: EventUid) => sql`
  select evacuee_uid from (
    select distinct on (evacuee_uid) evacuee_uid, direction from message
    where client_uid = ${clientUid} and event_uid = ${eventUid} and evacuee_uid is not null
    order by evacuee_uid, seq desc
  ) last where direction = 'out'`

const found = (clientUid: ClientUid, eventUid: EventUid, { name, phone, placeUids }: Search) => {
  const names = namePatterns(name)
  const byIndex = names !== null && isIndexed(names)
  const inEvent = sql`select * from evacuee where client_uid = ${clientUid} and event_uid = ${eventUid}`
  const inPlace = sql`place_uid = any (${placeUids}::uuid[])`
  const read = byIndex ? inPlace : sql`(${isNamed(nameInEvent, name)} or ${inPlace})`
  if (!phone && !byIndex) return sql`(${inEvent} and ${read})`
  const people = sql`people_named(${clientUid}, ${byIndex ? names : null}::text[], ${phone})`
  return sql`(
    select e.* from ${eachInEvent(clientUid, eventUid, people)}
    ${placeUids.length > 0 || !byIndex ? sql`union ${inEvent} and ${read}` : sql``}
  )`
}

const withPlan = (clientUid: ClientUid) => sql`select person_uid from peep where client_uid = ${clientUid} and active`
const planned = (clientUid: ClientUid, eventUid: EventUid) =>
  sql`(select e.* from ${eachInEvent(clientUid, eventUid, sql`(${withPlan(clientUid)})`)})`

/**
 * A page of a place: people with a PEEP first, each part by name. The first part reads the few PEEPs, the second walks
 * the index.
 */
export async function listPeepsFirst(
  db: Db,
  place: EventPlace,
  { after, offset, limit }: Window,
): Promise<EvacueeUid[]> {
  const { clientUid, eventUid, placeUid } = place
  const planned = (client: unknown, person: unknown) => sql`
    exists (select from peep pe where pe.client_uid = ${client} and pe.person_uid = ${person} and pe.active)`
  const { rows } = await sql<{ uid: EvacueeUid }>`
    with start as (
      select s.sort_name, s.uid, ${planned(sql`s.client_uid`, sql`s.person_uid`)} as has_plan
      from evacuee s where s.client_uid = ${clientUid} and s.uid = ${after}::uuid
    )
    select uid from (
      (select e.uid, e.sort_name, 1 as part from ${plannedAt(place)} e
        ${after ? sql`where (select has_plan from start) and (e.sort_name, e.uid) > (select sort_name, uid from start)` : sql``}
        order by e.sort_name, e.uid limit ${limit + offset})
      union all
      (select e.uid, e.sort_name, 2 as part from evacuee e
        where e.client_uid = ${clientUid} and e.event_uid = ${eventUid} and e.place_uid = ${placeUid} and e.active
          and not ${planned(sql`e.client_uid`, sql`e.person_uid`)}
        ${after ? sql`and ((select has_plan from start) or (e.sort_name, e.uid) > (select sort_name, uid from start))` : sql``}
        order by e.sort_name, e.uid limit ${limit + offset})
    ) both_parts
    order by part, sort_name, uid
    limit ${limit} offset ${offset}`.execute(db)
  return rows.map(({ uid }) => uid)
}

/** Where a page of the order of attention begins. `rank` is the part of the row. */
export interface AttentionKey {
  rank: number
  uid: EvacueeUid
}
const hasPlan = sql`
  exists (select from peep pe where pe.client_uid = e.client_uid and pe.person_uid = e.person_uid and pe.active)`

/** The parts of the order of attention. A part's index is the rank of its people. */
const attentionParts: readonly { status: SafetyStatus; planned?: true; belongs: RawBuilder<unknown> }[] = [
  { status: 'danger', belongs: sql`true` },
  { status: 'unknown', planned: true, belongs: sql`not e.refused` },
  { status: 'unknown', belongs: sql`not e.refused and not ${hasPlan}` },
  { status: 'unknown', belongs: sql`e.refused` },
  { status: 'safe', belongs: sql`true` },
]

const peopleOf = ({ clientUid, eventUid, placeUid }: EventPlace) => sql`(
  select * from evacuee
  where client_uid = ${clientUid} and event_uid = ${eventUid} and place_uid = ${placeUid} and active)`

/**
 * A page of a floor in the order of attention, each part by name. Those in danger and the safe come from the
 * index of their status. The parts of the unknown walk the index of names, past who is meant by another part.
 */
export async function listByAttention(
  db: Db,
  floor: EventPlace,
  { status, assist }: { status: SafetyStatus | null; assist: boolean },
  { after, offset, limit }: Window<AttentionKey>,
): Promise<(OccupantRow & AttentionKey)[]> {
  const parts = attentionParts.flatMap((part, rank) => {
    if ((status && part.status !== status) || (after && rank < after.rank)) return []
    return sql`(
      select e.uid, e.sort_name, ${sql.lit(rank)} as rank
      from ${assist || part.planned ? plannedAt(floor) : peopleOf(floor)} e
      where e.status = ${sql.lit(part.status)} and ${part.belongs}
        ${after?.rank === rank ? sql`and (e.sort_name, e.uid) > (${nameOf(floor.clientUid, after.uid)})` : sql``}
      order by e.sort_name, e.uid limit ${sql.lit(limit + offset)})`
  })
  if (parts.length === 0) return []
  // as many texts as there are choices: each is planned once for a connection, which takes longer than reading
  const name = `attention_${status ?? 'all'}_${assist ? 'plans' : 'people'}_${after?.rank ?? 'start'}`
  const { rows } = await sql<OccupantRow & AttentionKey>`${offset === 0 ? prepared(name) : sql``}
    select ${occupantColumns}, true as is_here, wanted.rank
    from (
      select uid, rank from (${sql.join(parts, sql` union all `)}) parts
      order by rank, sort_name, uid
      limit ${sql.lit(limit)} offset ${sql.lit(offset)}
    ) wanted
    join evacuee e on e.client_uid = ${floor.clientUid} and e.uid = wanted.uid
    ${occupantJoins}
    order by wanted.rank, e.sort_name, e.uid`.execute(db)
  return rows
}

/** People of the floor with an active PEEP, all or those with a status. */
export async function countPlanned(db: Db, floor: EventPlace, status: SafetyStatus | null): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${plannedAt(floor)} e
    where ${status ? sql`e.status = ${status}` : sql`true`}`.execute(db)
  return rows[0]?.count ?? 0
}

/** These rows with the columns that wardens see, in the given order. */
export const listOccupantRows = (db: Db, clientUid: ClientUid, uids: readonly EvacueeUid[]): Promise<OccupantRow[]> =>
  listRows(db, prepared('occupant_rows'), clientUid, uids)

/** The same for those that are on the floor. Others are left out. */
export const listOnFloor = (db: Db, { clientUid, eventUid, placeUid }: EventPlace, uids: readonly string[]) =>
  listRows(
    db,
    prepared('rows_on_floor'),
    clientUid,
    uids,
    sql`and e.event_uid = ${eventUid} and e.place_uid = ${placeUid} and e.active`,
  )

async function listRows(
  db: Db,
  name: RawBuilder<unknown>,
  clientUid: ClientUid,
  uids: readonly string[],
  where = sql``,
): Promise<OccupantRow[]> {
  const { rows } = await sql<OccupantRow>`${name}
    select ${occupantColumns}, true as is_here
    from unnest(${uids}::uuid[]) with ordinality as wanted (uid, n)
    join evacuee e on e.client_uid = ${clientUid} and e.uid = wanted.uid ${where}
    ${occupantJoins}
    order by wanted.n`.execute(db)
  return rows
}

/** Calls for help that no one has closed. */
export async function countOpenCalls(
  db: Db,
  { clientUid, eventUid }: { clientUid: ClientUid; eventUid: EventUid },
): Promise<number> {
  const { count } = await db
    .selectFrom('selfReport')
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('count'))
    .where('clientUid', '=', clientUid)
    .where('eventUid', '=', eventUid)
    .where('status', '=', 'help')
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow()
  return count
}
