import type { ClientUid, EventUid } from '@evac/contract/ids.ts'
import type { Db } from '../../platform/db/db.ts'
import { type BuildingTally, eventTallies, listBuildingTallies, listTallies } from './tally.queries.ts'

export type { PlaceUid, TallyLine } from './tally.queries.ts'

/** BLDG-01..06: the event's buildings with their counts. */
export const buildingTallies = (db: Db, clientUid: ClientUid, eventUid: EventUid): Promise<BuildingTally[]> =>
  listBuildingTallies(db, clientUid, eventUid)

/** The counts of each place of the event. */
export const placeTallies = (db: Db, clientUid: ClientUid, eventUid: EventUid) => listTallies(db, clientUid, eventUid)

/** The counts of each place of the event, as a from-item `t` for a statement that reads more of the same moment. */
export const placeTalliesIn = (of: { clientUid: ClientUid; eventUid: EventUid }) => eventTallies(of)
