import { browser } from '../lib/browser.ts'
import { createStore } from '../lib/store.ts'
import { kept } from '../lib/tab-state.ts'
import { clearAuth } from './stored-auth.ts'

/** True from the end of a session until the browser has left the page, so that the login page does not flash. */
export const leavingStore = createStore(false)

const signedOutKey = 'signedOut'

/**
 * Deletes everything stored about this session and restarts at the login page. The login page
 * says so if the server ended the session.
 */
export async function endSession({ byServer = false } = {}) {
  leavingStore.set(true)
  if (byServer) noteSignedOut()
  clearAuth()
  kept.forget()
  // Loaded here, not with the first page. Without signal it may not load; the stored reads then stay, and only their
  // owner can restore them.
  await import('./persisted-reads.ts').then((file) => file.wipePersistedReads()).catch(() => undefined)
  browser.load('/login')
}

/** Without storage the login page shows no reason. */
function noteSignedOut() {
  try {
    sessionStorage.setItem(signedOutKey, '1')
  } catch {}
}

/** True once if the server has ended the session of this tab. */
export function takeSignedOut(): boolean {
  try {
    const wasSignedOut = sessionStorage.getItem(signedOutKey) !== null
    sessionStorage.removeItem(signedOutKey)
    return wasSignedOut
  } catch {
    return false
  }
}
