import { attendanceLabel } from '#kernel/words.ts'
import { useAuth } from '#web/session/stored-auth.ts'
import { Link } from '#web/ui/link.tsx'
import type { BoardPanel } from '../../calls/board-panel.ts'

/** To the wardens on duty there, except oneself. Without anyone there is no button. */
export function MessageWardens({ wardens }: Pick<BoardPanel, 'wardens'>) {
  const sender = useAuth()?.WardenSignInUID
  const audience = wardens
    .filter(({ sign_in }) => sign_in !== sender)
    .map(({ assignment: id, sign_in: wardenSignInUid, name }) => {
      return { id, wardenSignInUid, name, status: attendanceLabel.on_duty }
    })
  if (!sender || audience.length === 0) return null
  return (
    <Link
      to="/message/group"
      // all of them are on duty, so no one is texted
      state={{ audience, senderWardenSignInUid: sender, sms_allowed: false }}
      className="bd-button"
    >
      Message wardens
    </Link>
  )
}
