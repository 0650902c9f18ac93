import { listUnaccounted, type Unaccounted } from '#features/events/calls/events.ts'
import { noteListed, withPlanText } from '#features/peeps/server/access/peeps-in-lists.service.ts'
import type { BuildingUid, ClientUid, EvacueeUid, EventUid } from '#kernel/ids.ts'
import { nameFold } from '#kernel/name-fold.ts'
import { type SafetyStatus, type StatusCounts, totalOf, withTotal } from '#kernel/vocabulary.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { partOfPhone } from '#server/platform/phones.ts'
import type { DutyActor } from '#server/wardens/actor.ts'
import type { Occupant, Pagination } from '../calls/evacuation.ts'
import { type EventFloorRow, listEventFloors } from './evacuation.queries.ts'
import {
  countOpenCalls,
  filterPlaces,
  listOccupantRows,
  listPlacesPage,
  type PeopleFilter,
  type Search,
} from './event-people.queries.ts'
import { placesOf } from './event-places.service.ts'
import { presentOccupant } from './occupant-page.ts'
import { type PageRequest, presentPage, windowOf } from './people-page.service.ts'
import { type PlaceUid, sumTallies } from './tally.queries.ts'

/** Which people: of these places, with this status, who pass the filter. */
export interface Wanted {
  placeUids: readonly PlaceUid[]
  status: SafetyStatus | null
  filter: PeopleFilter
}
type PeopleRequest = PageRequest & Wanted
export interface PeoplePage {
  people: Occupant[]
  counts: StatusCounts
  pagination: Pagination
}

export const noFilter: PeopleFilter = { assist: false, visitor: false, refused: false, message: null, search: null }
const isOpen = ({ assist, visitor, refused, message, search }: PeopleFilter) =>
  !assist && !visitor && !refused && message === null && search === null

/** A page of the people, by name. The counts ignore the requested status. */
export async function findPeople(db: Tx, actor: DutyActor, request: PeopleRequest, path: string): Promise<PeoplePage> {
  const { clientUid, event } = actor
  const places = { clientUid, eventUid: event.uid, placeUids: request.placeUids }
  const { uids, ...counts } = isOpen(request.filter)
    ? {
        ...(await sumTallies(db, places)),
        uids: await listPlacesPage(db, places, request.status, windowOf(request)),
      }
    : await filterPlaces(db, places, request.filter, request.status, windowOf(request))
  const total = request.status ? counts[request.status] : totalOf(counts)
  const page = await presentPeople(db, clientUid, uids, { ...request, total, path })
  await noteListed(db, actor, withPlanText(page.people))
  return { counts, ...page }
}

/** No site has that many people. */
const everybody = { after: null, offset: 0, limit: 10_000_000 }

/** The uids of all matching rows, by name. */
export async function findAll(db: Db, { clientUid, event }: DutyActor, { placeUids, status, filter }: Wanted) {
  const { uids } = await filterPlaces(db, { clientUid, eventUid: event.uid, placeUids }, filter, status, everybody)
  return uids
}

/** A page of the rows with these uids, one more than a page if another follows (`windowOf`). */
export async function presentPeople(
  db: Db,
  clientUid: ClientUid,
  uids: readonly EvacueeUid[],
  { total, path, query, ...request }: PageRequest & { total: number; path: string; query?: Record<string, string> },
) {
  const { shown, pagination } = presentPage(request, { rows: uids, keyOf: (uid) => uid, total, path, query })
  const rows = shown.length ? await listOccupantRows(db, clientUid, shown) : []
  return { people: rows.map(presentOccupant), pagination }
}

export interface UnaccountedRequest extends PageRequest {
  status: 'danger' | 'unknown'
}
interface Where {
  clientUid: ClientUid
  eventUid: EventUid
  managed: readonly { buildingUid: BuildingUid }[]
}

/** Counts of these buildings of an event, and a page of the people with this status, by name. */
export async function unaccountedPage(
  db: Db,
  { clientUid, eventUid, managed }: Where,
  request: UnaccountedRequest,
): Promise<Omit<Unaccounted, 'event'>> {
  const { status } = request
  const all = await listEventFloors(db, eventUid)
  const floors = all.filter((row) => managed.some(({ buildingUid }) => buildingUid === row.buildingUid))
  const places = { clientUid, eventUid, placeUids: placesOf(floors, all) }
  const counts = await sumTallies(db, places)
  const uids = await listPlacesPage(db, places, status, windowOf(request))
  const { people, pagination } = await presentPeople(db, clientUid, uids, {
    ...request,
    total: counts[status],
    path: listUnaccounted.path,
    query: { event: eventUid, status },
  })
  return {
    counts: withTotal(counts),
    calls: await countOpenCalls(db, { clientUid, eventUid }),
    persons: people.map(({ id, name, location, status }) => ({ id, name, location, status })),
    pagination,
  }
}

/** The text may be words of a name, part of a place as shown on screen, or of a phone number in any spelling. */
export function searchFor(text: string, floors: readonly EventFloorRow[]): Search {
  const wanted = nameFold(text)
  const contains = (words: string) => wanted !== '' && nameFold(words).includes(wanted)
  return {
    name: text,
    phone: phoneIn(text),
    placeUids: [
      ...floors.flatMap(({ floorUid, floorName, buildingName }) =>
        floorUid && contains(`${buildingName} - ${floorName}`) ? [floorUid] : [],
      ),
      ...new Set(floors.filter(({ buildingName }) => contains(buildingName)).map(({ buildingUid }) => buildingUid)),
    ],
  }
}

export const nameOnly = (text: string): Search => ({ name: text, phone: null, placeUids: [] })

function phoneIn(text: string): string | null {
  const digits = partOfPhone(text)
  return digits !== null && digits.length >= fewestDigits ? `%${digits}%` : null
}
const fewestDigits = 3
