import type { StatusTotals } from '#kernel/vocabulary.ts'
import { formatMoment } from '#web/lib/time/server-clock.ts'
import type { Say } from '#web/live/response.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogFoot } from '#web/ui/popups/dialog.tsx'
import type { FloorStatus } from '../calls/evacuation.ts'
import type { Unresolved } from './unresolved.tsx'

interface AskStatusProps {
  say: Say
  asked: FloorStatus | null
  counts: StatusTotals | undefined
  /** When the phone read the counts, if it cannot read them now. */
  known: number | null
  onSet: () => void
  onShow: () => void
  onClose: () => void
}

/** '3 people of this floor are unknown, 1 is in danger.' */
function leftInWords({ unknown, danger }: Unresolved): string {
  const verb = (count: number) => (count === 1 ? 'is' : 'are')
  const people = (count: number) => (count === 1 ? '1 person' : `${count} people`)
  if (unknown === 0) return `${people(danger)} of this floor ${verb(danger)} in danger.`
  const unknowns = `${people(unknown)} of this floor ${verb(unknown)} unknown`
  return danger === 0 ? `${unknowns}.` : `${unknowns}, ${danger} ${verb(danger)} in danger.`
}

/** Asks once. The focus waits on the people. */
export function AskStatus({ say, asked, counts, known, onSet, onShow, onClose }: AskStatusProps) {
  return (
    <Dialog alert open={asked !== null} onClose={onClose} title={`Set ${asked?.name ?? ''}?`}>
      {counts && <p className="text-lg">{say(leftInWords(counts))} Set it anyway?</p>}
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
