import type { Tx } from '#server/platform/db/db.ts'
import type { LogOf, OwnEntry } from '../sealing.queries.ts'
import * as queries from './opening.queries.ts'

/**
 * The first entry of a log: its serial, and the log before it with its newest head. A log that is gone is named by the head that
 * was kept of it.
 */
export async function openingOf(tx: Tx, { clientUid }: LogOf): Promise<{ serial: number; entry: OwnEntry }> {
  const serial = await queries.takeSerial(tx, clientUid)
  const before = serial > 1 ? await queries.findSerial(tx, clientUid, serial - 1) : undefined
  const previous = before
    ? {
        serial: serial - 1,
        event: before.event,
        size: before.size ?? 0,
        root: before.root,
        ...(!before.isHere && { gone: true }),
      }
    : null
  return { serial, entry: { action: 'log_opened', after: { serial, previous } } }
}
