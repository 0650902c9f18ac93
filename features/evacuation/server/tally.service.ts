import type { RawBuilder } from 'kysely'
import type { ClientUid, EventUid } from '#kernel/ids.ts'
import type { Db } from '#server/platform/db/db.ts'
import { type BuildingTally, eventTallies, hasUnsettled, listBuildingTallies, listTallies } from './tally.queries.ts'

export type { PlaceUid, TallyLine } from './tally.queries.ts'

/** The event's buildings with their counts. */
export const buildingTallies = (db: Db, clientUid: ClientUid, eventUid: EventUid): Promise<BuildingTally[]> =>
  listBuildingTallies(db, clientUid, eventUid)

/** The counts of each place of the event. */
export const placeTallies = (db: Db, clientUid: ClientUid, eventUid: EventUid) => listTallies(db, clientUid, eventUid)

/** The counts of each place of the event, as a from-item `t` for a statement that reads more of the same moment. */
export const placeTalliesIn = (of: { clientUid: ClientUid; eventUid: EventUid }) => eventTallies(of)

/** A condition for a place, a column of a statement: somebody there is not safe, or refused to leave. Looked up for each place. */
export const isUnsettledIn = (of: { clientUid: ClientUid; eventUid: EventUid }, placeUid: RawBuilder<unknown>) =>
  hasUnsettled(of, placeUid)
