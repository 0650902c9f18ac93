import { browser } from '../lib/browser.ts'
import { createStore } from '../lib/store.ts'
import { clearAuth } from './stored-auth.ts'

/** True from the moment a session is over until the browser has left: the login page must not show and go again. */
export const leavingStore = createStore(false)

const signedOutKey = 'signedOut'

/**
 * SESSION-17, SESSION-20: forgets everything stored about this session, then starts anew at the login page, which says so
 * when it was not the user who signed out.
 */
export async function endSession({ byServer = false } = {}) {
  leavingStore.set(true)
  if (byServer) noteSignedOut()
  clearAuth()
  // Loaded here, not with the first page. Without signal it may not come: what is kept waits for its owner alone.
  await import('./persisted-reads.ts').then((file) => file.wipePersistedReads()).catch(() => undefined)
  browser.load('/login')
}

/** Without storage the login page comes without a word. */
function noteSignedOut() {
  try {
    sessionStorage.setItem(signedOutKey, '1')
  } catch {}
}

/** Has the server ended the session of this tab? Told once. */
export function takeSignedOut(): boolean {
  try {
    const wasSignedOut = sessionStorage.getItem(signedOutKey) !== null
    sessionStorage.removeItem(signedOutKey)
    return wasSignedOut
  } catch {
    return false
  }
}
