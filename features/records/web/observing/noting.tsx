import type { ReactNode } from 'react'
import { formatDateIn, formatMinuteIn } from '#web/console/zone-time.ts'
import type { OutboxRecord, RejectionReason } from '#web/outbox/core/safety-record.ts'
import { reasonOf } from '#web/outbox/rejected-records.tsx'
import type { Noting as Answered } from '../../calls/observing.ts'
import { recordRefusals } from '../../words.ts'
import { KindBadge } from '../parts/signs.tsx'
import { AnswersForm } from './answers-form.tsx'
import { type Keep, NoteForm } from './note-form.tsx'
import { OwnNotes, ownNotesOf } from './own-notes.tsx'

interface NotingProps {
  noting: Answered
  /** Notes that are still on this phone. */
  records: readonly OutboxRecord[]
  onKeep: Keep
  /** Above the form. */
  children?: ReactNode
}

/** Event and kind, the form, the checklist, and what this one has noted. */
export function Noting({ noting, records, onKeep, children }: NotingProps) {
  const { site, kind, timezone, started_at, places, checklist } = noting
  const notes = ownNotesOf(noting.notes, records)
  return (
    <>
      <section aria-label="Event" className="card grid grid-cols-1 gap-1">
        <p className="flex flex-wrap items-center gap-2">
          <KindBadge kind={kind} />
          <strong className="text-lg">{site}</strong>
        </p>
        <p className="text-muted tabular-nums">
          Since {formatDateIn(started_at, timezone)}, {formatMinuteIn(started_at, timezone)}
        </p>
        {children}
      </section>
      <NoteForm places={places} onKeep={onKeep} />
      <AnswersForm checklist={checklist} notes={notes} onKeep={onKeep} />
      <OwnNotes notes={notes} places={places} timezone={timezone} reasonOf={whyNot} />
    </>
  )
}

const whyNot = (setback: RejectionReason) =>
  setback in recordRefusals ? recordRefusals[setback as keyof typeof recordRefusals] : reasonOf(setback)
