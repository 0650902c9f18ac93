import { phoneStorage } from '../lib/phone-storage.ts'
import { call } from './api.ts'

/** When this browser asked for a sign-in link, and that its session waits for a touch. */
const keys = { asked: 'linkAskedAt', unproved: 'unproved' } as const
const askedMs = 10 * 60_000

export const noteAsked = () => phoneStorage.set(keys.asked, String(Date.now()))

/** A link that opens here was asked for here. */
export function hasAsked(): boolean {
  const ago = Date.now() - Number(phoneStorage.get(keys.asked))
  return ago >= 0 && ago < askedMs
}

export function noteUnproved() {
  phoneStorage.set(keys.unproved, 'yes')
  proveByTouch()
}

const signs = ['pointerdown', 'keydown'] as const
let isWaiting = false

/** Tells the server at the first touch or key that a person is here: a program that looks at links does neither. */
export function proveByTouch() {
  if (isWaiting || phoneStorage.get(keys.unproved) === null) return
  isWaiting = true
  const stop = new AbortController()
  const prove = async () => {
    stop.abort()
    isWaiting = false
    // signed out meanwhile
    if (phoneStorage.get(keys.unproved) === null) return
    try {
      await call('POST /api/session/here', {})
      phoneStorage.remove(keys.unproved)
    } catch {
      // the next touch tries again
      proveByTouch()
    }
  }
  for (const sign of signs) window.addEventListener(sign, () => void prove(), { signal: stop.signal })
}
