import type { Db } from '../../platform/db/db.ts'
import { type BuildingTally, listBuildingTallies } from './tally.queries.ts'

/** BLDG-01..06: the event's buildings with their counts. */
export const buildingTallies = (db: Db, clientUid: string, eventUid: string): Promise<BuildingTally[]> =>
  listBuildingTallies(db, clientUid, eventUid)
