import { CircleAlert } from 'lucide-react'
import { useState } from 'react'
import { ApiError } from '#kernel/client/client.ts'
import { floorStatusLabel, readSafetyStatus } from '#kernel/vocabulary.ts'
import { sentenceFor } from '../lib/refusal-sentences.ts'
import { formatMoment } from '../lib/time/server-clock.ts'
import { Button } from '../ui/button.tsx'
import { BottomSheet } from '../ui/popups/bottom-sheet.tsx'
import type { NoteBody, OutboxRecord, RejectionReason } from './core/safety-record.ts'
import { outbox } from './outbox.ts'

interface RejectedRecordsProps {
  /** This warden's rejected records. Nothing is shown if there are none. */
  records: readonly OutboxRecord[]
}

/** A bar at the foot of the page until every reason has been read, so that no warden takes these for recorded. */
export function RejectedRecords({ records }: RejectedRecordsProps) {
  const [open, setOpen] = useState(false)
  // Once emptied, the sheet must not open by itself for the next record.
  if (open && records.length === 0) setOpen(false)
  return (
    <>
      {records.length > 0 && (
        <button
          type="button"
          aria-haspopup="dialog"
          className="btn sticky bottom-2 z-10 min-h-16 w-full justify-start gap-3 bg-danger px-4 text-left text-on-danger shadow-lg"
          onClick={() => setOpen(true)}
        >
          <CircleAlert aria-hidden className="shrink-0" />
          <span className="min-w-0 flex-1">{rejectedText(records.length)}</span>
          <span className="underline">Show</span>
        </button>
      )}
      <BottomSheet open={open} onClose={() => setOpen(false)} title={rejectedText(records.length)}>
        <ul className="grid gap-3">
          {records.map((record) => (
            <RejectedRecord key={record.seq} record={record} />
          ))}
        </ul>
      </BottomSheet>
    </>
  )
}

export const rejectedText = (count: number) => `${count} ${count === 1 ? 'record was' : 'records were'} not accepted`

function RejectedRecord({ record }: { record: OutboxRecord }) {
  const { setback } = record
  return (
    <li className="card border-l-8 border-l-danger">
      <h3 className="text-lg leading-snug font-bold">{record.about.name}</h3>
      <p className="font-semibold">
        {wordsOf(record)}, <span className="tabular-nums">{formatMoment(record.observedAt)}</span>
      </p>
      <p className="mt-1 mb-3">{reasonOf(setback)}</p>
      <div className="grid grid-cols-2 gap-2">
        {setback && !isFinal(setback) && (
          <Button variant="outline" onClick={() => void outbox.retry(record)}>
            Try again
          </Button>
        )}
        <Button variant="quiet" className="col-start-2" onClick={() => void outbox.dismiss(record)}>
          {setback && setback in overtaken ? 'Understood' : 'Remove'}
        </Button>
      </div>
    </li>
  )
}

/** What the warden tapped. */
function wordsOf(record: OutboxRecord): string {
  if (record.kind === 'floorStatus') return record.wish
  if (record.kind === 'note') return wordsOfNote(record.body)
  if (record.kind === 'refusal') return record.wish ? 'Refuses to evacuate' : 'Does not refuse to evacuate'
  const read = readSafetyStatus(record.body.status)
  return read ? floorStatusLabel[read.status] : record.body.status
}

const wordsOfNote = (note: NoteBody) =>
  note.kind === 'observation' ? `${note.body.tone}: ${note.body.text}` : `${note.body.item} ${note.body.answer}`

/** The server has taken the record, and something else counts. */
const overtaken = {
  superseded: 'Danger was recorded for this person after you noted this. The danger stands.',
  overruled: 'This floor was looked at again after you noted this. The newer status stands.',
  before_event:
    'You noted this before the event began, so it does not count in the event. Look again, and record it again.',
}
const ownReasons = {
  ...overtaken,
  other_event: 'This was noted in another event or role, so it was not sent.',
}
const isOwn = (setback: RejectionReason): setback is keyof typeof ownReasons => setback in ownReasons

export function reasonOf(setback: RejectionReason = 'server_error'): string {
  if (setback === 'no_event') return 'The event is over, so this was not recorded.'
  return isOwn(setback) ? ownReasons[setback] : sentenceFor(new ApiError(setback, ''))
}

/** A retry would end the same way. */
const isFinal = (setback: RejectionReason) => isOwn(setback) || setback === 'idempotency_conflict'
