import type { FloorStatusUid, FloorUid } from '@evac/contract/ids.ts'
import type { Db } from '../../platform/db/db.ts'
import type { DutyActor } from '../../wardens/actor.ts'
import { isCovered, listAreaPlaces } from '../../wardens/warden-area.ts'
import { type EventFloorRow, listEventFloors } from './evacuation.queries.ts'
import type { PlaceUid } from './tally.queries.ts'

/**
 * Every floor of the event's buildings, and those of the warden's own area (AMB-120). Whose area is not in the event, as an
 * event manager's may not be, belongs to each of its buildings (AMB-095): "nobody" would read as nobody to look for.
 */
export interface EventPlaces {
  all: EventFloorRow[]
  own: EventFloorRow[]
}

export async function eventPlaces(db: Db, { event, assignment }: DutyActor): Promise<EventPlaces> {
  const all = await listEventFloors(db, event.uid)
  if (assignment.areaDomain === 'Site') return { all, own: all }
  const area = await listAreaPlaces(db, assignment.uid)
  const own = all.filter((row) => isCovered(row, area))
  return { all, own: own.length > 0 ? own : all }
}

/** A floor of the event: not the row of a building without any. */
export type EventFloor = EventFloorRow & { floorUid: FloorUid; floorName: string; floorStatusUid: FloorStatusUid }
export const isFloor = (row: EventFloorRow): row is EventFloor => row.floorUid !== null

/**
 * Floors as places, and with a building whose floors are all among them its people without a floor: nobody may drop out of
 * every list because they are on no floor.
 */
export function placesOf(floors: readonly EventFloorRow[], all: readonly EventFloorRow[]): PlaceUid[] {
  const chosen = new Set(floors)
  const partly = new Set(all.filter((row) => !chosen.has(row)).map(({ buildingUid }) => buildingUid))
  const whole = new Set(floors.map(({ buildingUid }) => buildingUid).filter((uid) => !partly.has(uid)))
  return [...floors.flatMap(({ floorUid }) => floorUid ?? []), ...whole]
}
