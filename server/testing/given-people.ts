import { sql } from 'kysely'
import type { ClientUid, FloorUid, PersonUid } from '#kernel/ids.ts'
import type { Db } from '../platform/db/db.ts'
import type { Place } from './given-places.ts'

export function occupantsGiven(db: Db, next: () => number) {
  /** Staff of a floor; answers their person uids in the order of their names. */
  async function occupants(
    at: Place,
    count: number,
    over: { floorUid?: FloorUid; prefix?: string } = {},
  ): Promise<PersonUid[]> {
    const n = next()
    const { rows } = await sql<{ uid: PersonUid }>`
      with made as (
        insert into person (client_uid, code, first_name, last_name, mobile, primary_floor_uid)
        select ${at.clientUid}, ${`O${n}-`} || i, ${over.prefix ?? 'Occupant'}, lpad(i::text, 4, '0'),
          '6147' || lpad((${n} * 10000 + i)::text, 7, '0'), ${over.floorUid ?? at.floorUid}
        from generate_series(1, ${count}::int) i
        returning uid, last_name
      )
      select uid from made order by last_name`.execute(db)
    return rows.map(({ uid }) => uid)
  }

  /** One member of staff by name. */
  async function occupant(
    at: Place,
    over: { firstName?: string; lastName?: string; floorUid?: FloorUid; mobile?: string | null; active?: boolean } = {},
  ): Promise<PersonUid> {
    const n = next()
    const { uid } = await db
      .insertInto('person')
      .values({
        clientUid: at.clientUid,
        code: `O${n}`,
        firstName: over.firstName ?? 'Occupant',
        lastName: over.lastName ?? String(n).padStart(4, '0'),
        mobile: over.mobile === undefined ? `6148${String(n).padStart(7, '0')}` : over.mobile,
        primaryFloorUid: over.floorUid ?? at.floorUid,
        active: over.active ?? true,
      })
      .returning('uid')
      .executeTakeFirstOrThrow()
    return uid as PersonUid
  }

  return { occupants, occupant }
}

/** Builders of visitors, and of the PEEP of a person. */
export function visitorsGiven(db: Db, next: () => number) {
  /** A visitor of today; with `floorUid: null` known to be in the building only. */
  async function visitor(
    at: Place,
    over: { floorUid?: FloorUid | null; firstName?: string; visitDate?: string } = {},
  ): Promise<PersonUid> {
    const n = next()
    const floorUid = over.floorUid === undefined ? at.floorUid : over.floorUid
    const { uid } = await db
      .insertInto('person')
      .values({
        clientUid: at.clientUid,
        code: `V${n}`,
        firstName: over.firstName ?? 'Visitor',
        lastName: String(n),
        kind: 'visitor',
        visitDate: over.visitDate ?? sql<string>`(now() at time zone 'Australia/Sydney')::date`,
        primaryFloorUid: floorUid,
        visitingBuildingUid: floorUid ? null : at.buildingUid,
      })
      .returning('uid')
      .executeTakeFirstOrThrow()
    return uid as PersonUid
  }

  async function peep(at: { clientUid: ClientUid }, personUid: PersonUid): Promise<void> {
    await db
      .insertInto('peep')
      .values({
        clientUid: at.clientUid,
        personUid,
        disability: 'Uses a wheelchair',
        assistance: 'Evacuation chair',
        other: 'Two helpers',
        summary: 'Wheelchair',
      })
      .execute()
  }

  return { visitor, peep }
}
