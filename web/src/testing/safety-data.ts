import type { Occupant } from '@evac/contract/calls/evacuation.ts'
import {
  type EvacueesPage,
  type FilterSet,
  filterEvacuees,
  getSafetyData,
  listAreaFloors,
  type SafetyBuilding,
  type SafetyData,
  setEvacueeStatus,
} from '@evac/contract/calls/safety.ts'
import { defaultFilters } from '@evac/contract/choices.ts'
import type { BuildingUid, FloorStatusUid, FloorUid } from '@evac/contract/ids.ts'
import { eachStatus, readSafetyStatus, withTotal } from '@evac/contract/vocabulary.ts'
import type { FakeServer } from './fake-server.ts'

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

const pageSize = 20

interface OwnArea {
  /** Floors of the warden's own area. */
  own?: readonly FloorUid[]
}

/** A server that knows these people, filters them by display, search and page, and takes records about them. */
export function serveSafety(server: FakeServer, people: Occupant[], given: Partial<SafetyData> & OwnArea = {}) {
  const { own = [ownFloor], ...overrides } = given
  const known = [...people]
  const pageOf = ({ display, search }: FilterSet, page: number): EvacueesPage => {
    const matching = known.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))
    const shown = matching.filter(({ status }) => display === 'all' || status === display)
    const from = (page - 1) * pageSize
    const count = (status: Occupant['status']) => matching.filter((one) => one.status === status).length
    return {
      evacuees: shown.slice(from, from + pageSize),
      pagination: {
        next_page_url: shown.length > from + pageSize ? `${filterEvacuees.path}?page=${page + 1}` : null,
        total: shown.length,
        from: shown.length ? from + 1 : 0,
        current_page: page,
        total_pages: Math.ceil(shown.length / pageSize),
      },
      filterCounts: withTotal(eachStatus(count)),
      ...(shown.length === 0 && { error: 'no_evacuees' }),
    }
  }
  server.answer(getSafetyData, () => ({
    ...pageOf(defaultFilters, 1),
    buildings: siteBuildings,
    sms_allowed: true,
    ...overrides,
  }))
  server.answer(filterEvacuees, ({ input: { body, query } }) => pageOf(body, Number(query.page ?? 1)))
  server.answer(listAreaFloors, {
    floors: siteBuildings.map(({ id, name, floors }) => ({
      buildingId: id,
      name,
      floors: floors
        .filter((floor) => own.includes(floor.id))
        .map((floor) => ({ ...floor, status: uid(800) as FloorStatusUid })),
    })),
    floorsTotal: own.length,
  })
  server.answer(setEvacueeStatus, ({ input: { body } }) => {
    const { status = 'unknown', onFloor = false } = readSafetyStatus(body.status) ?? {}
    const at = known.findIndex(({ id }) => id === body.evacueeId)
    const before = known[at]
    if (before) known[at] = { ...before, status, on_floor: onFloor }
    const person = { id: body.evacueeId, status, on_floor: onFloor }
    return { status: 'success' as const, evacueeId: body.evacueeId, newStatus: status, person, superseded: false }
  })
  return {
    change: (id: Occupant['id'], patch: Partial<Occupant>) => {
      const at = known.findIndex((person) => person.id === id)
      const before = known[at]
      if (before) known[at] = { ...before, ...patch }
    },
  }
}
