import { eraseJournal, erasing, forgetSecrets } from '#features/log/server/erasing/erasure.service.ts'
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
  dropRecord,
  type EndedEvent,
  expired,
  findFewestDays,
  findOldPages,
  isHeldNow,
  listAudited,
  listOldRecords,
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
  return records === undefined ? forgotten : { ...forgotten, records: await forgetRecords(system, records) }
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
    eachEndedEvent(system, { kind: 'events', days }, (tx, event) =>
      erasing(tx, logOf(event), { why: 'event', days: event.days }, async () =>
        Number(await deleteEvent(tx, event, size.rows)),
      ),
    ),
  audit: forgetAudit,
  peeps: (system, { days }) => deleteEndedPeeps(system.db, days),
}

async function forgetMessages(system: Pool, { days, fewest }: Wanted, size: typeof stepSize): Promise<number> {
  const inEvents = await eachEndedEvent(system, { kind: 'messages', days }, (tx, event) =>
    erasing(tx, logOf(event), { why: 'messages', days: event.days }, () => deleteMessages(tx, event, size.rows)),
  )
  return inEvents + (await forgetOld(system, aging.texts(fewest, days), size))
}

/** Returns the number of records. */
const forgetRecords = (system: Pool, days: number): Promise<number> =>
  system.db.transaction().execute(async (tx) => {
    const old = await listOldRecords(tx, days)
    for (const event of old) await erasing(tx, logOf(event), { why: 'event', days }, () => dropRecord(tx, event))
    return old.length
  })

/** The journal, plans that were seen, and the sign-in log. The days of an event's entries count from its end, for all of them. */
async function forgetAudit(system: Pool, { days, fewest }: Wanted, size: typeof stepSize): Promise<number> {
  let entries = 0
  for (const event of await listAudited(system.db, days))
    entries += await eraseJournal(system.db, logOf(event), { days: event.days, most: size.rows })
  entries +=
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
