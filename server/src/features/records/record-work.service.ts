import type { Db, Pool } from '../../platform/db/db.ts'
import { inClients } from '../../platform/db/db.ts'
import { writeRecord } from './figures.service.ts'
import * as queries from './record-work.queries.ts'

/**
 * AAR-03: numbers ended events and writes their records. Any number of workers may run at once; a killed one's record is
 * begun anew after a minute. Trouble with one record does not stop the others.
 */
export async function writeDueRecords(
  { db: system }: Pool,
  onTrouble: (error: unknown) => void,
  stopping: AbortSignal,
): Promise<void> {
  for (const clientUid of await queries.listUnnumbered(system))
    await inClients(system, [clientUid], async (tx) =>
      queries.numberEnded(tx, clientUid, await queries.lockCounter(tx, clientUid)),
    ).catch(onTrouble)
  while (!stopping.aborted) {
    const due = await queries.claimDue(system)
    if (!due) return
    await write(system, due).catch(async (error: unknown) => {
      await queries.noteFailed(system, due)
      onTrouble(error)
    })
  }
}

/** One transaction with one view of the data, so that all figures are of one moment. */
async function write(system: Db, due: queries.Due): Promise<void> {
  await system
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const record = await writeRecord(tx, due, {
        ...{ number: due.number, shift: null, actionsBefore: await queries.countOpenActions(tx, due) },
        earlier: await queries.listEarlier(tx, due),
      })
      await queries.keepRecord(tx, due, record)
    })
}
