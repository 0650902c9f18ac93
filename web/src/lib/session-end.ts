import { browser } from './browser.ts'
import { clearAuth } from './stored-auth.ts'

/** SESSION-17, SESSION-20: forgets everything stored about this session, then starts anew at the login page. */
export async function endSession() {
  clearAuth()
  // Loaded here, not with the first page; the server has just answered, so this arrives too.
  const { wipePersistedReads } = await import('./persisted-reads.ts')
  await wipePersistedReads()
  browser.load('/login')
}
