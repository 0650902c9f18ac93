import { RotateCw } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Spinner } from '../../ui/spinner.tsx'

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

/** Above the forms when the server could not be asked: the link is kept, and may be tried again. */
export function LinkTrouble({ text, busy, onTryAgain }: LinkTroubleProps) {
  return (
    <div className="grid gap-3" role="alert">
      <Notice variant="warning">{text}</Notice>
      <Button icon={RotateCw} block busy={busy} onClick={onTryAgain}>
        Try the link again
      </Button>
    </div>
  )
}
