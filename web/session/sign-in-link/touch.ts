import { phoneStorage } from '../../lib/phone-storage.ts'
import { call } from '../api.ts'
import { storageKeys } from '../stored-auth.ts'

/** Tells the server at the first touch or key that a person is here: a program that looks at links does neither. */
export function proveByTouch() {
  const stop = new AbortController()
  let isProving = false
  const prove = async () => {
    if (isProving || phoneStorage.get(storageKeys.unproved) === null) return
    isProving = true
    try {
      await call('POST /api/session/here', {})
      phoneStorage.remove(storageKeys.unproved)
    } catch {
      // the next touch tries again
    }
    isProving = false
  }
  for (const sign of ['pointerdown', 'keydown'])
    window.addEventListener(sign, () => void prove(), { signal: stop.signal })
  return () => stop.abort()
}
