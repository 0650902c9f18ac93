import { noteListed, withPlanText } from '#features/peeps/server/access/peeps-in-lists.service.ts'
import { statusActionOf } from '#kernel/actions.ts'
import type { BuildingUid, EventUid, FloorUid } from '#kernel/ids.ts'
import {
  floorStatusLabel,
  floorStatusValue,
  nobodyCounted,
  type StatusTotals,
  safetyStatuses,
  withTotal,
} from '#kernel/vocabulary.ts'
import { recordOnDuty } from '#server/http/record-on-duty.ts'
import type { UnguardedWrite } from '#server/http/serve.ts'
import type { Services } from '#server/http/services.ts'
import { type Db, readIn, type Tx } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { DutyActor } from '#server/wardens/actor.ts'
import { isCovered, listAreaPlaces } from '#server/wardens/warden-area.ts'
import type { FloorData, setFloorStatus as setFloorStatusCall } from '../calls/evacuation.ts'
import {
  type EventFloorRow,
  findEventFloor,
  findEventName,
  listEventFloors,
  listFloorPage,
  listFloorPeeps,
  listFloorStatuses,
  searchBuildingPage,
  selectPlace,
} from './evacuation.queries.ts'
import { countPlanned, listByAttention, listOnFloor } from './event-people.queries.ts'
import { type EventFloor, isFloor } from './event-places.service.ts'
import { floorStatusRecords } from './floor-status.queries.ts'
import {
  attentionWindow,
  everyOccupant,
  type OccupantRequest,
  occupantWindow,
  presentByAttention,
  presentGroup,
  presentOccupants,
} from './occupant-page.ts'
import { firstPage } from './people-page.service.ts'
import { type EventPlace, findTally } from './tally.queries.ts'

interface Place {
  buildingUid: BuildingUid
  floorUid: FloorUid | null
}
interface Asked {
  floor?: FloorUid
  building?: BuildingUid
}
interface Shape {
  order?: 'attention'
  /** Only the floors of the shown building. */
  floors?: 'building'
}

/** What every warden of an event reads: its name, floors and statuses. */
export type EventFrame = Awaited<ReturnType<typeof readFrame>>

/** Wait for it before a transaction begins: it takes a connection of its own. */
export const eventFrame = ({ sharedRead, db }: Pick<Services, 'sharedRead' | 'db'>, { clientUid, event }: DutyActor) =>
  sharedRead(`event ${clientUid} ${event.uid}`, () => readIn(db, [clientUid], (tx) => readFrame(tx, event.uid)))

async function readFrame(db: Db, eventUid: EventUid) {
  const [event, floors, statuses] = await Promise.all([
    findEventName(db, eventUid),
    listEventFloors(db, eventUid),
    listFloorStatuses(db),
  ])
  return { event, floors, statuses }
}

/** Data of the requested place. Without one: the selected place, the warden's own, or the first. */
export async function floorData(
  db: Tx,
  actor: DutyActor,
  frame: EventFrame,
  { floor, building, ...shape }: Asked & Shape,
): Promise<FloorData> {
  const { floors } = frame
  const asked = floors.find((row) => (floor ? row.floorUid === floor : building && row.buildingUid === building))
  return floorDataAt(db, actor, frame, asked ? placeOf(asked) : await currentPlace(db, actor, floors), shape)
}

