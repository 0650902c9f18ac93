import type { RetentionDays } from '../../config.ts'
import type { Pool } from '../../platform/db.ts'
import {
  claimEndedEvent,
  deleteAudit,
  deleteEndedPeeps,
  deleteEvent,
  deleteExpired,
  deleteMessages,
  deleteTextsOutsideEvents,
} from './retention.queries.ts'

/** Rows that are gone, by kind; of `events`, events. */
export type Forgotten = Record<keyof RetentionDays, number>

/**
 * Deletes what the operator wants kept no longer (AMB-153, T27); a kind without a number of days stays for ever. One
 * event is one transaction, so a job that is killed or comes twice leaves no half of one.
 */
export async function forget(system: Pool, days: RetentionDays): Promise<Forgotten> {
  await deleteExpired(system.db)
  return {
    messages: days.messages === undefined ? 0 : await forgetMessages(system, days.messages),
    events: days.events === undefined ? 0 : await forgetEvents(system, days.events),
    audit: days.audit === undefined ? 0 : await deleteAudit(system.db, days.audit),
    peeps: days.peeps === undefined ? 0 : await deleteEndedPeeps(system.db, days.peeps),
  }
}

async function forgetMessages(system: Pool, days: number): Promise<number> {
  const inEvents = await eachEndedEvent(system, { days, withMessagesOnly: true }, deleteMessages)
  return inEvents + (await deleteTextsOutsideEvents(system.db, days))
}

async function forgetEvents(system: Pool, days: number): Promise<number> {
  return eachEndedEvent(system, { days, withMessagesOnly: false }, async (tx, event) => {
    await deleteMessages(tx, event)
    await deleteEvent(tx, event)
    return 1
  })
}

/** Answers the sum of what `work` answers. */
async function eachEndedEvent(
  system: Pool,
  which: Parameters<typeof claimEndedEvent>[1],
  work: (...args: Parameters<typeof deleteMessages>) => Promise<number>,
): Promise<number> {
  let sum = 0
  for (;;) {
    const done = await system.db.transaction().execute(async (tx) => {
      const event = await claimEndedEvent(tx, which)
      return event && work(tx, event)
    })
    if (done === undefined) return sum
    sum += done
  }
}
