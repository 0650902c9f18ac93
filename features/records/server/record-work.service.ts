import { closeLog, packDataFiles, packRecord } from '#features/log/server/closing.service.ts'
import { dropFacts } from '#features/log/server/facts/facts.queries.ts'
import { signHead } from '#features/log/server/heads.service.ts'
import { packPeople } from '#features/log/server/people/people-packed.service.ts'
import { sealEvent } from '#features/log/server/sealing.service.ts'
import { type Db, inClients } from '#server/platform/db/db.ts'
import { record, unattended } from '#server/platform/db/journal.ts'
import type { JsonObject } from '#server/platform/db/tables.ts'
import type { Of } from './count/facts.queries.ts'
import { writeRecord } from './figures.service.ts'
import * as queries from './record-work.queries.ts'
import { packReplay } from './replay/replay.ts'
import { shiftOf, shiftsOf } from './shifts.ts'

/** Reads and writes all, and signs the heads of logs. */
type Writing = Parameters<typeof signHead>[0]

/**
 * Numbers ended events, writes their records and closes their logs. Any number of workers may run at once; a killed
 * one's record is begun anew after a minute. Trouble with one record does not stop the others.
 */
export async function writeDueRecords(
  signing: Writing,
  onTrouble: (error: unknown) => void,
  stopping: AbortSignal,
): Promise<void> {
  const { system } = signing
  for (const clientUid of await queries.listUnnumbered(system))
    await inClients(system, [clientUid], async (tx) =>
      queries.numberEnded(tx, clientUid, await queries.lockCounter(tx, clientUid)),
    ).catch(onTrouble)
  while (!stopping.aborted) {
    const due = await queries.claimDue(system)
    if (!due) return
    await write(signing, due).catch(async (error: unknown) => {
      await queries.noteFailed(system, due)
      onTrouble(error)
    })
  }
}

/** The record, the closing of its log and the head that has both. */
async function write(signing: Writing, due: queries.Due): Promise<void> {
  const { system } = signing
  const of = { clientUid: due.clientUid, eventUid: due.eventUid }
  await sealEvent(system, of)
  await packPeople(system, of)
  if (await keep(system, of, due)) {
    await sealEvent(system, of)
    await signHead(signing, of)
    await dropFacts(system, of)
  }
}

/** The figures are of one moment. They are kept, and the log is closed, in a transaction that waits for erasures. */
async function keep(system: Db, of: Of, due: queries.Due): Promise<boolean> {
  const { number, kind, minute } = due
  const packed = await packDataFiles(system, of)
  const shift = shiftOf(shiftsOf(due.drillShifts), minute)?.name ?? null
  const written = await system
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const [actionsBefore, earlier] = [await queries.countOpenActions(tx, due), await queries.listEarlier(tx, due)]
      const sessionUids = await queries.listSessions(tx, of)
      const isEarly = await queries.isWrittenEarly(tx, of)
      return { sessionUids, ...(await writeRecord(tx, of, { number, shift, actionsBefore, earlier, isEarly })) }
    })
  const replay = written.replay && (await packReplay(written.replay))
  const packedRecord = await packRecord(asStored(written.record))
  return system.transaction().execute(async (tx) => {
    if (!(await queries.keepRecord(tx, of, { ...written, replay }))) return false
    const closing = { number, kind, previous: await queries.findPrevious(tx, due) }
    const closed = await closeLog(tx, of, closing, { ...packed, record: packedRecord })
    await record(tx, unattended(due.clientUid), {
      action: 'record_closed',
      subjectType: 'event',
      subjectUid: due.eventUid,
      eventUid: due.eventUid,
      after: { ...closed },
    })
    return true
  })
}

/** Without what JSON leaves out: the record in the log is the one that is read back. */
const asStored = (record: object): JsonObject => JSON.parse(JSON.stringify(record))
