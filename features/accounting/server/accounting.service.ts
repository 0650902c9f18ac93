import type { ClientUid, EventUid } from '#kernel/ids.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { type Contradiction, listContradictions } from './contradictions.queries.ts'
import { type CountsOfPlace, countByPlace } from './counts.queries.ts'

/** Numbers of people by plans, messages, texts, own words and causes, of each place. */
export const countsByPlace = (tx: Tx, clientUid: ClientUid, eventUid: EventUid): Promise<CountsOfPlace[]> =>
  countByPlace(tx, clientUid, eventUid)

/** Contradictions of floors and people that nobody keeps, the oldest first. */
export const contradictionsOf = (db: Db, clientUid: ClientUid, eventUid: EventUid): Promise<Contradiction[]> =>
  listContradictions(db, clientUid, eventUid)
