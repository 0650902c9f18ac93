import type { Occupant, Pagination } from '@evac/contract/evacuation.ts'
import { limits } from '@evac/contract/limits.ts'
import { type SafetyStatus, type StatusCounts, totalOf } from '@evac/contract/vocabulary.ts'
import type { Db } from '../../platform/db/db.ts'
import { Refusal } from '../../platform/errors.ts'
import type { DutyActor } from '../../wardens/actor.ts'
import { type EventFloorRow, escapeLike } from './evacuation.queries.ts'
import { presentOccupant } from './occupant-page.ts'
import {
  listOccupantRows,
  listPlacesPage,
  type Search,
  type Sieve,
  sievePlaces,
  type Window,
} from './people.queries.ts'
import { sumTallies } from './tally.queries.ts'

/** Which page: its number, and the row it begins after as `next_page_url` carried it. */
export interface PageWish {
  page: number
  after: string | null
}
/** Whose rows: of these places, so, and left by the sieve. */
export interface Wanted {
  placeUids: readonly string[]
  status: SafetyStatus | null
  sieve: Sieve
}
type PeopleWish = PageWish & Wanted
export interface PeoplePage {
  people: Occupant[]
  counts: StatusCounts
  pagination: Pagination
}

export const noSieve: Sieve = { assist: false, visitor: false, refused: false, message: null, search: null }
const isOpen = ({ assist, visitor, refused, message, search }: Sieve) =>
  !assist && !visitor && !refused && message === null && search === null

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Throws `invalid_request` for an `after` the server did not make. */
export function readPageWish({ page = '1', after }: { page?: string; after?: string }): PageWish {
  if (after !== undefined && !uuid.test(after))
    throw new Refusal('invalid_request', 'This page address is not valid.', ['querystring/after'])
  return { page: Number(page), after: after ?? null }
}

export const windowOf = ({ page, after }: PageWish): Window => ({
  after,
  offset: after ? 0 : (page - 1) * limits.pageSize,
  limit: limits.pageSize + 1,
})

/** People of these places, by name; counted before the status is looked at (AMB-121). */
export async function findPeople(
  db: Db,
  { clientUid, event }: DutyActor,
  wish: PeopleWish,
  path: string,
): Promise<PeoplePage> {
  const places = { clientUid, eventUid: event.uid, placeUids: wish.placeUids }
  const { uids, ...counts } = isOpen(wish.sieve)
    ? {
        ...(await sumTallies(db, places)),
        uids: await listPlacesPage(db, places, wish.status, windowOf(wish)),
      }
    : await sievePlaces(db, places, wish.sieve, wish.status, windowOf(wish))
  const total = wish.status ? counts[wish.status] : totalOf(counts)
  return { counts, ...(await presentPeople(db, clientUid, uids, { ...wish, total, path })) }
}

/** More than any site has people. */
const everybody = { after: null, offset: 0, limit: 10_000_000 }

/** Rows of all of them, by name. */
export async function findAll(db: Db, { clientUid, event }: DutyActor, { placeUids, status, sieve }: Wanted) {
  const { uids } = await sievePlaces(db, { clientUid, eventUid: event.uid, placeUids }, sieve, status, everybody)
  return uids
}

/** Rows were asked for one more than a page: the extra one only tells that another page follows. */
export async function presentPeople(
  db: Db,
  clientUid: string,
  uids: readonly string[],
  { page, total, path }: { page: number; total: number; path: string },
) {
  const shown = uids.slice(0, limits.pageSize)
  const query = new URLSearchParams({ page: String(page + 1), after: shown.at(-1) ?? '' })
  const pagination: Pagination = {
    next_page_url: uids.length > limits.pageSize ? `${path}?${query}` : null,
    total,
    from: shown.length ? (page - 1) * limits.pageSize + 1 : 0,
    current_page: page,
    total_pages: Math.ceil(total / limits.pageSize),
  }
  const rows = shown.length ? await listOccupantRows(db, clientUid, shown) : []
  return { people: rows.map(presentOccupant), pagination }
}

/** AMB-121: part of a name, of a place as it is shown, or of a phone number as people write it. */
export function searchFor(text: string, floors: readonly EventFloorRow[]): Search {
  const wanted = text.toLowerCase()
  const contains = (words: string) => words.toLowerCase().includes(wanted)
  return {
    name: like(wanted),
    phone: phoneIn(text),
    placeUids: [
      ...floors.flatMap(({ floorUid, floorName, buildingName }) =>
        floorUid && contains(`${buildingName} - ${floorName}`) ? [floorUid] : [],
      ),
      ...new Set(floors.filter(({ buildingName }) => contains(buildingName)).map(({ buildingUid }) => buildingUid)),
    ],
  }
}

export const nameOnly = (text: string): Search => ({ name: like(text.toLowerCase()), phone: null, placeUids: [] })

const like = (text: string) => `%${escapeLike(text)}%`

/** Numbers are kept with the country code: '0491 570 006' stands as 61491570006. */
function phoneIn(text: string): string | null {
  const digits = text.replace(/[\s()+-]/g, '')
  return /^\d{3,}$/.test(digits) ? like(digits.replace(/^0/, '')) : null
}
