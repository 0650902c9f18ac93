import type { PlaceUid } from '#features/evacuation/server/tally.service.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { type CallRow, type CallsOfPlace, listCalls, listCallsOfPlace } from './calls-for-help.queries.ts'
import type { EventOf } from './match-person.queries.ts'

export type { CallRow, CallsOfPlace } from './calls-for-help.queries.ts'

/** Open calls for help by place, for the board. */
export const callsByPlace = (tx: Tx, of: EventOf): Promise<CallsOfPlace[]> => listCalls(tx, of)

/** Those of one place, for its panel. */
export const callsOfPlace = (tx: Tx, of: EventOf, placeUid: PlaceUid, most: number): Promise<CallRow[]> =>
  listCallsOfPlace(tx, of, placeUid, most)
