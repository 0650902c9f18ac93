import { Refusal } from './errors.ts'

/** Runs at most `atOnce` pieces of work. Further ones wait in order of arrival. Throws 503 if the queue is full. */
export function inTurns(atOnce: number, longestQueue: number) {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) {
      if (waiting.length >= longestQueue) throw new Refusal('unavailable')
      await new Promise<void>((turn) => waiting.push(turn))
    } else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
