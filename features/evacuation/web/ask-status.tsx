import type { StatusTotals } from '#kernel/vocabulary.ts'
import { formatMoment } from '#web/lib/time/server-clock.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogFoot } from '#web/ui/popups/dialog.tsx'
import type { FloorStatus } from '../calls/evacuation.ts'
import { leftInWords } from './unresolved.tsx'

export interface AskStatusProps {
  asked: FloorStatus | null
  counts: StatusTotals | undefined
  /** When the phone read the counts, if it cannot read them now. */
  known: number | null
  onSet: () => void
  onShow: () => void
  onClose: () => void
}

/** Asks once. The focus waits on the people. */
export function AskStatus({ asked, counts, known, onSet, onShow, onClose }: AskStatusProps) {
  return (
    <Dialog alert open={asked !== null} onClose={onClose} title={`Set ${asked?.name ?? ''}?`}>
      {counts && <p className="text-lg">{leftInWords(counts)} Set it anyway?</p>}
      {known !== null && (
        <p className="font-bold text-warning-ink">
          This phone has no live connection. It last loaded the floor at {formatMoment(known)}.
        </p>
      )}
      <DialogFoot>
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8rem),1fr))] gap-3">
          <Button data-autofocus onClick={onShow}>
            Show them
          </Button>
          <Button variant="quiet" onClick={onSet}>
            Set it
          </Button>
        </div>
      </DialogFoot>
    </Dialog>
  )
}
