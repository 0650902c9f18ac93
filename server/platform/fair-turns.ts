import { Refusal } from './errors.ts'

/** Position in the queue. Lanes are served in turn. Within a lane the lowest rank goes first. */
export interface Turn {
  lane: string
  rank: number
}
interface Waiting {
  rank: number
  start: () => void
  refuse: (why: Refusal) => void
}

/**
 * Runs at most `atOnce` pieces of work; the rest wait. A lane with much work delays only itself. When `longestQueue`
 * pieces wait in all, the longest lane drops its last one (503).
 */
export function fairTurns(atOnce: number, longestQueue: number) {
  // a served lane moves to the end and an empty one is deleted, so the queue bounds the memory
  const lanes = new Map<string, Waiting[]>()
  let running = 0
  let waiting = 0

  function enter({ lane, rank }: Turn): Promise<void> {
    return new Promise((start, refuse) => {
      const line = lanes.get(lane) ?? []
      lanes.set(lane, line)
      line.splice(line.findLastIndex((other) => other.rank <= rank) + 1, 0, { rank, start, refuse })
      waiting++
      if (waiting > longestQueue) dropOne(lane)
    })
  }

  /** Drops the last entry of the longest lane, which is `newest` if no lane is longer. */
  function dropOne(newest: string) {
    let longest = newest
    for (const [lane, line] of lanes) if (line.length > lengthOf(longest)) longest = lane
    const line = lanes.get(longest) as Waiting[]
    line.pop()?.refuse(new Refusal('unavailable'))
    waiting--
    if (line.length === 0) lanes.delete(longest)
  }
  const lengthOf = (lane: string) => lanes.get(lane)?.length ?? 0

  function startNext() {
    const [next] = lanes
    if (!next) return void running--
    const [lane, line] = next
    lanes.delete(lane)
    waiting--
    line.shift()?.start()
    if (line.length > 0) lanes.set(lane, line)
  }

  async function inTurn<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    if (running >= atOnce) await enter(turn)
    else running++
    try {
      return await work()
    } finally {
      startNext()
    }
  }
  return Object.assign(inTurn, { waiting: () => waiting })
}

const strangersTurn = fairTurns(3, 2_000)

/**
 * Database work for callers who are not signed in. These calls are not limited by address, because a whole site shares
 * one address; addresses take turns instead. Three at once leave pool connections for everyone else.
 */
export const inStrangersTurn = <T>(lane: string, work: () => Promise<T>) => strangersTurn({ lane, rank: 0 }, work)
