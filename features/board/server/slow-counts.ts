import { countByPlace } from '#features/accounting/server/counts.queries.ts'
import type { PlaceUid } from '#features/evacuation/server/tally.queries.ts'
import type { Db } from '#server/platform/db/db.ts'
import { type BoardOf, keyOf, ofOneMoment, readSteadyNow } from './one-moment.ts'

/** What a place has that may be up to 10 s older than the rest. */
export type SlowPlace = Awaited<ReturnType<typeof countByPlace>>[number]

export interface SlowPart {
  at: Date
  places: ReadonlyMap<PlaceUid, SlowPlace>
}

/** Plans, messages, texts, own words and causes of the event, all of one moment. */
export const readSlowPart = (db: Db, of: BoardOf): Promise<SlowPart> =>
  ofOneMoment(db, of, async (tx) => {
    const counts = await countByPlace(tx, of.clientUid, of.eventUid)
    return { at: await readSteadyNow(tx), places: new Map(counts.map((place) => [place.placeUid, place])) }
  })

/** A part is made anew when it is this old. Nobody waits for that. */
const renewMs = 10_000
/** Older than this it is not shown as it is: who reads first after a while waits for a new one. */
const staleMs = 15_000

interface Part<T> {
  made?: T
  begunAt: number
  making?: Promise<T>
}

/** What costs more than a snapshot and may be older, one for each event: made once in ten seconds, while somebody reads. */
export function keepSlowParts<T>(make: (of: BoardOf) => Promise<T>, onTrouble: (error: unknown) => void) {
  const parts = new Map<string, Part<T>>()

  function renew(of: BoardOf, part: Part<T>): Promise<T> {
    const begin = async () => {
      part.begunAt = performance.now()
      part.made = await make(of)
      return part.made
    }
    part.making ??= begin().finally(() => {
      delete part.making
    })
    return part.making
  }

  function forgetOld(now: number) {
    for (const [key, { begunAt, making }] of parts) if (!making && now - begunAt > staleMs) parts.delete(key)
  }

  return async function read(of: BoardOf): Promise<T> {
    const key = keyOf(of)
    const now = performance.now()
    forgetOld(now)
    const part = parts.get(key) ?? { begunAt: now }
    parts.set(key, part)
    if (part.made === undefined) return renew(of, part)
    if (now - part.begunAt > renewMs) renew(of, part).catch(onTrouble)
    return part.made
  }
}
