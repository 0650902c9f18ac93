import { formatDateIn, formatMinuteIn } from '#web/console/zone-time.ts'
import type { OutboxRecord, RejectionReason } from '#web/outbox/core/safety-record.ts'
import type { RecordAddition } from '../../calls/additions.ts'
import type { Noting } from '../../calls/observing.ts'
import { Given, Seen } from '../parts/notes.tsx'
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
    key: uid,
    note: { kind, body } as unknown as NewNote,
    at: observed_at ?? recorded_at,
    isWaiting: false,
  }))
  const waiting = records
    .filter((record) => record.kind === 'note')
    .map(({ key, body, observedAt, setback }) => ({
      key,
      note: body,
      at: body.observed_at ?? new Date(observedAt).toISOString(),
      isWaiting: setback === undefined,
      setback,
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
            {note.kind === 'observation' ? (
              <Seen body={note.body} where={places.find(({ id }) => id === note.body.place)?.name} />
            ) : (
              <>
                <p className="font-semibold">{note.body.item}</p>
                <Given body={note.body} />
              </>
            )}
            <p className="text-sm text-muted tabular-nums">
              {formatDateIn(at, timezone)}, {formatMinuteIn(at, timezone)}
              {isWaiting && ' (waiting)'}
            </p>
            {setback && <p className="font-semibold text-danger-ink">Not accepted: {reasonOf(setback)}</p>}
          </li>
        ))}
      </ul>
    </section>
  )
}
