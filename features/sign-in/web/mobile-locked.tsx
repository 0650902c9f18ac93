import { CircleAlert } from 'lucide-react'
import { formatCountdown } from '#web/lib/time/dates.ts'
import { Button } from '#web/ui/button.tsx'
import { tooManyLinkRequests } from '../words.ts'

interface MobileLockedProps {
  /** Milliseconds until the form opens again; 0 when it may. */
  left: number
  onClose: () => void
}

/** Inside the form that it locks; the form with a password beside it stays open. */
export function MobileLocked({ left, onClose }: MobileLockedProps) {
  return (
    <div className="grid gap-3 rounded-xl border-2 border-danger-ink p-3">
      <p role="alert" className="flex items-start gap-2 font-semibold">
        <CircleAlert aria-hidden className="shrink-0 text-danger-ink" />
        {tooManyLinkRequests}
      </p>
      <Button variant="quiet" block disabled={left > 0} className="tabular-nums disabled:opacity-100" onClick={onClose}>
        {left > 0 ? formatCountdown(left) : 'OK'}
      </Button>
    </div>
  )
}
