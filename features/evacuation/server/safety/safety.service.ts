import { type Area, defaultFilters } from '#kernel/kinds.ts'
import { listLimits } from '#kernel/limits.ts'
import { nobodyCounted, withTotal } from '#kernel/vocabulary.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { DutyActor } from '#server/wardens/actor.ts'
import { type EvacueesPage, type FilterSet, filterEvacuees, type SafetyData } from '../../calls/safety.ts'
import { findAll, findPeople, searchFor, type Wanted } from '../event-people.service.ts'
import { type EventPlaces, eventPlaces, isFloor, placesOf } from '../event-places.service.ts'
import { firstPage, type PageRequest } from '../people-page.service.ts'
import type { StatusReply } from '../person-status.service.ts'

/** The default filters and the buildings to choose from. */
export async function safetyData(db: Tx, actor: DutyActor): Promise<SafetyData> {
  const places = await eventPlaces(db, actor)
  const page = await pageOf(db, actor, places, defaultFilters, firstPage)
  const buildings = byBuilding(places.all).map(({ id, name, floors }) => ({
    id,
    name,
    floors: floors.map((floor) => ({ id: floor.floorUid, name: floor.floorName })),
  }))
  return { ...page, buildings, sms_allowed: actor.smsAllowed }
}

export async function evacueesPage(db: Tx, actor: DutyActor, filters: FilterSet, request: PageRequest) {
  const page = await pageOf(db, actor, await eventPlaces(db, actor), filters, request)
  // a further page may be empty because people have left since: that ends the list and does not mean "no one found"
  return page.evacuees.length === 0 && request.page === 1 ? { ...page, error: 'no_evacuees' as const } : page
}

async function pageOf(
  db: Tx,
  actor: DutyActor,
  places: EventPlaces,
  filters: FilterSet,
  request: PageRequest,
): Promise<EvacueesPage> {
  const { path } = filterEvacuees
  const { people, counts, pagination } = await findPeople(db, actor, { ...request, ...wantedBy(filters, places) }, path)
  return { evacuees: people, pagination, filterCounts: withTotal(counts) }
}

/** The rows of all people who pass the filters, as recipients of a group message. */
export async function matchedEvacuees(db: Db, actor: DutyActor, filters: FilterSet): Promise<string[]> {
  return findAll(db, actor, wantedBy(filters, await eventPlaces(db, actor)))
}

function wantedBy(filters: FilterSet, places: EventPlaces): Wanted {
  const text = filters.search.trim()
  return {
    placeUids: placesOf(floorsOf(filters, places), places.all),
    status: filters.display === 'all' ? null : filters.display,
    filter: {
      assist: filters.assist,
      visitor: filters.visitor,
      refused: filters.refusal,
      message: filters.message === 'show all' ? null : filters.message,
      search: text.length >= listLimits.evacueeSearchFrom ? searchFor(text, places.all) : null,
    },
  }
}

/** The own area or everything, restricted to the given floors. */
function floorsOf({ area, floors }: FilterSet, { all, own }: EventPlaces) {
  const within = area === 'my area' ? own : all
  const named = new Set<string | null>(floors)
  return named.has('all') ? within : within.filter(({ floorUid }) => named.has(floorUid))
}

/** 'building' is a choice among all floors, so it has the same reply as 'everyone'. */
export async function areaFloors(db: Db, actor: DutyActor, area: Area) {
  const { all, own } = await eventPlaces(db, actor)
  const floors = byBuilding(area === 'my area' ? own : all).map(({ id, name, floors }) => ({
    buildingId: id,
    name,
    floors: floors.map((floor) => ({ id: floor.floorUid, name: floor.floorName, status: floor.floorStatusUid })),
  }))
  return { floors, floorsTotal: floors.reduce((sum, building) => sum + building.floors.length, 0) }
}

function byBuilding(rows: EventPlaces['all']) {
  const buildings = Map.groupBy(rows, ({ buildingUid }) => buildingUid)
  return [...buildings].map(([id, floors]) => ({
    id,
    name: floors[0]?.buildingName ?? '',
    floors: floors.filter(isFloor),
  }))
}

/** The reply for a caller without a participation. */
export const nobody = (error: 'no_event' | 'not_on_duty'): EvacueesPage => ({
  evacuees: [],
  pagination: { next_page_url: null, total: 0, from: 0, current_page: 1, total_pages: 0 },
  filterCounts: withTotal(nobodyCounted),
  error,
  message: new Refusal(error).message,
})

export const presentRecorded = ({ status, person, superseded }: StatusReply) => ({
  status,
  evacueeId: person.id,
  newStatus: person.status,
  person,
  superseded,
})
