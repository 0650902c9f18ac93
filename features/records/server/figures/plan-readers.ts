import { readersOfMany } from '#features/peeps/server/access/peep-readers.service.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { EventRecord } from '../../calls/record.ts'
import type { Of } from '../count/facts.queries.ts'

/** Readers who opened more plans than one usually needs. Absent where there are none. */
export async function readersOfPlans(tx: Tx, of: Of): Promise<Pick<EventRecord['plans'], 'opened'>> {
  const opened = await readersOfMany(tx, of)
  return opened.length > 0 ? { opened } : {}
}
