import type { ClientUid, EventUid, PersonUid } from '#kernel/ids.ts'
import type { Db } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { Occupant } from '../calls/evacuation.ts'
import { findOccupantRow } from './occupant.queries.ts'
import { presentOccupant } from './occupant-page.ts'

/**
 * A person of the event as in the floor lists, without the text of their PEEP: the sender of a message sees only that
 * there is one. Throws `not_found`.
 */
export async function getOccupant(
  db: Db,
  person: { clientUid: ClientUid; eventUid: EventUid; personUid: PersonUid },
): Promise<Occupant> {
  const row = await findOccupantRow(db, person)
  if (!row) throw new Refusal('not_found')
  const occupant = presentOccupant(row)
  const special = occupant.special.map(({ peep, ...entry }) => (peep ? { ...entry, detail: '' } : entry))
  return { ...occupant, special }
}
