import type { RetentionDays } from '../../platform/config/config.ts'
import type { Pool, Tx } from '../../platform/db/db.ts'
import {
  type Aging,
  aging,
  claimEndedEvent,
  deleteEndedPeeps,
  deleteEvent,
  deleteMessages,
  deleteOldRows,
  type EndedEvent,
  expired,
  findOldPages,
} from './retention.queries.ts'

/** Rows that are gone, by kind; of `events`, events. */
export type Forgotten = Record<keyof RetentionDays, number>

/** What one transaction takes. As long as it runs the real-time feed tells nobody anything newer (docs/realtime.md). */
const stepSize = { rows: 2_000, pages: 100 }

/**
 * Deletes what the operator wants kept no longer (AMB-153, T27); a kind without a number of days stays for ever. In short
 * steps, the row of an event last: a job that is killed, fails or comes twice goes on where the last one stopped. Nothing
 * reads an event that ended a day ago or earlier, so nobody meets half of one.
 */
export async function forget(system: Pool, days: RetentionDays, size = stepSize): Promise<Forgotten> {
  for (const rows of expired) await forgetOld(system, rows, size)
  return {
    messages: days.messages === undefined ? 0 : await forgetMessages(system, days.messages, size),
    events: days.events === undefined ? 0 : await forgetEvents(system, days.events, size),
    audit: days.audit === undefined ? 0 : await forgetAudit(system, days.audit, size),
    peeps: days.peeps === undefined ? 0 : await deleteEndedPeeps(system.db, days.peeps),
  }
}

async function forgetMessages(system: Pool, days: number, size: typeof stepSize): Promise<number> {
  const inEvents = await eachEndedEvent(system, { days, withMessagesOnly: true }, (tx, event) =>
    deleteMessages(tx, event, size.rows),
  )
  return inEvents + (await forgetOld(system, aging.texts(days), size))
}

async function forgetEvents(system: Pool, days: number, size: typeof stepSize): Promise<number> {
  return eachEndedEvent(system, { days, withMessagesOnly: false }, async (tx, event) =>
    Number(await deleteEvent(tx, event, size.rows)),
  )
}

/** The journal and the log of sign-ins. */
async function forgetAudit(system: Pool, days: number, size: typeof stepSize): Promise<number> {
  return (await forgetOld(system, aging.journal(days), size)) + (await forgetOld(system, aging.signInLog(days), size))
}

/** A step of the oldest event after the other, until none is left. Answers the sum of what `step` answers. */
async function eachEndedEvent(
  system: Pool,
  which: Parameters<typeof claimEndedEvent>[1],
  step: (tx: Tx, event: EndedEvent) => Promise<number>,
): Promise<number> {
  let sum = 0
  for (;;) {
    const done = await system.db.transaction().execute(async (tx) => {
      const event = await claimEndedEvent(tx, which)
      return event && step(tx, event)
    })
    if (done === undefined) return sum
    sum += done
  }
}

async function forgetOld(system: Pool, rows: Aging, { pages }: typeof stepSize): Promise<number> {
  const old = await findOldPages(system.db, rows)
  let sum = 0
  for (let first = old?.first ?? 0; old && first <= old.last; first += pages)
    sum += await deleteOldRows(system.db, rows, { first, last: first + pages - 1 })
  return sum
}
