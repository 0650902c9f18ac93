import { sql } from 'kysely'
import { mostFloors } from '#features/places/server/places.service.ts'
import type { BuildingUid, ClientUid, SiteUid } from '#kernel/ids.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import type { Administrator } from '#server/administrators/administrator.ts'
import { within } from '#server/administrators/reach.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { CoverageFloor, getCoverage } from '../../calls/coming-days.ts'
import * as queries from './coming-days.queries.ts'

/** Days that stand above the table as buttons. */
const daysAhead = 14

/** Who has which floor of a site on a day. Over 500 floors: building by building. */
export async function presentCoverage(
  tx: Tx,
  administrator: Administrator,
  { site: siteUid, day: asked, building }: CallInput<typeof getCoverage>['query'],
): Promise<CallAnswer<typeof getCoverage>> {
  const { clientUid } = administrator
  const site = await queries.findCoveredSite(tx, clientUid, siteUid, within(administrator).site)
  if (!site) throw new Refusal('not_found')
  const day = asked ?? site.today
  const buildings = await queries.listBuildings(tx, clientUid, siteUid)
  if (building !== undefined && !buildings.some(({ uid }) => uid === building)) throw new Refusal('not_found')
  const byBuilding = site.floors > mostFloors
  const first = building ?? (byBuilding ? buildings[0]?.uid : undefined)
  const shown = buildings.map(({ uid }) => uid).filter((uid) => first === undefined || uid === first)
  const { floors, days } = await coverageOfDay(tx, clientUid, {
    siteUid,
    today: site.today,
    day,
    days: daysAhead,
    buildingUids: shown,
  })
  return {
    site: { uid: site.uid, name: site.name },
    day,
    days,
    wardens: await queries.listWideWardens(tx, clientUid, { siteUid, day }),
    roles: await queries.listFloorRoles(tx, clientUid, siteUid, day),
    buildings,
    floors: floors.map(
      ({ uid, buildingUid, name, cells }): CoverageFloor => ({
        uid,
        building: buildingUid,
        name,
        cells: cells.map(({ roleUid, accepted, offered }) => ({ role: roleUid, accepted, offered })),
      }),
    ),
    by_building: byBuilding,
  }
}

interface CoverageWanted {
  siteUid: SiteUid
  today: string
  day: string
  /** How many days are counted, today the first. */
  days: number
  buildingUids: readonly BuildingUid[]
}

/** Floors in use with who has them on a day, and how many of them no one has on each of the next days. */
export async function coverageOfDay(
  tx: Tx,
  clientUid: ClientUid,
  { siteUid, today, day, days, buildingUids }: CoverageWanted,
) {
  const rows = await queries.listFloors(tx, clientUid, buildingUids)
  const floorUids = rows.map(({ uid }) => uid)
  const cells = Map.groupBy(
    await queries.listCells(tx, clientUid, { siteUid, day, floorUids }),
    ({ floorUid }) => floorUid,
  )
  return {
    floors: rows.map((floor) => ({ ...floor, cells: cells.get(floor.uid) ?? [] })),
    days: await queries.countUncovered(tx, clientUid, { siteUid, from: today, days, floorUids }),
  }
}

/** A site in use, with its buildings in use and today's date there. Undefined for any other. */
export async function findSiteWithBuildings(tx: Tx, clientUid: ClientUid, siteUid: SiteUid) {
  const site = await queries.findCoveredSite(tx, clientUid, siteUid, sql<boolean>`true`)
  return site && { ...site, buildings: await queries.listBuildings(tx, clientUid, siteUid) }
}

/** Floors within reach that no one has accepted for today. */
export const countUncoveredToday = (tx: Tx, administrator: Administrator) =>
  queries.countUncoveredToday(tx, administrator.clientUid, within(administrator))
