/** What the phone refused to write down, by key. */
const here = new Map<string, string>()

/**
 * F31: local storage for a phone that may refuse it (private mode, a full disk, blocked site data). What cannot be written
 * lives as long as this page. Never throws.
 */
export const phoneStorage = {
  get: (key: string): string | null => here.get(key) ?? attempt(() => localStorage.getItem(key)) ?? null,
  set(key: string, text: string) {
    here.delete(key)
    const write = () => {
      localStorage.setItem(key, text)
      return true
    }
    if (attempt(write)) return
    // The old text may hold the room that the new one needs. It must not come back either: it may be another person's.
    phoneStorage.remove(key)
    if (!attempt(write)) here.set(key, text)
  },
  remove(key: string) {
    here.delete(key)
    attempt(() => localStorage.removeItem(key))
  },
  /** False for what is gone with the page. */
  isKept: (key: string) => !here.has(key),
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
