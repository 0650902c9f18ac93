import {
  type FloorData,
  listOccupants as listOccupantsCall,
  type setFloorStatus as setFloorStatusCall,
} from '@evac/contract/calls/evacuation.ts'
import type { BuildingUid, FloorUid } from '@evac/contract/ids.ts'
import {
  floorStatusLabel,
  floorStatusValue,
  nobodyCounted,
  type StatusTotals,
  safetyStatuses,
  totalOf,
  withTotal,
} from '@evac/contract/vocabulary.ts'
import type { UnguardedWrite } from '../../http/http.ts'
import { recordOnDuty } from '../../http/record-on-duty.ts'
import type { Services } from '../../http/services.ts'
import type { Db, Tx } from '../../platform/db/db.ts'
import { Refusal } from '../../platform/errors.ts'
import type { DutyActor } from '../../wardens/actor.ts'
import { isCovered, listAreaPlaces } from '../../wardens/warden-area.ts'
import {
  type EventFloorRow,
  findEventName,
  floorStatusRecords,
  listEventFloors,
  listFloorPage,
  listFloorPeeps,
  listFloorStatuses,
  type PeopledPlace,
  searchBuildingPage,
  selectPlace,
} from './evacuation.queries.ts'
import { type EventFloor, isFloor } from './event-places.service.ts'
import {
  attentionWindow,
  everyOccupant,
  type OccupantRequest,
  occupantWindow,
  presentOccupant,
  presentOccupants,
} from './occupant-page.ts'
import { firstPage, presentPage } from './page.service.ts'
import { countPlanned, keepOnFloor, listByAttention, listOccupantRows } from './people.queries.ts'
import { findTally } from './tally.queries.ts'

interface Place {
  buildingUid: BuildingUid
  floorUid: FloorUid | null
}
interface Asked {
  floor?: FloorUid
  building?: BuildingUid
  order?: Order
}
type Order = 'attention'

/** FLOOR-01..05, API-36: data of the requested place. Without one: the selected place, the warden's own, or the first. */
export async function floorData(db: Db, actor: DutyActor, { floor, building, order }: Asked): Promise<FloorData> {
  const floors = await listEventFloors(db, actor.event.uid)
  const asked = floors.find((row) => (floor ? row.floorUid === floor : building && row.buildingUid === building))
  return floorDataAt(db, actor, floors, asked ? placeOf(asked) : await currentPlace(db, actor, floors), order)
}

async function floorDataAt(
  db: Db,
  actor: DutyActor,
  floors: EventFloorRow[],
  place: Place,
  order: Order | undefined,
): Promise<FloorData> {
  const event = await findEventName(db, actor.event.uid)
  const statuses = await listFloorStatuses(db)
  const floor = await floorDetails(db, actor, floors, place.floorUid)
  const page = await occupantPage(db, actor, place, {
    ...firstPage,
    floorUid: place.floorUid,
    search: '',
    wanted: { ...everyOccupant, byAttention: order === 'attention' },
  })
  const buildings = new Map(floors.map((row) => [row.buildingUid, { id: row.buildingUid, name: row.buildingName }]))
  return {
    buildings: [...buildings.values()],
    floors: floors.filter(isFloor).map(presentFloor),
    floor_status: presentFloorStatuses(statuses, floors),
    input: { building: place.buildingUid, floor: place.floorUid, status: floor.status },
    ...page,
    peep: floor.peep,
    pwdmi_statuses: safetyStatuses.map((status) => ({
      value: floorStatusValue[status],
      label: floorStatusLabel[status],
    })),
    refusal_to_evacuate: floor.refusals,
    event: { id: event.uid, ...event.name },
    sms_allowed: actor.smsAllowed,
  }
}

/** FLOOR-39: statuses in use, and those that a floor still has. */
export function presentFloorStatuses(statuses: Awaited<ReturnType<typeof listFloorStatuses>>, floors: EventFloorRow[]) {
  const used = new Set(floors.map((row) => row.floorStatusUid))
  return statuses
    .filter((status) => status.inUse || used.has(status.uid))
    .map(({ uid, name, colour, displayOrder, inUse }) => ({
      id: uid,
      name,
      label: { colour, display_order: displayOrder, inuse: inUse },
    }))
}

export const presentFloor = (row: EventFloor) => ({
  id: row.floorUid,
  name: row.floorName,
  status: row.floorStatusUid,
  building: { id: row.buildingUid, buildingId: row.buildingUid, name: row.buildingName },
})

async function floorDetails(db: Db, actor: DutyActor, floors: EventFloorRow[], floorUid: FloorUid | null) {
  if (!floorUid) return { peep: [], status: null, refusals: 0 }
  const scope = { clientUid: actor.clientUid, eventUid: actor.event.uid, placeUid: floorUid }
  const tally = await findTally(db, actor.event.uid, floorUid)
  const rows = await listFloorPeeps(db, { ...scope, people: tally ? totalOf(tally) : 0 })
  return {
    peep: rows.map(({ personUid, onFloor, ...row }) => ({ id: personUid, on_floor: onFloor, ...row })),
    status: floors.find((row) => row.floorUid === floorUid)?.floorStatusUid ?? null,
    refusals: tally?.refusals ?? 0,
  }
}

