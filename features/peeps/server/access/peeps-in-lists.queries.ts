import { sql } from 'kysely'
import type { AssignmentUid, ClientUid, EventUid, FloorUid, PersonUid } from '#kernel/ids.ts'
import { prepared, type Tx } from '#server/platform/db/db.ts'
import { claimStands } from '#server/wardens/floor-coverage.ts'

export interface Listed {
  clientUid: ClientUid
  eventUid: EventUid
  readerUid: PersonUid
  assignmentUid: AssignmentUid
  people: readonly PersonUid[]
}

/** The floors that an assignment names, itself or by their building. */
export async function listOwnFloors(tx: Tx, clientUid: ClientUid, assignmentUid: AssignmentUid): Promise<FloorUid[]> {
  const { rows } = await sql<{ uid: FloorUid }>`${prepared('own_floors')}
    select floor_uid as uid from assignment_location
    where client_uid = ${clientUid} and assignment_uid = ${assignmentUid} and floor_uid is not null
    union
    select f.uid from assignment_location al join floor f on f.client_uid = al.client_uid and f.building_uid = al.building_uid
    where al.client_uid = ${clientUid} and al.assignment_uid = ${assignmentUid}`.execute(tx)
  return rows.map(({ uid }) => uid)
}

/**
 * Those of these people whose floor the assignment names neither itself nor by its building. One look by index for
 * each.
 */
export async function listBeyond(
  tx: Tx,
  { clientUid, eventUid, assignmentUid, people }: Omit<Listed, 'readerUid'>,
): Promise<PersonUid[]> {
  const { rows } = await sql<{ personUid: PersonUid }>`${prepared('listed_beyond')}
    select e.person_uid from evacuee e
    where e.client_uid = ${clientUid} and e.event_uid = ${eventUid} and e.person_uid = any (${people}::uuid[])
      and not exists (select from assignment_location al where al.client_uid = ${clientUid} and al.assignment_uid = ${assignmentUid}
        and (al.floor_uid = e.floor_uid or al.building_uid = e.building_uid))`.execute(tx)
  return rows.map(({ personUid }) => personUid)
}

/**
 * Enters those of these people whose place the reader has not claimed. Returns who had been entered before: not those
 * that this statement enters, because its transaction may yet fail. In the order of the people, so that two reads of one
 * warden never wait for each other.
 */
export async function enterListed(
  tx: Tx,
  { clientUid, eventUid, readerUid, people }: Omit<Listed, 'assignmentUid'>,
): Promise<PersonUid[]> {
  const { rows } = await sql<{ personUid: PersonUid }>`${prepared('enter_listed')}
    with seen as (
      select person_uid from plan_seen
      where client_uid = ${clientUid} and event_uid = ${eventUid} and reader_uid = ${readerUid}
        and person_uid = any (${people}::uuid[])
    ), entered as (
      insert into plan_seen (client_uid, event_uid, person_uid, reader_uid, way)
      select e.client_uid, e.event_uid, e.person_uid, ${readerUid}, 'list'
      from evacuee e
      where e.client_uid = ${clientUid} and e.event_uid = ${eventUid} and e.person_uid = any (${people}::uuid[])
        and e.person_uid not in (select person_uid from seen)
        and not exists (
          select from floor_claim fc
          join warden_sign_in si on si.client_uid = fc.client_uid and si.uid = fc.sign_in_uid and si.person_uid = ${readerUid}
          where fc.client_uid = ${clientUid} and fc.event_uid = ${eventUid} and fc.place_uid = e.place_uid and ${claimStands})
      order by e.person_uid
      on conflict do nothing
    )
    select person_uid from seen`.execute(tx)
  return rows.map(({ personUid }) => personUid)
}

interface Shown {
  clientUid: ClientUid
  eventUid: EventUid
  packUid: string
  readerUid: string
  people: readonly PersonUid[]
}

/** Plans that an arrival pack has shown to one of its readers. */
export async function enterShown(tx: Tx, { people, ...shown }: Shown): Promise<void> {
  await tx
    .insertInto('planSeen')
    .values([...new Set(people)].toSorted().map((personUid) => ({ ...shown, personUid, way: 'pack' })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
