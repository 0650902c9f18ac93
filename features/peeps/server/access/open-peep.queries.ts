import type { ClientUid, EventUid, PersonUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'

export interface PersonOfEvent {
  clientUid: ClientUid
  eventUid: EventUid
  personUid: PersonUid
}

/** The plan of someone who is in the event. */
export function findPlan(tx: Tx, { clientUid, eventUid, personUid }: PersonOfEvent) {
  return tx
    .selectFrom('evacuee as e')
    .innerJoin('peep as q', (j) => j.onRef('q.clientUid', '=', 'e.clientUid').onRef('q.personUid', '=', 'e.personUid'))
    .select(['q.assistance', 'q.disability', 'q.other'])
    .where('e.clientUid', '=', clientUid)
    .where('e.eventUid', '=', eventUid)
    .where('e.personUid', '=', personUid)
    .where('e.active', '=', true)
    .where('q.active', '=', true)
    .executeTakeFirst()
}

/** Each is owed one notice, however often the plan is opened. In the order of the people, so that two never wait for each other. */
export async function oweNotices(
  tx: Tx,
  { clientUid, eventUid, people }: { clientUid: ClientUid; eventUid: EventUid; people: readonly PersonUid[] },
): Promise<void> {
  if (people.length === 0) return
  await tx
    .insertInto('planNotice')
    .values([...new Set(people)].toSorted().map((personUid) => ({ clientUid, eventUid, personUid })))
    .onConflict((conflict) => conflict.columns(['clientUid', 'eventUid', 'personUid']).doNothing())
    .execute()
}
