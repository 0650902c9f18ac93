import { RotateCw } from 'lucide-react'
import { useAuth } from '#web/session/stored-auth.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

/** In place of the forms while a link is being verified. */
export function LinkCheck() {
  return (
    <div className="card text-lg">
      <Spinner label="Checking your link..." />
    </div>
  )
}

interface LinkTroubleProps {
  text: string
  busy: boolean
  onTryAgain: () => void
}

/**
 * Above the forms when the server could not be asked: the link is kept, and may be tried again. Who is signed in all the
 * same can go on.
 */
export function LinkTrouble({ text, busy, onTryAgain }: LinkTroubleProps) {
  const isSignedIn = useAuth() !== null
  return (
    <div className="grid gap-3" role="alert">
      <Notice variant="warning">{text}</Notice>
      <Button icon={RotateCw} block busy={busy} onClick={onTryAgain}>
        Try the link again
      </Button>
      {isSignedIn && (
        <Link to="/reportinlist" className={buttonClass('quiet', true)}>
          Report In List
        </Link>
      )}
    </div>
  )
}
