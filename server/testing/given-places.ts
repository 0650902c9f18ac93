import type { BuildingUid, ClientUid, EventTypeUid, FloorStatusUid, FloorUid, SiteUid } from '#kernel/ids.ts'
import type { Db } from '../platform/db/db.ts'

/** Where someone can be warden or occupant. */
export interface Place {
  clientUid: ClientUid
  siteUid: SiteUid
  siteName: string
  buildingUid: BuildingUid
  /** The first of `floors`. */
  floorUid: FloorUid
  floors: readonly [FloorUid, ...FloorUid[]]
}
export interface Organisation extends Place {
  name: string
  /** Ground, Level 1, Level 2 of Tower A. */
  floors: readonly [FloorUid, FloorUid, FloorUid]
  otherBuildingUid: BuildingUid
  otherFloorUid: FloorUid
  eventTypeUid: EventTypeUid
  otherEventTypeUid: EventTypeUid
  /** Not Started, Evacuating, and one that is out of use. */
  statusUids: readonly [FloorStatusUid, FloorStatusUid, FloorStatusUid]
}

/** Builders of organisations and places. */
export function placesGiven(db: Db, next: () => number) {
  /** A client with one site of two buildings: 'Tower A' (Ground, Level 1, Level 2) and 'Tower B' (Ground). */
  async function organisation(over: { name?: string; siteName?: string; smsAllowed?: boolean } = {}) {
    const n = next()
    const name = over.name ?? `Organisation ${n}`
    const client = await db
      .insertInto('client')
      .values({ code: `c${n}`, name, smsAllowed: over.smsAllowed ?? true })
      .returning('uid')
      .executeTakeFirstOrThrow()
    const clientUid = client.uid as ClientUid
    const home = await site({ clientUid }, { name: over.siteName ?? `Site ${n}` })
    const towerB = await building(home, { name: 'Tower B', floorNames: ['Ground'] })
    const organisation: Organisation = {
      ...home,
      floors: home.floors as unknown as Organisation['floors'],
      name,
      otherBuildingUid: towerB.buildingUid,
      otherFloorUid: towerB.floorUid,
      statusUids: await insertFloorStatuses(db, clientUid),
      ...(await insertEventTypes(db, clientUid)),
    }
    return organisation
  }

  /** Another site of the client, with one building of two floors unless said otherwise. */
  async function site(
    { clientUid }: { clientUid: ClientUid },
    over: { name?: string; buildingName?: string; floorNames?: string[]; timezone?: string } = {},
  ): Promise<Place> {
    const name = over.name ?? `Site ${next()}`
    const { uid } = await db
      .insertInto('site')
      .values({ clientUid, code: `S${next()}`, name, timezone: over.timezone ?? 'Australia/Sydney' })
      .returning('uid')
      .executeTakeFirstOrThrow()
    const siteUid = uid as SiteUid
    const first = await building(
      { clientUid, siteUid },
      { name: over.buildingName ?? 'Tower A', floorNames: over.floorNames ?? ['Ground', 'Level 1', 'Level 2'] },
    )
    return { clientUid, siteUid, siteName: name, ...first }
  }

  async function building(
    { clientUid, siteUid }: { clientUid: ClientUid; siteUid: SiteUid },
    { name, floorNames }: { name: string; floorNames: string[] },
  ) {
    const { uid } = await db
      .insertInto('building')
      .values({ clientUid, siteUid, code: `B${next()}`, name })
      .returning('uid')
      .executeTakeFirstOrThrow()
    const buildingUid = uid as BuildingUid
    const floors: FloorUid[] = []
    for (const [level, floorName] of floorNames.entries())
      floors.push(await floor({ clientUid, buildingUid }, floorName, level))
    return { buildingUid, floorUid: floors[0] as FloorUid, floors: floors as [FloorUid, ...FloorUid[]] }
  }

  async function floor(of: { clientUid: ClientUid; buildingUid: BuildingUid }, name: string, level: number) {
    const { uid } = await db
      .insertInto('floor')
      .values({ clientUid: of.clientUid, buildingUid: of.buildingUid, code: `F${next()}`, name, level })
      .returning('uid')
      .executeTakeFirstOrThrow()
    return uid as FloorUid
  }

  return { organisation, site, building, floor }
}

async function insertFloorStatuses(db: Db, clientUid: ClientUid) {
  const rows = await db
    .insertInto('floorStatus')
    .values([
      { clientUid, code: 'NS', name: 'Not Started', colour: 'grey', displayOrder: 1 },
      { clientUid, code: 'EV', name: 'Evacuating', colour: 'yellow', displayOrder: 2 },
      { clientUid, code: 'OLD', name: 'Retired word', colour: 'grey', displayOrder: 9, inUse: false },
    ])
    .returning('uid')
    .execute()
  return rows.map(({ uid }) => uid) as unknown as Organisation['statusUids']
}

async function insertEventTypes(db: Db, clientUid: ClientUid) {
  const [fire, gas] = await db
    .insertInto('eventType')
    .values([
      { clientUid, code: 'FIRE', type: 'Fire', description: 'Fire or smoke', message: 'Evacuate now.' },
      { clientUid, code: 'GAS', type: 'Gas Leak', description: 'Gas', message: 'Leave the building.' },
    ])
    .returning('uid')
    .execute()
  return { eventTypeUid: fire?.uid as EventTypeUid, otherEventTypeUid: gas?.uid as EventTypeUid }
}
