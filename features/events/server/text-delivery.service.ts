import { budgetUsedUp } from '#features/texts/server/budget.service.ts'
import * as limits from '#kernel/limits.ts'
import type { CallAnswer } from '#kernel/route.ts'
import type { Db } from '#server/platform/db/db.ts'
import type { Actor } from '#server/wardens/actor.ts'
import type { EventTexts, listUnreached, TextCounts, Unreached } from '../calls/event-texts.ts'
import { findActiveEvent } from './event.queries.ts'
import {
  countEventTexts,
  countSkippedFor,
  isWritingBroadcasts,
  listUnreachedRows,
  type UnreachedRow,
} from './text-delivery.queries.ts'

const none: TextCounts = {
  queued: 0,
  handed_over: 0,
  delivered: 0,
  unconfirmed: 0,
  failed: 0,
  expired: 0,
  skipped: 0,
}

/** Delivery states of the texts of the event at the session's site, which show whom the event did not reach. */
export async function eventTexts(db: Db, actor: Actor): Promise<EventTexts> {
  const event = await ownEvent(db, actor)
  if (!event) return { event: null, counts: none, writing: false, over_budget: 0 }
  const writing = await isWritingBroadcasts(db, event.uid)
  const counted = await countEventTexts(db, event.uid)
  const counts = { ...none, ...Object.fromEntries(counted.map(({ status, count }) => [status, count])) }
  const over_budget = await countSkippedFor(db, event.uid, budgetUsedUp)
  return { event: event.uid, counts, writing, over_budget }
}

/** People to call instead. */
export async function unreached(
  db: Db,
  actor: Actor,
  after: string | undefined,
): Promise<CallAnswer<typeof listUnreached>> {
  const event = await ownEvent(db, actor)
  if (!event) return { persons: [], next: null }
  const rows = await listUnreachedRows(db, event.uid, after ?? null, limits.pageSize + 1)
  const persons = rows.slice(0, limits.pageSize).map(presentUnreached)
  return { persons, next: rows.length > limits.pageSize ? (persons.at(-1)?.id ?? null) : null }
}

const ownEvent = async (db: Db, { assignment }: Actor) => assignment && (await findActiveEvent(db, assignment.siteUid))

const presentUnreached = (row: UnreachedRow): Unreached => ({
  id: row.uid,
  name: row.name,
  phone: row.mobile,
  location: [row.buildingName, row.floorName].filter(Boolean).join(' - '),
  warden: row.isWarden,
  state: row.status,
  reason: row.reason ?? '',
})
