import type { ClientUid, EventUid } from '@evac/contract/ids.ts'
import type { Db, Tx } from '../../platform/db/db.ts'
import { type CausesOfPlace, countCauses } from './causes.queries.ts'
import { type Contradiction, listContradictions } from './contradictions.queries.ts'

/** REC-05: how many unknown people each place has, by why they are unknown. A cause without people has no row. */
export const causesByPlace = (tx: Tx, clientUid: ClientUid, eventUid: EventUid): Promise<CausesOfPlace[]> =>
  countCauses(tx, clientUid, eventUid)

/** REC-06, REC-07: contradictions of floors and people that nobody keeps, the oldest first. */
export const contradictionsOf = (db: Db, clientUid: ClientUid, eventUid: EventUid): Promise<Contradiction[]> =>
  listContradictions(db, clientUid, eventUid)
