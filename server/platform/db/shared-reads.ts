import { setTimeout as delay } from 'node:timers/promises'

/**
 * Reads with the same key that wait at the same time share one answer. Name the client in the key, and do not hold a
 * connection while waiting.
 */
export type SharedRead = <T>(key: string, read: () => Promise<T>) => Promise<T>

/**
 * A read that finds none with its key under way begins at once. One that finds one waits for the next: an answer that began
 * before the question could be older than what the caller knows. The next begins after a rest as long as the last took (at
 * most `longestRestMs`), so that a crowd that asks one after the other shares an answer, too.
 */
export function shareReads(longestRestMs = 100): SharedRead {
  const lines = new Map<string, { rested: Promise<unknown>; next?: Promise<unknown> }>()

  function begin<T>(key: string, read: () => Promise<T>): Promise<T> {
    const since = performance.now()
    const running = read()
    const rest = () => delay(Math.min(performance.now() - since, longestRestMs))
    const line = { rested: running.then(rest, rest) }
    lines.set(key, line)
    line.rested.then(() => {
      if (lines.get(key) === line) lines.delete(key)
    })
    return running
  }

  return <T>(key: string, read: () => Promise<T>) => {
    const line = lines.get(key)
    if (!line) return begin(key, read)
    line.next ??= line.rested.then(() => begin(key, read))
    // one key, one kind of answer
    return line.next as Promise<T>
  }
}
