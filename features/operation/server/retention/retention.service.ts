import { eraseLines, forgetSecrets } from '#features/log/server/erasure.service.ts'
import type { RetentionDays } from '#server/platform/config/config.ts'
import type { Pool, Tx } from '#server/platform/db/db.ts'
import { dropVerifiedActions } from './record-entries.queries.ts'
import {
  type Aging,
  aging,
  claimEndedEvent,
  deleteEndedPeeps,
  deleteEvent,
  deleteMessages,
  deleteOldRows,
  dropRecords,
  type EndedEvent,
  expired,
  findFewestDays,
  findOldPages,
  isHeldNow,
} from './retention.queries.ts'

/** Number of deleted rows by kind. For `events`, number of events. */
export type Forgotten = Record<keyof RetentionDays, number> & { records?: number }

/** Rows per transaction. While it runs, the real-time feed is delayed (docs/realtime.md). */
const stepSize = { rows: 2_000, pages: 100 }

/**
 * Deletes data past its retention, by the days of its organisation or the installation's. A kind
 * without a number of days is kept forever. Works in short transactions and deletes the event's own row last, so that an
 * interrupted or repeated job continues. Nothing reads an event that ended a day ago, so no one sees a partly deleted one.
 */
export async function forget(
  system: Pool,
  { records, ...days }: RetentionDays & { records?: number | undefined },
  size = stepSize,
): Promise<Forgotten> {
  for (const rows of expired) await forgetOld(system, rows, size)
  const forgotten = { messages: 0, events: 0, audit: 0, peeps: 0 }
  for (const kind of Object.keys(forgotten) as (keyof RetentionDays)[]) {
    const fewest = await findFewestDays(system.db, kind, days[kind])
    if (fewest !== null) forgotten[kind] = await forgetters[kind](system, { days: days[kind], fewest }, size)
  }
  await dropVerifiedActions(system.db)
  return records === undefined ? forgotten : { ...forgotten, records: await dropRecords(system.db, records) }
}

const logOf = ({ clientUid, uid }: EndedEvent) => ({ clientUid, eventUid: uid })

/** Days of the installation, and the fewest of any organisation, which spare rows that no one wants deleted yet. */
interface Wanted {
  days: number | undefined
  fewest: number
}

const forgetters: Record<
  keyof RetentionDays,
  (system: Pool, wanted: Wanted, size: typeof stepSize) => Promise<number>
> = {
  messages: forgetMessages,
  events: (system, { days }, size) =>
    eachEndedEvent(system, { kind: 'events', days }, async (tx, event) => {
      await eraseLines(tx, logOf(event), 'events')
      return Number(await deleteEvent(tx, event, size.rows))
    }),
  audit: forgetAudit,
  peeps: (system, { days }) => deleteEndedPeeps(system.db, days),
}

async function forgetMessages(system: Pool, { days, fewest }: Wanted, size: typeof stepSize): Promise<number> {
  const inEvents = await eachEndedEvent(system, { kind: 'messages', days }, async (tx, event) => {
    await eraseLines(tx, logOf(event), 'messages')
    return deleteMessages(tx, event, size.rows)
  })
  return inEvents + (await forgetOld(system, aging.texts(fewest, days), size))
}

/** The journal, plans that were seen, and the sign-in log. */
async function forgetAudit(system: Pool, { days, fewest }: Wanted, size: typeof stepSize): Promise<number> {
  const entries =
    (await forgetOld(system, aging.journal(fewest, days), size)) +
    (await forgetOld(system, aging.plansSeen(fewest, days), size))
  await forgetSecrets(system.db)
  return entries + (await forgetOld(system, aging.signInLog(fewest, days), size))
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
      if (event && (await isHeldNow(tx, event))) return 0
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
