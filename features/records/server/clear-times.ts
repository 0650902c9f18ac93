import type { FloorUid } from '#kernel/ids.ts'
import type { FloorChange } from './figures.queries.ts'

type Change = Omit<FloorChange, 'statusUid'>

/** Seconds since the start, by the time seen. Null: never, or not at the end. */
export interface ClearTimes {
  firstClear: number | null
  clear: number | null
  /** When the server recorded what `clear` is about. */
  clearRecorded: number | null
  /** How often the floor left a status that means clear. */
  reopened: number
}

export const neverClear: ClearTimes = { firstClear: null, clear: null, clearRecorded: null, reopened: 0 }

/** The clear times of each floor from its changes in the order of the time seen. */
export function clearTimesOf(floors: readonly FloorUid[], changes: readonly Change[]): Map<FloorUid, ClearTimes> {
  const times = new Map(floors.map((uid) => [uid, neverClear]))
  for (const change of changes) {
    for (const uid of change.floorUid ? [change.floorUid] : floors) {
      const before = times.get(uid)
      if (before) times.set(uid, after(before, change))
    }
  }
  return times
}

function after(before: ClearTimes, { clears, seen, recorded }: Change): ClearTimes {
  const isClear = before.clear !== null
  if (clears === isClear) return before
  if (!clears) return { ...before, clear: null, clearRecorded: null, reopened: before.reopened + 1 }
  return { ...before, firstClear: before.firstClear ?? seen, clear: seen, clearRecorded: recorded }
}

/** A building or an event is clear with its last floor. Null unless all of them are. */
export function clearWithLast(floors: readonly ClearTimes[]): Pick<ClearTimes, 'firstClear' | 'clear'> {
  const last = (times: readonly (number | null)[]) =>
    times.length > 0 && times.every((time) => time !== null) ? Math.max(...times) : null
  return { firstClear: last(floors.map(({ firstClear }) => firstClear)), clear: last(floors.map(({ clear }) => clear)) }
}
