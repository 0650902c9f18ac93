import { sql } from 'kysely'
import type { ClientUid, EventUid, PersonUid } from '#kernel/ids.ts'
import type { Db } from '#server/platform/db/db.ts'
import { type OccupantRow, occupantColumns, occupantJoins } from './evacuation.queries.ts'

/** One person of the event, with the columns of the floor lists. */
export async function findOccupantRow(
  db: Db,
  { clientUid, eventUid, personUid }: { clientUid: ClientUid; eventUid: EventUid; personUid: PersonUid },
): Promise<OccupantRow | undefined> {
  const { rows } = await sql<OccupantRow>`
    select ${occupantColumns}, true as is_here
    from evacuee e ${occupantJoins}
    where e.client_uid = ${clientUid} and e.event_uid = ${eventUid} and e.person_uid = ${personUid} and e.active`.execute(
    db,
  )
  return rows[0]
}