/** AMB-107: the place this session selected, if it is still in the event; else the warden's own place; else the first floor. */
async function currentPlace(db: Db, actor: DutyActor, floors: EventFloorRow[]): Promise<Place> {
  const chosen = floors.find(
    (row) => row.floorUid === actor.selectedFloorUid && row.buildingUid === actor.selectedBuildingUid,
  )
  if (chosen && actor.selectedBuildingUid) return placeOf(chosen)
  const area = await listAreaPlaces(db, actor.assignment.uid)
  const own = floors.find((row) => area.some((at) => at.floorUid === row.floorUid && row.floorUid !== null))
  const first = own ?? floors.find((row) => isCovered(row, area)) ?? floors[0]
  if (!first) throw new Refusal('no_event')
  return placeOf(first)
}
const placeOf = ({ buildingUid, floorUid }: EventFloorRow): Place => ({ buildingUid, floorUid })

type Choice = { floor: FloorUid } | { building: BuildingUid }

/**
 * FLOOR-30, FLOOR-31, API-44, API-45: selects a floor of the event, or the first floor of a building. The data of the
 * place is read separately, because the reply of a write is stored and PEEPs must not be.
 */
export async function choosePlace(tx: Tx, actor: DutyActor, choice: Choice): Promise<null> {
  const { chosen } = await getChosen(tx, actor, choice)
  await selectPlace(tx, actor.sessionUid, placeOf(chosen))
  return null
}

async function getChosen(db: Db, actor: DutyActor, choice: Choice) {
  const floors = await listEventFloors(db, actor.event.uid)
  const chosen = floors.find((row) =>
    'floor' in choice ? row.floorUid === choice.floor && row.floorStatusUid : row.buildingUid === choice.building,
  )
  if (!chosen) throw new Refusal('not_found')
  return { floors, chosen }
}

export async function chosenFloor(tx: Db, actor: DutyActor, choice: { floor: FloorUid }) {
  const { floors, chosen } = await getChosen(tx, actor, choice)
  if (!isFloor(chosen)) throw new Refusal('not_found')
  const { peep, refusals } = await floorDetails(tx, actor, floors, choice.floor)
  return { peep, status: chosen.floorStatusUid, refusal_to_evacuate: refusals }
}

export async function chosenBuilding(
  tx: Db,
  actor: DutyActor,
  { order, ...choice }: { building: BuildingUid; order?: Order },
): Promise<FloorData> {
  const { floors, chosen } = await getChosen(tx, actor, choice)
  return floorDataAt(tx, actor, floors, placeOf(chosen), order)
}

/** FLOOR-06, FLOOR-48, AMB-106: a page of the floor, or of a search in its building. */
export async function listOccupants(db: Db, actor: DutyActor, request: OccupantRequest) {
  const floors = await listEventFloors(db, actor.event.uid)
  if (request.floorUid === null) {
    const place = await currentPlace(db, actor, floors)
    return occupantPage(db, actor, place, { ...request, floorUid: place.floorUid })
  }
  const floor = floors.find((row) => row.floorUid === request.floorUid)
  if (!floor) throw new Refusal('not_found')
  return occupantPage(db, actor, placeOf(floor), request)
}

async function occupantPage(db: Db, actor: DutyActor, place: Place, request: OccupantRequest) {
  const scope = { clientUid: actor.clientUid, eventUid: actor.event.uid }
  const tally = place.floorUid && (await findTally(db, scope.eventUid, place.floorUid))
  const counts = withTotal(tally || nobodyCounted)
  const window = occupantWindow(request)
  if (request.search) {
    const rows = await searchBuildingPage(db, { ...scope, ...place, text: request.search }, window)
    return presentOccupants(rows, rows[0]?.total ?? 0, counts, request)
  }
  if (!place.floorUid) return presentOccupants([], 0, counts, request)
  const { byAttention, status, assist, rows } = request.wanted
  if (byAttention || status || assist || rows)
    return chosenPage(db, { ...scope, placeUid: place.floorUid, people: counts.total }, counts, request)
  const floor = { ...scope, floorUid: place.floorUid }
  return presentOccupants(await listFloorPage(db, floor, window), counts.total, counts, request)
}

/** UX-30, UX-31: a page in the order of attention, or the rows that a phone shows, in its order. */
async function chosenPage(db: Db, floor: PeopledPlace, counts: StatusTotals, request: OccupantRequest) {
  const { status, assist, rows } = request.wanted
  const total = assist ? await countPlanned(db, floor, status) : counts[status ?? 'total']
  if (rows) {
    const kept = await listOccupantRows(db, floor.clientUid, await keepOnFloor(db, floor, rows))
    return presentOccupants(kept, total, counts, request)
  }
  const { shown, pagination } = presentPage(request, {
    rows: await listByAttention(db, floor, { status, assist }, attentionWindow(request)),
    keyOf: ({ rank, uid }) => `${rank}${uid}`,
    total,
    path: listOccupantsCall.path,
    query: { floor: floor.placeUid, order: 'attention', ...(status && { status }), ...(assist && { assist: 'yes' }) },
  })
  const people = await listOccupantRows(
    db,
    floor.clientUid,
    shown.map(({ uid }) => uid),
  )
  return { persons: people.map(presentOccupant), pagination, counts }
}

/** FLOOR-28, API-41. */
export function setFloorStatus(
  services: Pick<Services, 'inBatch' | 'oneStatement'>,
  call: typeof setFloorStatusCall,
  write: UnguardedWrite<typeof setFloorStatusCall>,
) {
  const { floorId: floorUid, floorStatusId: statusUid } = write.input.body
  return recordOnDuty(services, call, write, {
    kind: floorStatusRecords,
    record: (sent) => ({ ...sent, floorUid, statusUid }),
    present: () => ({ status: 'success' as const }),
  })
}
