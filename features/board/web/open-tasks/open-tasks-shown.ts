import { type Need, needKinds } from '../../open-tasks.ts'

export interface NeedShown {
  need: Need
  /** It is done: struck, and gone at the next reading. */
  isDone: boolean
}
export interface NeedsShown {
  items: readonly NeedShown[]
  /** New ones that wait while the list is held. */
  waiting: number
}

export const noNeeds: NeedsShown = { items: [], waiting: 0 }

/**
 * What the list shows after a reading. While it is held by pointer or focus nothing moves: new entries wait, and
 * what is done stays struck where it is. Else an entry that is done is struck for one reading.
 */
export function nextShown(before: NeedsShown, needs: readonly Need[], isHeld: boolean): NeedsShown {
  const now = new Map(needs.map((need) => [need.key, need]))
  if (isHeld) {
    const shown = new Set(before.items.map(({ need }) => need.key))
    return {
      items: before.items.map(({ need }) => ({ need: now.get(need.key) ?? need, isDone: !now.has(need.key) })),
      waiting: needs.filter(({ key }) => !shown.has(key)).length,
    }
  }
  const items: NeedShown[] = needs.map((need) => ({ need, isDone: false }))
  for (const { need, isDone } of before.items) if (!isDone && !now.has(need.key)) strike(items, need)
  return { items, waiting: 0 }
}

const rank = ({ kind }: Need) => needKinds.indexOf(kind)

/** Among those of its kind: what is worse stays above. */
function strike(items: NeedShown[], need: Need) {
  const at = items.findIndex((other) => rank(other.need) >= rank(need))
  items.splice(at < 0 ? items.length : at, 0, { need, isDone: true })
}
