import type { Address } from '../pages/pages.ts'

const key = 'wanted'

/** The page that someone without a session asked for, until they are signed in. Of this tab only. */
export function keepWanted(address: string) {
  try {
    sessionStorage.setItem(key, address)
  } catch {}
}

export function readWanted(): Address | null {
  try {
    return sessionStorage.getItem(key) as Address | null
  } catch {
    return null
  }
}

export function forgetWanted() {
  try {
    sessionStorage.removeItem(key)
  } catch {}
}
