import { Refusal } from './errors.ts'

/** Whose turn it is: lanes are served one after the other, and within a lane the lowest rank first. */
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
 * Runs so many pieces of work at once; more wait. A lane with much work keeps nobody waiting but itself. When `longestQueue`
 * wait in all, the longest lane gives up its last place (503).
 */
export function fairTurns(atOnce: number, longestQueue: number) {
  // a lane that was served goes to the end, and an empty one away: memory is bounded by the queue
  const lanes = new Map<string, Waiting[]>()
  let running = 0
  let waiting = 0

  function enter({ lane, rank }: Turn): Promise<void> {
    return new Promise((start, refuse) => {
      const line = lanes.get(lane) ?? []
      lanes.set(lane, line)
      line.splice(line.findLastIndex((other) => other.rank <= rank) + 1, 0, { rank, start, refuse })
      waiting++
      if (waiting > longestQueue) giveUpOne(lane)
    })
  }

  /** `newest` gives up its place where no lane is longer. */
  function giveUpOne(newest: string) {
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
 * What the database is asked before anybody is known. These calls are not counted by address, as a whole site stands behind
 * one; the addresses take turns instead. Three at once leave connections of the pool to everybody else.
 */
export const inStrangersTurn = <T>(lane: string, work: () => Promise<T>) => strangersTurn({ lane, rank: 0 }, work)
