import type { FloorStatusUid, FloorUid } from '#kernel/ids.ts'
import type { Db } from '#server/platform/db/db.ts'
import type { DutyActor } from '#server/wardens/actor.ts'
import { isCovered, listAreaPlaces } from '#server/wardens/warden-area.ts'
import { type EventFloorRow, listEventFloors } from './evacuation.queries.ts'
import type { PlaceUid } from './tally.queries.ts'

/**
 * All floors of the event's buildings, and those of the warden's own area. If the area is not in the event, as
 * may happen to an event manager, `own` is all floors: an empty list would look as if no one were missing.
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

/** A floor of the event. Excludes the row of a building without floors. */
export type EventFloor = EventFloorRow & { floorUid: FloorUid; floorName: string; floorStatusUid: FloorStatusUid }
export const isFloor = (row: EventFloorRow): row is EventFloor => row.floorUid !== null

/**
 * The floors as places. A building whose floors are all given is a place too, because otherwise its people without a
 * floor would be in no list.
 */
export function placesOf(floors: readonly EventFloorRow[], all: readonly EventFloorRow[]): PlaceUid[] {
  const chosen = new Set(floors)
  const partly = new Set(all.filter((row) => !chosen.has(row)).map(({ buildingUid }) => buildingUid))
  const whole = new Set(floors.map(({ buildingUid }) => buildingUid).filter((uid) => !partly.has(uid)))
  return [...floors.flatMap(({ floorUid }) => floorUid ?? []), ...whole]
}
