import type { UnknownCause } from '@evac/contract/command/board-words.ts'
import type { Db } from '../../platform/db/db.ts'
import { causesByPlace } from '../accounting/accounting.service.ts'
import type { PlaceUid } from '../evacuation/tally.service.ts'
import { type BoardOf, ofOneMoment } from './board-of.ts'
import * as queries from './slow.queries.ts'

/** What a place has that may be up to 10 s older than the rest (BOARD-04). */
export interface SlowPlace {
  plans: number
  unanswered: number
  unansweredAt: Date | null
  textFailed: number
  causes: Partial<Record<UnknownCause, number>>
}

export interface SlowPart {
  at: Date
  ownWord: number
  places: ReadonlyMap<PlaceUid, SlowPlace>
}

const nothing = (): SlowPlace => ({
  ...{ plans: 0, unanswered: 0, unansweredAt: null, textFailed: 0 },
  causes: {},
})

/** Plans, messages, texts and causes of the event, all of one moment. */
export function readSlowPart(db: Db, of: BoardOf): Promise<SlowPart> {
  return ofOneMoment(db, of, async (tx) => {
    const places = new Map<PlaceUid, SlowPlace>()
    const placeOf = (uid: PlaceUid) => {
      const place = places.get(uid) ?? nothing()
      places.set(uid, place)
      return place
    }
    for (const { placeUid, count } of await queries.countPlans(tx, of)) placeOf(placeUid).plans = count
    for (const { placeUid, count, oldest } of await queries.countUnanswered(tx, of))
      Object.assign(placeOf(placeUid), { unanswered: count, unansweredAt: oldest })
    for (const { placeUid, count } of await queries.countFailedTexts(tx, of)) placeOf(placeUid).textFailed = count
    for (const { placeUid, cause, count } of await causesByPlace(tx, of.clientUid, of.eventUid))
      placeOf(placeUid).causes[cause] = count
    return { at: await queries.readSteadyNow(tx), ownWord: await queries.countOwnWord(tx, of), places }
  })
}
