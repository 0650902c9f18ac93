import type { ReactNode } from 'react'
import type { OutboxRecord, RejectionReason } from '#web/outbox/core/safety-record.ts'
import { reasonOf } from '#web/outbox/rejected-records.tsx'
import type { Noting as Answered } from '../../calls/observing.ts'
import { dayAt, minuteAt } from '../../times.ts'
import { recordRefusals } from '../../words.ts'
import { KindBadge } from '../parts/signs.tsx'
import { momentOf } from '../parts/when-fields.tsx'
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
  const { site, kind, timezone, places, checklist } = noting
  const notes = ownNotesOf(noting.notes, records)
  return (
    <>
      <section aria-label="Event" className="card grid grid-cols-1 gap-1">
        <p className="flex flex-wrap items-center gap-2">
          <KindBadge kind={kind} />
          <strong className="text-lg">{site}</strong>
        </p>
        <p className="text-muted tabular-nums">{whenOf(noting)}</p>
        {children}
      </section>
      <NoteForm event={noting} places={places} onKeep={onKeep} />
      <AnswersForm checklist={checklist} notes={notes} onKeep={onKeep} />
      <OwnNotes notes={notes} places={places} timezone={timezone} reasonOf={whyNot} />
    </>
  )
}

/** 'Since 10:00', or 'Ended 14 Nov, 10:14'. */
const whenOf = ({ started_at, ended_at, timezone }: Answered) =>
  ended_at === null
    ? `Since ${momentOf(started_at, timezone, dayAt(Date.now(), timezone))}`
    : `Ended ${dayAt(ended_at, timezone)}, ${minuteAt(ended_at, timezone)}`

const whyNot = (setback: RejectionReason) =>
  setback in recordRefusals ? recordRefusals[setback as keyof typeof recordRefusals] : reasonOf(setback)
