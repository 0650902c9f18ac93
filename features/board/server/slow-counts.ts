import { countsByPlace } from '#features/accounting/server/accounting.service.ts'
import type { PlaceUid } from '#features/evacuation/server/tally.service.ts'
import type { Db } from '#server/platform/db/db.ts'
import { type BoardOf, ofOneMoment, readSteadyNow } from './one-moment.ts'

/** What a place has that may be up to 10 s older than the rest. */
export type SlowPlace = Awaited<ReturnType<typeof countsByPlace>>[number]

export interface SlowPart {
  at: Date
  places: ReadonlyMap<PlaceUid, SlowPlace>
}

/** Plans, messages, texts, own words and causes of the event, all of one moment. */
export const readSlowPart = (db: Db, of: BoardOf): Promise<SlowPart> =>
  ofOneMoment(db, of, async (tx) => {
    const counts = await countsByPlace(tx, of.clientUid, of.eventUid)
    return { at: await readSteadyNow(tx), places: new Map(counts.map((place) => [place.placeUid, place])) }
  })
