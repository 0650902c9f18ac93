/** What the phone could not store, by key. */
const unstored = new Map<string, string>()

/**
 * Local storage for phones that may reject writes (private mode, a full disk, blocked site data). A value that
 * cannot be stored lasts as long as this page. Never throws.
 */
export const phoneStorage = {
  get: (key: string): string | null => unstored.get(key) ?? attempt(() => localStorage.getItem(key)) ?? null,
  set(key: string, text: string) {
    unstored.delete(key)
    const write = () => {
      localStorage.setItem(key, text)
      return true
    }
    if (attempt(write)) return
    // Frees the room that the old text takes. The old text must not return either: it may be another person's.
    phoneStorage.remove(key)
    if (!attempt(write)) unstored.set(key, text)
  },
  remove(key: string) {
    unstored.delete(key)
    attempt(() => localStorage.removeItem(key))
  },
  /** False for a value that is lost with the page. */
  isSaved: (key: string) => !unstored.has(key),
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** A channel between the tabs of this phone. Undefined if site data is blocked: each tab is then by itself. */
export function openChannel(name: string): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(name)
  } catch {
    return undefined
  }
}
