import { useCallback, useState } from 'react'

const prefix = 'kept '
/** Of the notice that late records were kept. */
export const lateNotice = '/late'

/** What a page keeps while this tab lives and its warden is signed in, by name. Never throws. */
export const kept = {
  get<T>(name: string): T | undefined {
    try {
      return JSON.parse(sessionStorage.getItem(prefix + name) ?? 'null') ?? undefined
    } catch {
      return undefined
    }
  },
  set(name: string, value: unknown) {
    try {
      if (value === undefined || value === '') sessionStorage.removeItem(prefix + name)
      else sessionStorage.setItem(prefix + name, JSON.stringify(value))
    } catch {}
  },
  /** Everything whose name begins so. */
  forget(start = '') {
    try {
      for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix + start)) sessionStorage.removeItem(key)
    } catch {}
  },
}

/** A state that is still there when the page is come back to. The name begins with the page's path; null keeps nothing. */
export function useKept<T>(name: string | null, initial: T | (() => T)) {
  const first = () => (initial instanceof Function ? initial() : initial)
  const [value, setValue] = useState<T>(() => (name === null ? first() : (kept.get<T>(name) ?? first())))
  const set = useCallback(
    (next: T | ((before: T) => T)) =>
      setValue((before) => {
        const after = next instanceof Function ? next(before) : next
        if (name !== null) kept.set(name, after)
        return after
      }),
    [name],
  )
  return [value, set] as const
}
