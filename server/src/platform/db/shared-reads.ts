/**
 * Reads with the same key that wait at the same time share one answer. Name the client in the key, and do not hold a
 * connection while waiting.
 */
export type SharedRead = <T>(key: string, read: () => Promise<T>) => Promise<T>

/**
 * A read that finds none with its key under way begins at once. One that finds one waits for the next: an answer that began
 * before the question could be older than what the caller knows.
 */
export function shareReads(): SharedRead {
  const lines = new Map<string, { running: Promise<unknown>; next?: Promise<unknown> }>()

  function begin<T>(key: string, read: () => Promise<T>): Promise<T> {
    const running = read()
    const line = { running }
    lines.set(key, line)
    const end = () => {
      if (lines.get(key) === line) lines.delete(key)
    }
    running.then(end, end)
    return running
  }

  return <T>(key: string, read: () => Promise<T>) => {
    const line = lines.get(key)
    if (!line) return begin(key, read)
    const follow = () => begin(key, read)
    line.next ??= line.running.then(follow, follow)
    // one key, one kind of answer
    return line.next as Promise<T>
  }
}
