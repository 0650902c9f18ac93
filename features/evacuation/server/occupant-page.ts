import { groupOf } from '#kernel/actions.ts'
import type { EvacueeUid, FloorUid } from '#kernel/ids.ts'
import type { SafetyStatus, StatusTotals } from '#kernel/vocabulary.ts'
import { listOccupants, type Occupant, type SpecialEntry } from '../calls/evacuation.ts'
import type { OccupantKey, OccupantRow } from './evacuation.queries.ts'
import type { AttentionKey } from './event-people.queries.ts'
import { type PageRequest, presentPage, readPageRequest, type Window, windowOf } from './people-page.service.ts'

/** A page of a floor, or of a search in its building. */
export interface OccupantRequest extends PageRequest {
  floorUid: FloorUid | null
  search: string
  /** Only for a floor, not for a search. */
  wanted: OccupantChoice
}
/** Which people of a floor, and in which order. */
export interface OccupantChoice {
  byAttention: boolean
  status: SafetyStatus | null
  assist: boolean
  rows: readonly string[] | null
}
export const everyOccupant: OccupantChoice = { byAttention: false, status: null, assist: false, rows: null }
interface Asked {
  page?: string
  floor?: FloorUid
  search?: string
  after?: string
  order?: 'attention'
  status?: SafetyStatus
  assist?: 'yes'
  rows?: string
}

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
/** `isHere` and uid of a row, so that no address contains a name. */
const key = new RegExp(`^([01])(${uuid})$`)
/** Rank in the order of attention and uid of a row. */
const attentionKey = new RegExp(`^([0-4])(${uuid})$`)

/** Throws `invalid_request` if `after` does not have the form of a key. */
export const readOccupantRequest = ({
  floor,
  search = '',
  order,
  status,
  assist,
  rows,
  ...asked
}: Asked): OccupantRequest => ({
  ...readPageRequest(asked, order && !search ? attentionKey : key),
  floorUid: floor ?? null,
  search: search.trim(),
  wanted: {
    byAttention: order === 'attention',
    status: status ?? null,
    assist: assist === 'yes',
    rows: rows?.split(',') ?? null,
  },
})

export function attentionWindow(request: PageRequest): Window<AttentionKey> {
  const [, rank, uid] = attentionKey.exec(request.after ?? '') ?? []
  return { ...windowOf(request), after: uid ? { rank: Number(rank), uid: uid as EvacueeUid } : null }
}

export function occupantWindow(request: PageRequest): Window<OccupantKey> {
  const [, isHere, uid] = key.exec(request.after ?? '') ?? []
  return { ...windowOf(request), after: uid ? { isHere: isHere === '1', uid } : null }
}

export const presentOccupants = (
  rows: readonly OccupantRow[],
  total: number,
  counts: StatusTotals,
  request: OccupantRequest,
) =>
  present(rows, total, counts, request, {
    keyOf: ({ isHere, uid }) => `${isHere ? 1 : 0}${uid}`,
    query: { search: request.search },
  })

/** A page of a floor in the order of attention. */
export const presentByAttention = (
  rows: readonly (OccupantRow & AttentionKey)[],
  total: number,
  counts: StatusTotals,
  request: OccupantRequest,
) =>
  present(rows, total, counts, request, {
    keyOf: ({ rank, uid }) => `${rank}${uid}`,
    query: {
      order: 'attention',
      ...(request.wanted.status && { status: request.wanted.status }),
      ...(request.wanted.assist && { assist: 'yes' }),
    },
  })

function present<Row extends OccupantRow>(
  rows: readonly Row[],
  total: number,
  counts: StatusTotals,
  request: OccupantRequest,
  { keyOf, query }: { keyOf: (row: Row) => string; query: Record<string, string> },
) {
  const floor = request.floorUid && { floor: request.floorUid }
  const { shown, pagination } = presentPage(request, {
    rows,
    keyOf,
    total,
    path: listOccupants.path,
    query: { ...floor, ...query },
  })
  return { persons: shown.map(presentOccupant), pagination, counts }
}

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
    by_page: row.byPage,
    ...(row.knownBefore && { [row.isOfDrill ? 'in_drill' : 'before']: row.knownBefore }),
    sms_refused: row.smsRefused,
    ...presentGroup(row),
  }
}

/** Nothing where people leave. */
export function presentGroup({ action, actionBefore }: Pick<OccupantRow, 'action' | 'actionBefore'>) {
  const group = groupOf(action, actionBefore)
  return group === 'leave' ? {} : { group }
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
