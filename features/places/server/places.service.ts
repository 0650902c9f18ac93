import type { CallAnswer, CallInput } from '#kernel/route.ts'
import type { Administrator } from '#server/administrators/administrator.ts'
import { within } from '#server/administrators/reach.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { BuildingPlace, FloorPlace, listPlaces, SitePlace } from '../calls.ts'
import * as queries from './places.queries.ts'

/** Floors of a site that are read at once. Above, they are read building by building. */
export const mostFloors = 500

/** The sites within reach; of one site its buildings and floors. */
export async function presentPlaces(
  tx: Tx,
  administrator: Administrator,
  { site: siteUid, building }: CallInput<typeof listPlaces>['query'],
): Promise<CallAnswer<typeof listPlaces>> {
  const { clientUid } = administrator
  const all = await queries.listSites(tx, clientUid, within(administrator).site, siteUid)
  if (siteUid === undefined) {
    if (building !== undefined) throw new Refusal('invalid_request', undefined, ['site'])
    return { sites: all.map(presentSite), buildings: [], floors: [], by_building: false }
  }
  const [site] = all
  if (!site) throw new Refusal('not_found')
  const buildings = await queries.listBuildings(tx, clientUid, siteUid)
  if (building !== undefined && !buildings.some(({ uid }) => uid === building)) throw new Refusal('not_found')
  const byBuilding = site.floors > mostFloors
  const shown = byBuilding || building !== undefined ? buildings.filter(({ uid }) => uid === building) : buildings
  const floors = await queries.listFloors(
    tx,
    clientUid,
    shown.map(({ uid }) => uid),
  )
  return {
    sites: [presentSite(site)],
    buildings: buildings.map(presentBuilding),
    floors: floors.map(presentFloor),
    by_building: byBuilding,
  }
}

function presentSite({ retiredAt, eventUid, drillEveryDays, drillShifts, ...row }: queries.SiteRow): SitePlace {
  const drilling = { drill_every_days: drillEveryDays, drill_shifts: drillShifts }
  return { ...row, ...drilling, retired_at: retiredAt?.toISOString() ?? null, event: eventUid }
}

function presentBuilding({ retiredAt, ...row }: queries.BuildingRow): BuildingPlace {
  return { ...row, retired_at: retiredAt?.toISOString() ?? null }
}

function presentFloor({ retiredAt, buildingUid, ...row }: queries.FloorRow): FloorPlace {
  return { ...row, building: buildingUid, retired_at: retiredAt?.toISOString() ?? null }
}
