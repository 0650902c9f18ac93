import type { FloorStatus, Occupant } from '#features/evacuation/calls/evacuation.ts'
import {
  type CountedFloor,
  type FloorOverview,
  getFloorOverview,
  listFloorlessPeople,
  listFloorPeople,
  type PeepsPage,
  searchEventPeople,
  setStatusOnFloor,
} from '#features/evacuation/calls/floor-overview.ts'
import type { BuildingUid, EventUid, FloorUid } from '#kernel/ids.ts'
import { nobodyCounted, withTotal } from '#kernel/vocabulary.ts'
import { type FakeServer, refused } from './fake-server.ts'
import { evacuated, level3, level4, notStarted, towerB } from './floor-data.ts'
import { knownPeople, pageOf } from './known-people.ts'

const uid = (n: number) => `00000000-0000-4000-8000-00000000d${String(n).padStart(3, '0')}`
export const towerA = { id: uid(1) as BuildingUid, name: 'Tower A' }
const groundB = uid(2) as FloorUid

type Stats = [safe: number, unknown: number, danger: number]
const floor = (
  id: FloorUid,
  name: string,
  at: { id: BuildingUid; name: string },
  status: FloorStatus,
  [safe, unknown, danger]: Stats,
  refusals = 0,
): CountedFloor => ({
  id,
  name,
  status: status.id,
  building: { ...at, buildingId: at.id },
  stats: withTotal({ ...nobodyCounted, safe, unknown, danger }),
  refusals,
})

/** Level 3 and Level 4 of Tower A, Ground of Tower B, and two visitors in Tower A on no floor. */
const overview = (building: BuildingUid | undefined, clear: Stats): FloorOverview => ({
  event: { id: uid(9) as EventUid, type: 'Fire', description: 'Fire or smoke' },
  buildings: [towerA, towerB].map((one) => ({ ...one, selected: one.id === building })),
  floor_status: [evacuated, notStarted],
  floors: [
    floor(level3, 'Level 3', towerA, notStarted, [4, 70, 1], 2),
    floor(level4, 'Level 4', towerA, evacuated, clear),
    floor(groundB, 'Ground', towerB, notStarted, [0, 3, 0]),
  ].filter((one) => !building || one.building.id === building),
  without_floor: [{ building: towerA, stats: withTotal({ ...nobodyCounted, unknown: 2 }), refusals: 0 }].filter(
    (one) => !building || one.building.id === building,
  ),
})

/** The same after a building has been taken out of the event. */
const left = (all: FloorOverview, gone: BuildingUid): FloorOverview => ({
  ...all,
  buildings: all.buildings.filter(({ id }) => id !== gone),
  floors: all.floors.filter(({ building }) => building.id !== gone),
  without_floor: all.without_floor.filter(({ building }) => building.id !== gone),
})

interface Overrides {
  without?: BuildingUid
  /** The people of Level 4, which is evacuated. */
  clear?: Stats
}

/** A server whose Level 3, or Tower A on no floor, holds these people, and which finds them by name. */
export function serveOverview(server: FakeServer, people: Occupant[], { without, clear = [12, 0, 0] }: Overrides = {}) {
  const known = knownPeople(people)
  const peepsPage = (found: readonly Occupant[], page: number, path: string): PeepsPage => {
    const { rows, pagination } = pageOf(found, page, (next) => `${path}?page=${next}`)
    return { peeps: rows, pagination }
  }
  server.answer(getFloorOverview, ({ input: { query } }) => {
    if (!without) return overview(query.building_id, clear)
    return query.building_id === without ? refused('not_found') : left(overview(query.building_id, clear), without)
  })
  server.answer(listFloorPeople, ({ input: { params, query } }) =>
    peepsPage(
      params.floorId === level3 ? known.all : [],
      Number(query.page ?? 1),
      listFloorPeople.path.replace(':floorId', params.floorId),
    ),
  )
  server.answer(listFloorlessPeople, ({ input: { params, query } }) =>
    peepsPage(
      params.buildingId === towerA.id ? known.all : [],
      Number(query.page ?? 1),
      listFloorlessPeople.path.replace(':buildingId', params.buildingId),
    ),
  )
  server.answer(searchEventPeople, ({ input: { params } }) =>
    peepsPage(known.named(decodeURIComponent(params.text)), 1, ''),
  )
  server.answer(setStatusOnFloor, ({ input: { body } }) => known.record(body.id, body.status))
}
