import { noteListed, withPlanText } from '#features/peeps/server/access/peeps-in-lists.service.ts'
import type { BuildingUid, FloorUid } from '#kernel/ids.ts'
import { nobodyCounted, totalOf, withTotal } from '#kernel/vocabulary.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { DutyActor } from '#server/wardens/actor.ts'
import type { FloorOverview, PeepsPage } from '../calls/floor-overview.ts'
import { findEventName, listEventFloors, listFloorStatuses } from './evacuation.queries.ts'
import { presentFloor, presentFloorStatuses } from './evacuation.service.ts'
import { listPeepsFirst } from './event-people.queries.ts'
import { findPeople, nameOnly, noFilter, presentPeople } from './event-people.service.ts'
import { isFloor, placesOf } from './event-places.service.ts'
import { type PageRequest, windowOf } from './people-page.service.ts'
import { findTally, listTallies, type PlaceUid, type Tally } from './tally.queries.ts'

/** The floors of the event, or of one of its buildings. */
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
    event: { id: event.uid, ...event.name },
    buildings: [...buildings].map(([id, name]) => ({ id, name, selected: id === selected })),
    floor_status: presentFloorStatuses(statuses, all),
    floors: all
      .filter(isFloor)
      .filter(({ buildingUid }) => isShown(buildingUid))
      .map((row) => ({ ...presentFloor(row), ...presentCount(counts.get(row.floorUid)) })),
    without_floor: [...buildings]
      .filter(([id]) => isShown(id))
      .map(([id, name]) => ({ building: { id, name }, ...presentCount(counts.get(id)) }))
      .filter(({ stats }) => stats.total > 0),
  }
}

function presentCount(count: Tally | undefined) {
  return { stats: withTotal(count ?? nobodyCounted), refusals: count?.refusals ?? 0 }
}

export async function floorPeople(
  db: Tx,
  actor: DutyActor,
  floorUid: FloorUid,
  request: PageRequest,
): Promise<PeepsPage> {
  const floors = await listEventFloors(db, actor.event.uid)
  if (!floors.some((row) => row.floorUid === floorUid)) throw new Refusal('not_found')
  return placePage(db, actor, floorUid, { ...request, path: `/api/floor/evacuation/warden/floor/${floorUid}` })
}

export async function floorlessPeople(
  db: Tx,
  actor: DutyActor,
  buildingUid: BuildingUid,
  request: PageRequest,
): Promise<PeepsPage> {
  const floors = await listEventFloors(db, actor.event.uid)
  if (!floors.some((row) => row.buildingUid === buildingUid)) throw new Refusal('not_found')
  return placePage(db, actor, buildingUid, { ...request, path: `/api/floor/evacuation/warden/building/${buildingUid}` })
}

async function placePage(
  db: Tx,
  actor: DutyActor,
  placeUid: PlaceUid,
  request: PageRequest & { path: string },
): Promise<PeepsPage> {
  const { clientUid, event } = actor
  const tally = await findTally(db, event.uid, placeUid)
  const total = tally ? totalOf(tally) : 0
  const uids = await listPeepsFirst(db, { clientUid, eventUid: event.uid, placeUid }, windowOf(request))
  const { people, pagination } = await presentPeople(db, clientUid, uids, { ...request, total })
  await noteListed(db, actor, withPlanText(people))
  return { peeps: people, pagination }
}

/** Searches all buildings of the event. */
export async function searchEvent(db: Tx, actor: DutyActor, text: string, request: PageRequest): Promise<PeepsPage> {
  const all = await listEventFloors(db, actor.event.uid)
  const search = text.trim() ? nameOnly(text.trim()) : null
  const { people, pagination } = await findPeople(
    db,
    actor,
    { ...request, placeUids: placesOf(all, all), status: null, filter: { ...noFilter, search } },
    `/api/floor/evacuation/warden/search/${encodeURIComponent(text)}`,
  )
  return { peeps: people, pagination }
}
