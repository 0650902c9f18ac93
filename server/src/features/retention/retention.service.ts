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

/** Number of deleted rows by kind. For `events`, number of events. */
export type Forgotten = Record<keyof RetentionDays, number>

/** Rows per transaction. While it runs, the real-time feed is delayed (docs/realtime.md). */
const stepSize = { rows: 2_000, pages: 100 }

/**
 * Deletes data past its retention (AMB-153, T27). A kind without a number of days is kept forever. Works in short
 * transactions and deletes the event's own row last, so that an interrupted or repeated job continues. Nothing reads an
 * event that ended a day ago, so nobody sees a partly deleted one.
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

/** The journal and the sign-in log. */
async function forgetAudit(system: Pool, days: number, size: typeof stepSize): Promise<number> {
  return (await forgetOld(system, aging.journal(days), size)) + (await forgetOld(system, aging.signInLog(days), size))
}

/** Repeats `step` on the oldest event until none is left. Returns the sum of its results. */
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
