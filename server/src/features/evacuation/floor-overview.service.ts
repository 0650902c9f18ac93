import type { FloorOverview, PeepsPage } from '@evac/contract/floor-overview.ts'
import type { BuildingUid } from '@evac/contract/ids.ts'
import type { Db } from '../../platform/db/db.ts'
import { Refusal } from '../../platform/errors.ts'
import type { DutyActor } from '../../wardens/actor.ts'
import { findEventName, findTally, listEventFloors, listFloorStatuses } from './evacuation.queries.ts'
import { presentFloor, presentFloorStatuses } from './evacuation.service.ts'
import { placesOf } from './event-places.service.ts'
import { listTallies, type PlaceCount } from './floor-overview.queries.ts'
import { listPeepsFirst } from './people.queries.ts'
import { findPeople, nameOnly, noSieve, type PageWish, presentPeople, windowOf } from './people.service.ts'

/** FES-01, FES-07, AMB-116: the floors of the event, or of one of its buildings. */
export async function floorOverview(
  db: Db,
  actor: DutyActor,
  selected: BuildingUid | undefined,
): Promise<FloorOverview> {
  const all = await listEventFloors(db, actor.event.uid)
  const event = await findEventName(db, actor.event.uid)
  const statuses = await listFloorStatuses(db)
  const counts = new Map((await listTallies(db, actor.clientUid, actor.event.uid)).map((row) => [row.placeUid, row]))
  const buildings = new Map(all.map(({ buildingUid, buildingName }) => [buildingUid, buildingName]))
  if (selected && !buildings.has(selected)) throw new Refusal('not_found')
  const isShown = (buildingUid: BuildingUid) => !selected || buildingUid === selected
  return {
    event: { id: event.uid, type: event.type, description: event.description },
    buildings: [...buildings].map(([id, name]) => ({ id, name, selected: id === selected })),
    floor_status: presentFloorStatuses(statuses, all),
    floors: all
      .filter(({ floorUid, buildingUid }) => floorUid !== null && isShown(buildingUid))
      .map((row) => ({ ...presentFloor(row), ...presentCount(counts.get(row.floorUid ?? '')) })),
    without_floor: [...buildings]
      .filter(([id]) => isShown(id))
      .map(([id, name]) => ({ building: { id, name }, ...presentCount(counts.get(id)) }))
      .filter(({ stats }) => stats.total > 0),
  } as FloorOverview
}

function presentCount(count: PlaceCount | undefined) {
  const { safe, unknown, danger, refusals } = count ?? { safe: 0, unknown: 0, danger: 0, refusals: 0 }
  return { stats: { safe, unknown, danger, total: safe + unknown + danger }, refusals }
}

/** FES-02, API-46. */
export async function floorPeople(db: Db, actor: DutyActor, floorUid: string, wish: PageWish): Promise<PeepsPage> {
  const { clientUid, event } = actor
  const floors = await listEventFloors(db, event.uid)
  if (!floors.some((row) => row.floorUid === floorUid)) throw new Refusal('not_found')
  const tally = await findTally(db, event.uid, floorUid)
  const uids = await listPeepsFirst(db, { clientUid, eventUid: event.uid, floorUid }, windowOf(wish))
  const { people, pagination } = await presentPeople(db, clientUid, uids, {
    page: wish.page,
    total: tally ? tally.safe + tally.unknown + tally.danger : 0,
    path: `/api/floor/evacuation/warden/floor/${floorUid}`,
  })
  return { peeps: people, pagination }
}

/** FES-03, API-47: through every building of the event. */
export async function searchEvent(db: Db, actor: DutyActor, text: string, wish: PageWish): Promise<PeepsPage> {
  const all = await listEventFloors(db, actor.event.uid)
  const search = text.trim() ? nameOnly(text.trim()) : null
  const { people, pagination } = await findPeople(
    db,
    actor,
    { ...wish, placeUids: placesOf(all, all), status: null, sieve: { ...noSieve, search } },
    `/api/floor/evacuation/warden/search/${encodeURIComponent(text)}`,
  )
  return { peeps: people, pagination }
}
