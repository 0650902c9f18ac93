import { Check, CircleCheck, X } from 'lucide-react'
import { useEffect } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/popups/dialog.tsx'
import type { FloorOffer } from '../calls/coverage.ts'
import { useAnswer } from './coverage.data.ts'

const stay = () => undefined
/** Milliseconds for which 'Taken by' is read. */
const takenFor = 3000

/** An offer rises over any page of the event. It goes by itself once another warden has the floor. */
export function OfferSheet({ offer, onDone }: { offer: FloorOffer; onDone: () => void }) {
  const { place, taken_by } = offer
  const answer = useAnswer()
  const isTaken = taken_by !== null
  useEffect(() => {
    if (!isTaken) return
    const timer = setTimeout(onDone, takenFor)
    return () => clearTimeout(timer)
  }, [isTaken, onDone])
  const reply = (take: 'yes' | 'no') => answer.mutate({ offer, take }, { onSuccess: onDone })
  const isSending = (take: 'yes' | 'no') => answer.isPending && answer.variables.take === take
  const title = place.whole_building
    ? `Can you take ${place.name}?`
    : `Can you take ${place.name}, ${place.building.name}?`
  return (
    <Dialog kind="bottom" alert blocking open onClose={stay} title={title}>
      {isTaken ? (
        <p role="status" className="flex min-h-17 items-center gap-3 text-lg font-bold">
          <CircleCheck aria-hidden className="shrink-0 text-safe" />
          Taken by {taken_by}. Thank you.
        </p>
      ) : (
        <>
          <p className="text-lg">It has no warden.</p>
          <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] gap-3">
            <Button
              variant="green"
              icon={Check}
              className="min-h-17"
              data-autofocus
              busy={isSending('yes')}
              onClick={() => reply('yes')}
            >
              I will take it
            </Button>
            <Button variant="quiet" icon={X} className="min-h-17" busy={isSending('no')} onClick={() => reply('no')}>
              I cannot
            </Button>
          </div>
        </>
      )}
    </Dialog>
  )
}
