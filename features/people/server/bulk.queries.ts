import { sql } from 'kysely'
import type { ClientUid, GroupUid, PersonUid, PlaceUid } from '#kernel/ids.ts'
import type { Within } from '#server/administrators/reach.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { atPlace } from './people.queries.ts'

/** Those of these people who are in use. */
export async function listActive(tx: Tx, clientUid: ClientUid, people: readonly PersonUid[]): Promise<PersonUid[]> {
  const { rows } = await sql<{ uid: PersonUid }>`
    select uid from person
    where client_uid = ${clientUid} and uid = any (${people as PersonUid[]}::uuid[]) and active order by uid`.execute(
    tx,
  )
  return rows.map(({ uid }) => uid)
}

export async function countActive(tx: Tx, clientUid: ClientUid): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from person where client_uid = ${clientUid} and active`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Those of these people who are members of the group. */
export async function listMembers(tx: Tx, clientUid: ClientUid, groupUid: GroupUid, people: readonly PersonUid[]) {
  const { rows } = await sql<{ personUid: PersonUid }>`
    select person_uid from people_group_member
    where client_uid = ${clientUid} and group_uid = ${groupUid} and person_uid = any (${people as PersonUid[]}::uuid[])`.execute(
    tx,
  )
  return rows.map(({ personUid }) => personUid)
}

export async function isPlace(tx: Tx, clientUid: ClientUid, isWithin: Within, place: PlaceUid): Promise<boolean> {
  const { rows } = await sql`
    select from building b where b.client_uid = ${clientUid} and ${isWithin.building} and (${place}::uuid in (b.uid, b.site_uid)
      or exists (select from floor f where f.client_uid = b.client_uid and f.building_uid = b.uid and f.uid = ${place}))
    limit 1`.execute(tx)
  return rows.length === 1
}

interface Move {
  at: PlaceUid
  butAt: PlaceUid
}

/** Active people at a place within reach, visitors from today on, without those who are at `butAt` already. */
const toMove = (clientUid: ClientUid, isWithin: Within, { at, butAt }: Move) => sql`
    person p where p.client_uid = ${clientUid} and p.active and (p.kind = 'staff' or p.visit_date >= current_date - 1)
      and ${atPlace(clientUid, at)} and ${isWithin.person}
      and coalesce(p.primary_floor_uid, p.visiting_building_uid) is distinct from ${butAt}::uuid`

export async function countToMove(tx: Tx, clientUid: ClientUid, isWithin: Within, move: Move): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${toMove(clientUid, isWithin, move)}`.execute(tx)
  return rows[0]?.count ?? 0
}

/** The first `most` of them. */
export async function listToMove(
  tx: Tx,
  clientUid: ClientUid,
  isWithin: Within,
  move: Move,
  most: number,
): Promise<PersonUid[]> {
  const { rows } = await sql<{ uid: PersonUid }>`
    select p.uid from ${toMove(clientUid, isWithin, move)} order by p.uid limit ${most}`.execute(tx)
  return rows.map(({ uid }) => uid)
}
