import { browser } from './browser.ts'
import { createStore } from './store.ts'
import { clearAuth } from './stored-auth.ts'

/** True from the moment a session is over until the browser has left: the login page must not show and go again. */
export const leavingStore = createStore(false)

/** SESSION-17, SESSION-20: forgets everything stored about this session, then starts anew at the login page. */
export async function endSession() {
  leavingStore.set(true)
  clearAuth()
  // Loaded here, not with the first page. Without signal it may not come: what is kept waits for its owner alone.
  await import('./persisted-reads.ts').then((file) => file.wipePersistedReads()).catch(() => undefined)
  browser.load('/login')
}
