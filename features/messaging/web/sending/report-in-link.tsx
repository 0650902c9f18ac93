import { Smartphone } from 'lucide-react'
import type { SignInUid } from '#kernel/ids.ts'
import { useSendLinks } from '#web/evacuees/send-report-in-links.ts'
import { useAuth } from '#web/session/stored-auth.ts'
import { Button } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { Notice } from '#web/ui/notice.tsx'

const reasons = 'no mobile number, texts refused, one was sent a moment ago, or no text budget left today.'

/** Who has no number, refuses texts, or was sent one within the minute gets none. */
export function LinkToOne({ to, from, disabled }: { to: SignInUid; from: SignInUid; disabled: boolean }) {
  const { sendLinks, isPending } = useSendLinks((sent) =>
    sent ? 'Report-in link has been sent.' : `No link was sent: ${reasons} Call instead.`,
  )
  return (
    <Button
      variant="outline"
      icon={Smartphone}
      aria-label="Send report-in link"
      title="Send report-in link"
      disabled={disabled}
      busy={isPending}
      onClick={() => sendLinks({ to: [to], from })}
    >
      <span className="max-[360px]:hidden">Link</span>
    </Button>
  )
}

/** To those of the group who are unknown or off duty. */
export function LinksToGroup({ to, from }: { to: readonly SignInUid[]; from: SignInUid | undefined }) {
  const { sendLinks, isPending, unsent } = useSendLinks((sent) => `${sent} Report-in links sent.`)
  return (
    <div className="grid gap-3">
      <Button
        variant="outline"
        icon={Smartphone}
        block
        disabled={to.length === 0 || !from}
        busy={isPending}
        onClick={() => from && sendLinks({ to, from })}
      >
        Send Report-in Links ({to.length})
      </Button>
      <div role="status">{unsent > 0 && <NotSent count={unsent} />}</div>
    </div>
  )
}

/** Stays until the next press, unlike the toast with the number that were sent. */
function NotSent({ count }: { count: number }) {
  const canSeeWho = useAuth()?.module_access.Module_Event_Management
  return (
    <Notice variant="danger">
      <p>
        {count === 1 ? '1 link was' : `${count} links were`} not sent: {reasons} Call instead.
      </p>
      {canSeeWho && (
        <Link to="/event/management" className="block py-2 text-link underline underline-offset-4">
          See who was not reached
        </Link>
      )}
    </Notice>
  )
}
