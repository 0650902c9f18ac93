import { Overload, Refusal } from '../platform/errors.ts'

/** For a read that no one waits for any more. Its answer reaches no one. */
const gone = () => new Refusal('unavailable')

interface Waiting {
  since: number
  isGone: () => boolean
  start: () => void
  drop: (why: Refusal) => void
}

interface Limits {
  /** Reads that run at once. Fewer than the pool has connections, so that a change never waits behind reads. */
  atOnce?: number
  /** Milliseconds. Who would wait for longer may not wait. */
  patienceMs?: number
}

/** Runs a read when it has a turn, unless `isGone`: no one waits for its answer. Throws 503 if the line is too long. */
export type ReadInTurn = <T>(isGone: () => boolean, read: () => Promise<T>) => Promise<T>

/**
 * Reads of this process, in order of arrival. A phone gives up after 10 s and asks again: anyone who comes when the line is
 * too long is told when to come back, and a read whose phone has hung up is left out.
 */
export function readTurns({ atOnce = 6, patienceMs = 6_000 }: Limits = {}): ReadInTurn {
  const waiting: Waiting[] = []
  const load = recentLoad()
  let running = 0

  const isTooLong = ([first]: Waiting[], now: number) =>
    first !== undefined && (now - first.since > patienceMs || waiting.length > load.readsIn(patienceMs))

  const enter = (isGone: () => boolean) =>
    new Promise<void>((start, drop) => {
      const since = performance.now()
      if (isTooLong(waiting, since)) return drop(load.refuse())
      if (waiting.length === 0) load.beginLine(since)
      waiting.push({ since, isGone, start, drop })
    })

  function passOn() {
    if (waiting.length > 0) load.noteServed(performance.now())
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      if (!next.isGone()) return next.start()
      next.drop(gone())
    }
    running--
  }

  return async (isGone, read) => {
    if (running >= atOnce) await enter(isGone)
    else running++
    try {
      return await read()
    } finally {
      passOn()
    }
  }
}

/** Seconds. Less says nothing about the load. What is older counts half. */
const shortestMeasure = 0.5
const longestMeasure = 5
const shortestPause = 2
const longestPause = 30

/**
 * How many reads were served while others waited, and how many were turned away. Anyone who is turned away comes back after
 * about the time that it takes to serve all who were, each at another moment.
 */
function recentLoad() {
  let served = 0
  let refused = 0
  let seconds = 0
  let at = 0

  return {
    beginLine(now: number) {
      at = now
    },
    noteServed(now: number) {
      served++
      seconds += (now - at) / 1000
      at = now
      if (seconds > longestMeasure) [served, refused, seconds] = [served / 2, refused / 2, seconds / 2]
    },
    /** How many are served in this time. Infinity before that is known. */
    readsIn: (ms: number) => (seconds < shortestMeasure ? Number.POSITIVE_INFINITY : (served / seconds) * (ms / 1000)),
    refuse() {
      refused++
      const secondsToServe = (refused / Math.max(1, served)) * Math.max(seconds, shortestMeasure)
      return new Overload(Math.ceil(Math.min(shortestPause + secondsToServe * 2 * Math.random(), longestPause)))
    },
  }
}
