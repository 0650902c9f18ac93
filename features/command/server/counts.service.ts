import { listBuildingTallies } from '#features/evacuation/server/tally.queries.ts'
import type { Db } from '#server/platform/db/db.ts'
import type { CommandCounts } from '../calls/command.ts'
import { countFloors, type EventOf } from './command.queries.ts'

/** People of the event at this moment. */
export async function countPeople(db: Db, { clientUid, eventUid }: EventOf) {
  const counts = { safe: 0, unknown: 0, danger: 0 }
  for (const { safe, unknown, danger } of await listBuildingTallies(db, clientUid, eventUid)) {
    counts.safe += safe
    counts.unknown += unknown
    counts.danger += danger
  }
  return counts
}

export async function countEverybody(db: Db, event: EventOf): Promise<CommandCounts> {
  const { floors, cleared } = await countFloors(db, event)
  return { ...(await countPeople(db, event)), floors, floors_cleared: cleared }
}
