import { Lock, LockOpen } from 'lucide-react'
import { useState } from 'react'
import type { EventUid } from '#kernel/ids.ts'
import { Button } from '#web/ui/button.tsx'
import { TextArea } from '#web/ui/fields/text-field.tsx'
import type { Times } from '../../times.ts'
import { AddedBy } from '../parts/added-by.tsx'
import { RecordSection } from '../parts/record-section.tsx'
import { type ReadRecord, useHold } from '../parts/records.data.ts'
import { AddDialog } from './add-dialog.tsx'

interface HoldProps {
  event: EventUid
  answer: Pick<ReadRecord, 'hold' | 'whole' | 'additions'>
  times: Times
  /** The reader manages events. */
  isManager: boolean
}

/** Keeps everything of the event from the days after which it would be deleted. */
export function Hold({ event, answer: { hold, whole, additions }, times, isManager }: HoldProps) {
  const [isAsked, setAsked] = useState(false)
  const holds = additions.filter(({ kind }) => kind === 'hold')
  if (!whole) return null
  return (
    <RecordSection id="hold" title="Hold">
      <p className="flex items-start gap-2">
        {hold ? <Lock aria-hidden className="shrink-0" /> : <LockOpen aria-hidden className="shrink-0 text-muted" />}
        {hold
          ? 'On hold: nothing in this event is deleted until the hold is lifted.'
          : "Not on hold: this event's data is deleted when its retention period ends."}
      </p>
      {holds.length > 0 && (
        <ul aria-label="Holds" className="grid grid-cols-1 gap-3">
          {holds.map((addition) => (
            <li key={addition.uid}>
              <p className="rec-words">
                <span className="font-semibold">{addition.body.hold ? 'Held' : 'Lifted'}</span>{' '}
                {String(addition.body.reason)}
              </p>
              <AddedBy addition={addition} times={times} />
            </li>
          ))}
        </ul>
      )}
      {isManager && (
        <Button variant="outline" icon={hold ? LockOpen : Lock} onClick={() => setAsked(true)}>
          {hold ? 'Lift the hold' : 'Hold'}
        </Button>
      )}
      {isAsked && <HoldDialog event={event} lift={hold} onClose={() => setAsked(false)} />}
    </RecordSection>
  )
}

function HoldDialog({ event, lift, onClose }: { event: EventUid; lift: boolean; onClose: () => void }) {
  const [reason, setReason] = useState('')
  const { set, busy } = useHold(event)
  const problem = reason.trim().length < 5 ? 'Write at least 5 characters.' : null
  return (
    <AddDialog
      title={lift ? 'Lift the hold' : 'Hold'}
      action={lift ? 'Lift' : 'Hold'}
      busy={busy}
      problem={problem}
      onSave={() => set({ hold: !lift, reason: reason.trim() })}
      onClose={onClose}
    >
      {(error) => (
        <>
          <p>
            {lift
              ? 'Messages, people and entries of this event are then deleted when their retention period ends.'
              : 'Everything in this event is kept until someone lifts the hold.'}
          </p>
          <TextArea label="Reason" value={reason} maxLength={200} rows={2} onChange={setReason} error={error} />
        </>
      )}
    </AddDialog>
  )
}
