import { call } from './api.ts'
import { endSession } from './session-end.ts'
import { forgetDevice } from './stored-auth.ts'

/**
 * Calls logout. On success everything stored is cleared and the browser goes to /login. Returns the
 * server's message if it rejected the call (`cannot_logout`), null in every other case. A failed call changes nothing
 * and shows nothing: otherwise the warden would still count as on duty without knowing.
 */
export async function signOut(): Promise<string | null> {
  try {
    const { status, message } = await call('DELETE /api/auth/logout', {})
    if (status === 'cannot_logout') return message
    forgetDevice()
    await endSession()
  } catch {}
  return null
}

/** Ends at /login whatever the server answers. */
export async function signOutRegardless() {
  await call('DELETE /api/auth/logout', {}).catch(() => undefined)
  forgetDevice()
  await endSession()
}
