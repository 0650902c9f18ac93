import { useInfiniteQuery } from '@tanstack/react-query'
import { Phone, PhoneOff } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Section } from '#web/ui/section.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { Unreached } from '../../calls/event-texts.ts'
import { unreachedQuery } from './event-texts.data.ts'
import { stateLook } from './state-look.ts'

/** Read when it is opened: most of the time no one needs it. */
export function UnreachedList() {
  const [open, setOpen] = useState(false)
  return (
    <Section title="Not reached: call instead" onToggle={setOpen}>
      {open && <People />}
    </Section>
  )
}

function People() {
  const list = useInfiniteQuery(unreachedQuery)
  const people = list.data?.pages.flatMap(({ persons }) => persons)
  if (list.isLoadingError)
    return (
      <>
        <Notice variant="danger">The people could not be loaded.</Notice>
        <Button variant="outline" onClick={() => void list.refetch()}>
          Try again
        </Button>
      </>
    )
  if (!people) return <Skeleton parts={['line', 'line', 'line']} />
  if (people.length === 0) return <p className="py-3 text-center text-muted">No one is known to be out of reach.</p>
  return (
    <>
      <ul aria-label="Not reached" className="grid grid-cols-1 gap-3">
        {people.map((person) => (
          <Person key={person.id} person={person} />
        ))}
      </ul>
      {list.hasNextPage && (
        <Button variant="outline" block busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Show more
        </Button>
      )}
    </>
  )
}

function Person({ person: { name, phone, location, warden, state, reason } }: { person: Unreached }) {
  const { icon: Icon, word, ink } = stateLook[state]
  return (
    <li className="card row-lazy flex items-center gap-3 wrap-anywhere">
      <div className="min-w-0 flex-1">
        <h3 className="text-lg leading-snug font-bold">{name}</h3>
        <p className="text-sm text-muted">{[warden && 'Warden', location].filter(Boolean).join(', ')}</p>
        <p className="mt-1 flex min-w-0 items-start gap-2 font-semibold *:min-w-0">
          <Icon aria-hidden size={20} className={`mt-0.5 shrink-0 ${ink}`} />
          <span>{reason ? `${word}: ${reason}` : word}</span>
        </p>
      </div>
      {phone ? (
        <a href={`tel:+${phone}`} aria-label={`Call ${name}`} title={`Call ${name}`} className="btn btn-icon">
          <Phone aria-hidden />
        </a>
      ) : (
        <IconButton icon={PhoneOff} label={`No phone number for ${name}`} disabled />
      )}
    </li>
  )
}
