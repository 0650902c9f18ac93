import type { Changed, Publication } from '#features/live-updates/calls/realtime.ts'

/** More ids than this become an empty list, which means "any of them". */
export const maxIds = 50

const gravity: Record<string, number> = { ok: 0, removed: 1, unauthorized_access: 2 }

/** Of two publications, or parts of one, the graver keeps its status and text. Between equals the later one does. */
export const isGraver = (later: string | undefined, earlier: string) =>
  (gravity[later ?? 'ok'] ?? 0) >= (gravity[earlier] ?? 0)

/** One publication that says what both say. Of what has a state, such as the unread fields, the later state. */
export function join(earlier: Publication, later: Publication): Publication {
  const { status, message } = isGraver(later.status, earlier.status) ? later : earlier
  const both: Publication = { ...earlier, ...later, status, message }
  if (earlier.event?.status === false) both.event = earlier.event
  if (earlier.changed && later.changed) both.changed = joinChanged(earlier.changed, later.changed)
  return both
}

function joinChanged(earlier: readonly Changed[], later: readonly Changed[]): Changed[] {
  const topics = new Map(earlier.map((changed) => [changed.topic, changed]))
  for (const changed of later) {
    const known = topics.get(changed.topic)
    topics.set(changed.topic, known ? joinTopic(known, changed) : changed)
  }
  return [...topics.values()]
}

/** Empty ids, and left out floors, mean any. */
function joinTopic(earlier: Changed, later: Changed): Changed {
  const isAny = earlier.ids.length === 0 || later.ids.length === 0
  const changed: Changed = { topic: earlier.topic, ids: isAny ? [] : (union(earlier.ids, later.ids) ?? []) }
  const floors = earlier.floors && later.floors && union(earlier.floors, later.floors)
  if (floors) changed.floors = floors
  return changed
}

function union<Id>(some: readonly Id[], others: readonly Id[]): Id[] | undefined {
  const all = new Set([...some, ...others])
  return all.size > maxIds ? undefined : [...all]
}

/** What a channel gets: its data with the transaction `at` up to which it tells everything. */
export const encode = (data: Publication, at: number) => JSON.stringify({ ...data, at })
