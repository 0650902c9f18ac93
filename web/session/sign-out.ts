import { call } from './api.ts'
import { endSession } from './session-end.ts'
import { forgetDevice } from './stored-auth.ts'

/**
 * Calls logout (SESSION-16). On success everything stored is cleared and the browser goes to /login. Returns the
 * server's message if it rejected the call (`cannot_logout`), null in every other case. A failed call changes nothing
 * and shows nothing (AMB-047): otherwise the warden would still count as on duty without knowing.
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

/** RT-06, AMB-079: ends at /login whatever the server answers. */
export async function signOutRegardless() {
  await call('DELETE /api/auth/logout', {}).catch(() => undefined)
  forgetDevice()
  await endSession()
}
