import type { ClientUid, EventUid } from '@evac/contract/ids.ts'
import type { Db, Tx } from '../../platform/db/db.ts'
import { countTold, type ToldOfPlace } from './causes.queries.ts'
import { type Contradiction, listContradictions } from './contradictions.queries.ts'

/** BOARD-10, REC-05: what plans, messages, texts and own words tell of people, by place. */
export const toldByPlace = (tx: Tx, clientUid: ClientUid, eventUid: EventUid): Promise<ToldOfPlace[]> =>
  countTold(tx, clientUid, eventUid)

/** REC-06, REC-07: contradictions of floors and people that nobody keeps, the oldest first. */
export const contradictionsOf = (db: Db, clientUid: ClientUid, eventUid: EventUid): Promise<Contradiction[]> =>
  listContradictions(db, clientUid, eventUid)
