import { phoneStorage } from '../lib/phone-storage.ts'
import { call } from './api.ts'
import { storageKeys } from './stored-auth.ts'

const askedMs = 10 * 60_000

export const noteAsked = () => phoneStorage.set(storageKeys.linkAskedAt, String(Date.now()))

/** A link that opens here was asked for here. */
export function hasAsked(): boolean {
  const ago = Date.now() - Number(phoneStorage.get(storageKeys.linkAskedAt))
  return ago >= 0 && ago < askedMs
}

export function noteUnproved() {
  phoneStorage.set(storageKeys.unproved, 'yes')
  proveByTouch()
}

const signs = ['pointerdown', 'keydown'] as const
let isWaiting = false

/** Tells the server at the first touch or key that a person is here: a program that looks at links does neither. */
export function proveByTouch() {
  if (isWaiting || phoneStorage.get(storageKeys.unproved) === null) return
  isWaiting = true
  const stop = new AbortController()
  const prove = async () => {
    stop.abort()
    isWaiting = false
    // signed out meanwhile
    if (phoneStorage.get(storageKeys.unproved) === null) return
    try {
      await call('POST /api/session/here', {})
      phoneStorage.remove(storageKeys.unproved)
    } catch {
      // the next touch tries again
      proveByTouch()
    }
  }
  for (const sign of signs) window.addEventListener(sign, () => void prove(), { signal: stop.signal })
}
