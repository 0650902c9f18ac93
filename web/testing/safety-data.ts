import type { Occupant } from '#features/evacuation/calls/evacuation.ts'
import {
  type EvacueesPage,
  type FilterSet,
  filterEvacuees,
  getSafetyData,
  listAreaFloors,
  type SafetyBuilding,
  type SafetyData,
  setEvacueeStatus,
} from '#features/evacuation/calls/safety.ts'
import type { BuildingUid, FloorStatusUid, FloorUid } from '#kernel/ids.ts'
import { defaultFilters } from '#kernel/kinds.ts'
import { eachStatus, withTotal } from '#kernel/vocabulary.ts'
import type { FakeServer } from './fake-server.ts'
import { knownPeople, pageOf } from './known-people.ts'

const uid = (n: number) => `00000000-0000-4000-8000-00000000e${String(n).padStart(3, '0')}`
export const floorId = (n: number) => uid(n) as FloorUid
const building = (n: number, name: string, floors: number[]): SafetyBuilding => ({
  id: uid(900 + n) as BuildingUid,
  name,
  floors: floors.map((floor) => ({ id: floorId(floor), name: `Level ${floor}` })),
})
/** Tower A with Level 1 and Level 2, Tower B with Level 3. */
export const siteBuildings = [building(1, 'Tower A', [1, 2]), building(2, 'Tower B', [3])]
/** The warden's own floor. */
export const ownFloor = floorId(1)

interface OwnArea {
  /** Floors of the warden's own area. */
  own?: readonly FloorUid[]
}

/** A server that knows these people, filters them by display, search and page, and takes records about them. */
export function serveSafety(server: FakeServer, people: Occupant[], given: Partial<SafetyData> & OwnArea = {}) {
  const { own = [ownFloor], ...overrides } = given
  const known = knownPeople(people)
  const evacueesPage = ({ display, search }: FilterSet, page: number): EvacueesPage => {
    const matching = known.named(search)
    const shown = matching.filter(({ status }) => display === 'all' || status === display)
    const { rows, pagination } = pageOf(shown, page, (next) => `${filterEvacuees.path}?page=${next}`)
    const count = (status: Occupant['status']) => matching.filter((one) => one.status === status).length
    return {
      evacuees: rows,
      pagination,
      filterCounts: withTotal(eachStatus(count)),
      ...(shown.length === 0 && { error: 'no_evacuees' }),
    }
  }
  server.answer(getSafetyData, () => ({
    ...evacueesPage(defaultFilters, 1),
    buildings: siteBuildings,
    sms_allowed: true,
    ...overrides,
  }))
  server.answer(filterEvacuees, ({ input: { body, query } }) => evacueesPage(body, Number(query.page ?? 1)))
  server.answer(listAreaFloors, ({ input: { query } }) => {
    const isIn = ({ id }: { id: FloorUid }) => query.area !== 'my area' || own.includes(id)
    const buildings = siteBuildings.map(({ id, name, floors }) => ({
      buildingId: id,
      name,
      floors: floors.filter(isIn).map((floor) => ({ ...floor, status: uid(800) as FloorStatusUid })),
    }))
    const inArea = buildings.filter(({ floors }) => floors.length > 0)
    return { floors: inArea, floorsTotal: inArea.flatMap(({ floors }) => floors).length }
  })
  server.answer(setEvacueeStatus, ({ input: { body } }) => {
    const taken = known.record(body.evacueeId, body.status)
    return { ...taken, evacueeId: body.evacueeId, newStatus: taken.person.status }
  })
  return { change: known.change }
}