async function floorDataAt(
  db: Tx,
  actor: DutyActor,
  { event, floors, statuses }: EventFrame,
  place: Place,
  shape: Shape,
): Promise<FloorData> {
  const wanted = { ...everyOccupant, byAttention: shape.order === 'attention' }
  const [floor, pageWith] = await Promise.all([
    floorDetails(db, actor, floors, place.floorUid),
    occupantPage(db, actor, place, { ...firstPage, floorUid: place.floorUid, search: '', wanted }),
  ])
  const page = pageWith(floor.counts)
  await noteListed(db, actor, [
    ...withPlanText(page.persons),
    ...floor.peep.map(({ id }) => ({ id, floor: place.floorUid })),
  ])
  const listed = shape.floors ? floors.filter(({ buildingUid }) => buildingUid === place.buildingUid) : floors
  const buildings = new Map(floors.map((row) => [row.buildingUid, { id: row.buildingUid, name: row.buildingName }]))
  return {
    buildings: [...buildings.values()],
    floors: listed.filter(isFloor).map(presentFloor),
    floor_status: presentFloorStatuses(statuses, floors, place.buildingUid),
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

/** Statuses in use, and those that a floor still has, of what the people of the building do. Without one, of each building. */
export function presentFloorStatuses(
  statuses: Awaited<ReturnType<typeof listFloorStatuses>>,
  floors: EventFloorRow[],
  building?: BuildingUid,
) {
  const used = new Set(floors.map((row) => row.floorStatusUid))
  const shown = floors.filter(({ buildingUid }) => !building || buildingUid === building)
  const wanted = new Set(shown.map(({ action }) => statusActionOf(action)))
  return statuses
    .filter((status) => wanted.has(status.action) && (status.inUse || used.has(status.uid)))
    .map(({ uid, name, colour, displayOrder, inUse, meansClear }) => ({
      id: uid,
      name,
      label: { colour, display_order: displayOrder, inuse: inUse },
      means_clear: meansClear,
    }))
}

export const presentFloor = (row: EventFloor) => ({
  id: row.floorUid,
  name: row.floorName,
  status: row.floorStatusUid,
  building: { id: row.buildingUid, buildingId: row.buildingUid, name: row.buildingName },
})

async function floorDetails(db: Db, actor: DutyActor, floors: EventFloorRow[], floorUid: FloorUid | null) {
  if (!floorUid) return { peep: [], status: null, refusals: 0, counts: withTotal(nobodyCounted) }
  const [tally, rows] = await Promise.all([
    findTally(db, actor.event.uid, floorUid),
    listFloorPeeps(db, { clientUid: actor.clientUid, eventUid: actor.event.uid, placeUid: floorUid }),
  ])
  const floor = floors.find((row) => row.floorUid === floorUid)
  const group = floor && presentGroup(floor)
  return {
    peep: rows.map(({ personUid, onFloor, ...row }) => ({ id: personUid, on_floor: onFloor, ...row, ...group })),
    status: floor?.floorStatusUid ?? null,
    refusals: tally?.refusals ?? 0,
    counts: withTotal(tally ?? nobodyCounted),
  }
}

/** The place this session selected, if it is still in the event; else the warden's own place; else the first floor. */
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
 * Selects a floor of the event, or the first floor of a building. The data of the
 * place is read separately, because the reply of a write is stored and PEEPs must not be.
 */
export async function choosePlace(tx: Tx, actor: DutyActor, choice: Choice): Promise<null> {
  const chosen = getChosen(await listEventFloors(tx, actor.event.uid), choice)
  await selectPlace(tx, actor.sessionUid, placeOf(chosen))
  return null
}

function getChosen(floors: EventFloorRow[], choice: Choice): EventFloorRow {
  const chosen = floors.find((row) =>
    'floor' in choice ? row.floorUid === choice.floor && row.floorStatusUid : row.buildingUid === choice.building,
  )
  if (!chosen) throw new Refusal('not_found')
  return chosen
}

export async function chosenFloor(tx: Tx, actor: DutyActor, { floors }: EventFrame, choice: { floor: FloorUid }) {
  const chosen = getChosen(floors, choice)
  if (!isFloor(chosen)) throw new Refusal('not_found')
  const { peep, refusals } = await floorDetails(tx, actor, floors, choice.floor)
  await noteListed(
    tx,
    actor,
    peep.map(({ id }) => ({ id, floor: choice.floor })),
  )
  return { peep, status: chosen.floorStatusUid, refusal_to_evacuate: refusals }
}

export async function chosenBuilding(
  tx: Tx,
  actor: DutyActor,
  frame: EventFrame,
  { building, ...shape }: { building: BuildingUid } & Shape,
): Promise<FloorData> {
  return floorDataAt(tx, actor, frame, placeOf(getChosen(frame.floors, { building })), shape)
}

/** A page of the floor, or of a search in its building. */
export async function listOccupants(db: Tx, actor: DutyActor, request: OccupantRequest) {
  const place = await placeAsked(db, actor, request.floorUid)
  const [tally, pageWith] = await Promise.all([
    place.floorUid && findTally(db, actor.event.uid, place.floorUid),
    occupantPage(db, actor, place, { ...request, floorUid: place.floorUid }),
  ])
  const page = pageWith(withTotal(tally || nobodyCounted))
  await noteListed(db, actor, withPlanText(page.persons))
  return page
}

async function placeAsked(db: Db, actor: DutyActor, floorUid: FloorUid | null): Promise<Place> {
  if (floorUid === null) return currentPlace(db, actor, await listEventFloors(db, actor.event.uid))
  const floor = await findEventFloor(db, actor.event.uid, floorUid)
  if (!floor) throw new Refusal('not_found')
  return floor
}

/** Presents a page that has been read, with the counts of its floor. */
type PageWith = (counts: StatusTotals) => ReturnType<typeof presentOccupants>

async function occupantPage(db: Db, actor: DutyActor, place: Place, request: OccupantRequest): Promise<PageWith> {
  const scope = { clientUid: actor.clientUid, eventUid: actor.event.uid }
  const window = occupantWindow(request)
  if (request.search) {
    const rows = await searchBuildingPage(db, { ...scope, ...place, text: request.search }, window)
    return (counts) => presentOccupants(rows, rows[0]?.total ?? 0, counts, request)
  }
  if (!place.floorUid) return (counts) => presentOccupants([], 0, counts, request)
  const { byAttention, status, assist, rows } = request.wanted
  if (byAttention || status || assist || rows) return chosenPage(db, { ...scope, placeUid: place.floorUid }, request)
  const page = await listFloorPage(db, { ...scope, floorUid: place.floorUid }, window)
  return (counts) => presentOccupants(page, counts.total, counts, request)
}

/** A page in the order of attention, or the rows that a phone shows, in its order. */
async function chosenPage(db: Db, floor: EventPlace, request: OccupantRequest): Promise<PageWith> {
  const { status, assist, rows } = request.wanted
  const counting = assist ? countPlanned(db, floor, status) : null
  const totalIn = (planned: number | null, counts: StatusTotals) => planned ?? counts[status ?? 'total']
  if (rows) {
    const [people, planned] = await Promise.all([listOnFloor(db, floor, rows), counting])
    return (counts) => presentOccupants(people, totalIn(planned, counts), counts, request)
  }
  const window = attentionWindow(request)
  const [people, planned] = await Promise.all([listByAttention(db, floor, { status, assist }, window), counting])
  return (counts) => presentByAttention(people, totalIn(planned, counts), counts, request)
}

export function setFloorStatus(
  services: Pick<Services, 'inBatch'>,
  call: typeof setFloorStatusCall,
  write: UnguardedWrite<typeof setFloorStatusCall>,
) {
  const { floorId: floorUid, floorStatusId: statusUid } = write.input.body
  const { seenSecondsAgo, seenByPhoneMs } = write
  return recordOnDuty(services, call, write, {
    kind: floorStatusRecords,
    record: (sent) => ({ ...sent, floorUid, statusUid, seenSecondsAgo, seenByPhoneMs }),
    present: ({ overruled }) => ({ status: 'success' as const, overruled }),
  })
}
