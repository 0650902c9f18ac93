import { toastFailure } from '../../console/toast-done.ts'
import { browser } from '../../lib/browser.ts'
import { leaving, useOneAction } from '../../lib/one-action.ts'
import { authFromPassword } from '../../session/auth-from-reply.ts'
import { closeConsole, consoleCall } from '../../session/console-session.ts'
import { setAuth } from '../../session/stored-auth.ts'

/** To the warden side by a full load, the console stays open; or out of the console alone. */
export function useWayOut() {
  const { running, run } = useOneAction<'warden' | 'out'>()
  const toWardenSide = () =>
    run('warden', async () => {
      try {
        setAuth(authFromPassword(await consoleCall('POST /api/console/warden-session', {}), 'Email'))
        browser.load('/reportinlist')
        return leaving
      } catch (error) {
        toastFailure(error)
      }
    })
  const signOut = () =>
    run('out', async () => {
      try {
        await consoleCall('DELETE /api/console/session', {})
      } catch (error) {
        return toastFailure(error)
      }
      closeConsole()
    })
  return { running, toWardenSide: () => void toWardenSide(), signOut: () => void signOut() }
}
