import { type Db, inClients, type Pool } from '../../platform/db/db.ts'
import { record, unattended } from '../../platform/db/journal.ts'
import { closeLog, packDataFiles } from '../log/closing.service.ts'
import { signHead } from '../log/heads.service.ts'
import { sealEvent } from '../log/sealing.service.ts'
import type { Of } from './figures.queries.ts'
import { writeRecord } from './figures.service.ts'
import * as queries from './record-work.queries.ts'
import { shiftOf, shiftsOf } from './shifts.ts'

interface Writing {
  system: Pool['db']
  /** Signs the heads of logs. */
  signer: Parameters<typeof signHead>[1]
}

/**
 * AAR-03: numbers ended events, writes their records and closes their logs. Any number of workers may run at once; a killed
 * one's record is begun anew after a minute. Trouble with one record does not stop the others.
 */
export async function writeDueRecords(
  { system, signer }: Writing,
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
    await write({ system, signer }, due).catch(async (error: unknown) => {
      await queries.noteFailed(system, due)
      onTrouble(error)
    })
  }
}

/** The record, the closing of its log and the head that has both. */
async function write({ system, signer }: Writing, due: queries.Due): Promise<void> {
  const of = { clientUid: due.clientUid, eventUid: due.eventUid }
  await sealEvent(system, of)
  if (await keep(system, of, due)) {
    await sealEvent(system, of)
    await signHead(system, signer, of)
  }
}

/** One transaction with one view of the data, so that all figures are of one moment. False if there was nothing to do. */
async function keep(system: Db, of: Of, due: queries.Due): Promise<boolean> {
  const packed = await packDataFiles(system, of)
  return system
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const { clientUid, eventUid, number, kind } = due
      const shifts = shiftsOf(due.drillShifts)
      const written = await writeRecord(tx, of, {
        ...{ number, shift: shiftOf(shifts, due.minute)?.name ?? null },
        actionsBefore: await queries.countOpenActions(tx, due),
        earlier: await queries.listEarlier(tx, due),
      })
      if (!(await queries.keepRecord(tx, of, written))) return false
      const closing = { number, kind, previous: await queries.findPrevious(tx, due) }
      const closed = await closeLog(tx, of, closing, packed)
      // LOG-07
      await record(tx, unattended(clientUid), {
        ...{ action: 'record_closed', subjectType: 'event', subjectUid: eventUid, eventUid },
        after: { ...closed },
      })
      return true
    })
}
