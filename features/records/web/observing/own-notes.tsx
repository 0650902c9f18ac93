import type { OutboxRecord, RejectionReason } from '#web/outbox/core/safety-record.ts'
import type { RecordAddition } from '../../calls/additions.ts'
import type { Noting } from '../../calls/observing.ts'
import { answerLook, toneLook } from '../parts/note-looks.ts'
import { dateIn, minuteIn } from '../parts/record-times.ts'
import type { NewNote } from './noting.data.ts'

/** A note of the person who looks: one that the server has, or one that waits on this phone. */
export interface OwnNote {
  key: string
  note: NewNote
  at: string
  isWaiting: boolean
  setback?: RejectionReason | undefined
}

/** The notes of the server, then those of this phone. */
export function ownNotesOf(notes: readonly RecordAddition[], records: readonly OutboxRecord[]): OwnNote[] {
  const kept = notes.map(({ uid, kind, body, observed_at, recorded_at }) => ({
    ...{ key: uid, note: { kind, body } as unknown as NewNote },
    ...{ at: observed_at ?? recorded_at, isWaiting: false },
  }))
  const waiting = records
    .filter((record) => record.kind === 'note')
    .map(({ key, body, observedAt, setback }) => ({
      ...{ key, note: body, at: new Date(observedAt).toISOString() },
      ...{ isWaiting: setback === undefined, setback },
    }))
  return [...kept, ...waiting]
}

interface OwnNotesProps {
  notes: readonly OwnNote[]
  places: Noting['places']
  timezone: string
  reasonOf: (setback: RejectionReason) => string
}

export function OwnNotes({ notes, places, timezone, reasonOf }: OwnNotesProps) {
  return (
    <section aria-label="Own notes" className="card grid grid-cols-1 gap-3">
      <h2 className="text-lg font-bold">Own notes</h2>
      {notes.length === 0 && <p className="text-muted">You have not noted anything yet.</p>}
      <ul className="grid grid-cols-1 gap-3">
        {notes.map(({ key, note, at, isWaiting, setback }) => (
          <li key={key}>
            {note.kind === 'observation' ? <Seen note={note} places={places} /> : <Given note={note} />}
            <p className="text-sm text-muted tabular-nums">
              {dateIn(at, timezone)}, {minuteIn(at, timezone)}
              {isWaiting && ' (waiting)'}
            </p>
            {setback && <p className="font-semibold text-danger-ink">Not accepted: {reasonOf(setback)}</p>}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Seen({
  note: { body },
  places,
}: {
  note: Extract<NewNote, { kind: 'observation' }>
  places: Noting['places']
}) {
  const { icon: Icon, ink } = toneLook[body.tone]
  const where = places.find(({ id }) => id === body.place)?.name
  return (
    <>
      <p className="flex items-center gap-1.5 font-semibold">
        <Icon aria-hidden size={16} className={`shrink-0 ${ink}`} />
        {body.tone}
        {where && `, ${where}`}
      </p>
      <p className="rec-words">{body.text}</p>
    </>
  )
}

function Given({ note: { body } }: { note: Extract<NewNote, { kind: 'checklist' }> }) {
  const { icon: Icon, ink } = answerLook[body.answer]
  return (
    <>
      <p className="font-semibold">{body.item}</p>
      <p className="flex items-center gap-1.5">
        <Icon aria-hidden size={16} className={`shrink-0 ${ink}`} />
        <strong>{body.answer}</strong>
        {body.note && <span className="min-w-0 wrap-anywhere">{body.note}</span>}
      </p>
    </>
  )
}
