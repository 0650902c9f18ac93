import type { PlaceUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { NewAddition } from '../../calls/additions.ts'
import { type Found, listReached, type Reach } from '../record-access.service.ts'
import { findEntryFloor } from '../timeline.queries.ts'

type Correction = Extract<NewAddition, { kind: 'correction' }>['body']

/**
 * What is corrected is of the event and within reach. Sentences and figures of the event need all of its
 * buildings. Returns the place of it, by which others find it. Throws `not_found`.
 */
export async function requireCorrected(
  tx: Tx,
  reach: Reach,
  found: Found,
  correction: Correction,
): Promise<{ place?: PlaceUid }> {
  const { eventUid, isWhole } = found
  if ('entry' in correction) {
    const position = /^\d{1,18}\.(\d{1,18})$/.exec(correction.entry)?.[1]
    const floor = position && (await findEntryFloor(tx, reach, { eventUid, isWhole, position }))
    if (floor === undefined) throw new Refusal('not_found')
    return floor ? { place: floor } : {}
  }
  if ('sentence' in correction) {
    // one that the record lacks is corrected too: it should have been there
    if (!isWhole) throw new Refusal('not_found')
    return {}
  }
  await requireFigure(tx, reach, found, correction)
  return {}
}

async function requireFigure(
  tx: Tx,
  reach: Reach,
  { buildingUids, floorUids, isWhole }: Found,
  { figure, place }: Extract<Correction, { figure: unknown }>,
) {
  if ((figure === 'clear_after') !== (place !== undefined))
    throw new Refusal('invalid_request', 'Only the time to clear can be for a building or a floor.', ['body/place'])
  if (isWhole && place === undefined) return
  const ofEvent: readonly (PlaceUid | undefined)[] = [...buildingUids, ...floorUids]
  if (!ofEvent.includes(place) || !(isWhole || (await listReached(tx, reach)).has(place ?? '')))
    throw new Refusal('not_found')
}
