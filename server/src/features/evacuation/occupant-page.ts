import type { Occupant, Pagination, SpecialEntry } from '@evac/contract/evacuation.ts'
import { limits } from '@evac/contract/limits.ts'
import { Refusal } from '../../platform/errors.ts'
import type { OccupantRow, PageStart } from './evacuation.queries.ts'

/** Which page of which list; made by the server into `next_page_url`, read back here. */
export interface PageRequest {
  page: number
  floorUid: string | null
  search: string
  after: PageStart['after']
}

/** Throws `invalid_request` for an `after` the server did not make. */
export function readPageRequest(query: {
  page?: string
  floor?: string
  search?: string
  after?: string
}): PageRequest {
  return {
    page: Number(query.page ?? 1),
    floorUid: query.floor ?? null,
    search: query.search?.trim() ?? '',
    after: query.after === undefined ? null : readAfter(query.after),
  }
}

/** The row a page begins after, and whether it was on the selected floor. By its uid: no name travels in an address. */
const place = /^([01])([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

function readAfter(text: string): PageStart['after'] {
  const [, isHere, uid] = place.exec(text) ?? []
  if (!uid) throw new Refusal('invalid_request', 'This page address is not valid.', ['querystring/after'])
  return { isHere: isHere === '1', uid }
}

export const startOf = ({ page, after }: PageRequest): PageStart => ({ after, offset: (page - 1) * limits.pageSize })

/** Rows were asked for one more than a page: the extra one only tells that another page follows. */
export function presentPage(rows: readonly OccupantRow[], total: number, request: PageRequest) {
  const shown = rows.slice(0, limits.pageSize)
  const last = shown.at(-1)
  const pagination: Pagination = {
    next_page_url: rows.length > limits.pageSize && last ? nextUrl(request, last) : null,
    total,
    from: shown.length ? (request.page - 1) * limits.pageSize + 1 : 0,
    current_page: request.page,
    total_pages: Math.ceil(total / limits.pageSize),
  }
  return { persons: shown.map(presentOccupant), pagination }
}

function nextUrl({ page, floorUid, search }: PageRequest, last: OccupantRow): string {
  const after = `${last.isHere ? 1 : 0}${last.uid}`
  const query = new URLSearchParams({ page: String(page + 1), ...(floorUid && { floor: floorUid }), search, after })
  return `/api/floor/evacuation/persons?${query}`
}

/** FLOOR-40..43, AMB-114. */
export function presentOccupant(row: OccupantRow): Occupant {
  return {
    id: row.personUid,
    evacuee_list_uid: row.uid,
    name: row.name,
    location: row.floorName ? `${row.buildingName} - ${row.floorName}` : row.buildingName,
    floor: row.floorUid,
    phone: row.mobile,
    status: row.status,
    on_floor: row.onFloor,
    reported: row.refused,
    visitor: row.visitor,
    special: presentSpecial(row),
    message: { unread: row.unread, noreply: row.noReply },
    by_sms: row.bySms,
    sms_refused: row.smsRefused,
  } as Occupant
}

function presentSpecial(row: OccupantRow): SpecialEntry[] {
  const entries: SpecialEntry[] = []
  if (row.disability !== null)
    entries.push({
      name: 'assist',
      state: true,
      detail: row.peepSummary ?? '',
      peep: { disability: row.disability, assistance: row.assistance ?? '', other: row.other ?? '' },
    })
  if (row.refused) entries.push({ name: 'refusal', state: true, detail: row.refusalDetail })
  return entries
}
