import { useInfiniteQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { EventUid } from '#kernel/ids.ts'
import { StatusBadge } from '#web/evacuees/status-badge.tsx'
import { statusWord } from '#web/evacuees/status-look.ts'
import { sentenceFor } from '#web/lib/refusal-sentences.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Link } from '#web/ui/link.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Dialog, DialogFoot } from '#web/ui/popups/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { NamedPerson } from '../../calls/records.ts'
import type { Times } from '../../times.ts'
import { type NamesList, namesQuery } from '../parts/records.data.ts'
import { useSay } from '../parts/say.ts'
import { addressOf } from '../parts/warden-or-console.tsx'

interface NamesProps {
  event: EventUid
  list: NamesList
  /** What the button says: 'Show who was not accounted for'. */
  button: string
  times: Times
}

/** Names are asked for by a press, and each look is recorded. */
export function Names({ event, list, button, times }: NamesProps) {
  const [reason, setReason] = useState<string | null>(null)
  const [isAsking, setAsking] = useState(false)
  const press = () => {
    if (reason !== null) setReason(null)
    else if (list === 'plans') setAsking(true)
    else setReason('')
  }
  return (
    <div className="grid grid-cols-1 gap-2">
      <Button variant="outline" aria-expanded={reason !== null} onClick={press}>
        {reason === null ? button : 'Hide names'}
      </Button>
      {reason !== null && <NamesOf {...{ event, list, reason, times }} />}
      {isAsking && (
        <WhyNames
          onClose={() => setAsking(false)}
          onGiven={(given) => {
            setAsking(false)
            setReason(given)
          }}
        />
      )}
    </div>
  )
}

const least = 5

/** The reason stays in the record. */
function WhyNames({ onClose, onGiven }: { onClose: () => void; onGiven: (reason: string) => void }) {
  const [text, setText] = useState('')
  const [isTried, setTried] = useState(false)
  const reason = text.trim()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (reason.length >= least) onGiven(reason)
  }
  return (
    <Dialog open onClose={onClose} title="Show names">
      <form noValidate className="grid grid-cols-1 gap-4" onSubmit={submit}>
        <TextField
          label="Why do you need the names?"
          value={text}
          maxLength={200}
          data-autofocus
          onChange={setText}
          hint="Your reason is kept in the record, with your name."
          error={isTried && reason.length < least ? 'Write at least 5 characters.' : undefined}
        />
        <DialogFoot>
          <div className="flex flex-wrap gap-2">
            <Button variant="quiet" className="flex-1" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" className="flex-1">
              Show names
            </Button>
          </div>
        </DialogFoot>
      </form>
    </Dialog>
  )
}

interface NamesOfProps extends Omit<NamesProps, 'button'> {
  reason: string
}

function NamesOf({ event, list, reason, times }: NamesOfProps) {
  const read = useInfiniteQuery(namesQuery(event, list, reason || undefined))
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = read
  if (!data)
    return error ? (
      <>
        <Notice variant="danger">{sentenceFor(error)}</Notice>
        <Button variant="outline" busy={isFetching} onClick={() => void refetch()}>
          Try again
        </Button>
      </>
    ) : (
      <Skeleton parts={['line', 'line', 'line']} />
    )
  const people = data.pages.flatMap((page) => page.people)
  if (people.length === 0) return <p className="text-muted">No one.</p>
  return (
    <>
      <ul aria-label="Names" className="grid grid-cols-1">
        {people.map((person) => (
          <Person key={person.person} event={event} person={person} times={times} />
        ))}
      </ul>
      {hasNextPage && (
        <Button variant="outline" busy={isFetching} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
      {error && <p className="font-semibold text-danger-ink">This could not be loaded. Try again.</p>}
    </>
  )
}

function Person({ event, person, times }: { event: EventUid; person: NamedPerson; times: Times }) {
  const { name, place, status, refused, left_with, last_at, last_by } = person
  const say = useSay()
  return (
    <li className="grid grid-cols-1 gap-1 border-b border-hairline py-2">
      <p className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-bold">{name}</span>
        <span className="flex flex-wrap items-center gap-x-2">
          <StatusBadge status={status} label={say(statusWord[status])} />
          {left_with && <span>left with {left_with}</span>}
        </span>
      </p>
      <p className="text-muted">
        {place}
        {refused && `. ${say('Refuses to evacuate')}`}
      </p>
      <p className="flex flex-wrap justify-between gap-x-3 text-sm text-muted tabular-nums">
        {last_at
          ? `Last recorded ${times.short(last_at)}${last_by ? ` by ${last_by}` : ''}`
          : 'No one recorded this person.'}
        <Link
          to={addressOf(`/${event}/timeline?show=all&person=${person.person}`)}
          aria-label={`Timeline of ${name}`}
          className="rec-evidence"
        >
          Timeline
        </Link>
      </p>
    </li>
  )
}
