import { memo, useState } from 'react'
import type { CardActions } from '#web/evacuees/occupant-card.tsx'
import { PersonCard } from '#web/evacuees/person-card.tsx'
import { isNamed } from '#web/evacuees/search/find-names.ts'
import { floorWords } from '#web/evacuees/status-words.ts'
import { useSayOf } from '#web/live/response.ts'
import { type Overlaid, overlay, type PendingByPerson } from '#web/outbox/outbox-overlay.ts'
import { AsOf } from '#web/ui/as-of.tsx'
import { SearchBox } from '#web/ui/fields/search-box.tsx'
import { Section } from '#web/ui/section.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { PeepPerson } from '../calls/evacuation.ts'

interface PeepSectionProps extends CardActions {
  /** Undefined while another floor is being opened. */
  people: readonly PeepPerson[] | undefined
  pending: PendingByPerson
  asOf: number
  stale: boolean
  onRefresh: () => void
}

/** 'People with Disability on this Floor'. */
export function PeepSection({ people, pending, asOf, stale, onRefresh, ...actions }: PeepSectionProps) {
  const [search, setSearch] = useState('')
  const text = search.trim()
  // Searches in the browser, from the first character.
  const isFound = isNamed(text)
  const found = people?.filter(({ name }) => isFound(name))
  return (
    <Section flat="basis-[12.5rem]" title="People with Disability on this Floor" count={people?.length}>
      <SearchBox label="Search PEEPS" value={search} onChange={setSearch} onRefresh={onRefresh} />
      <AsOf at={people ? asOf : 0} stale={stale} />
      {!people || !found ? (
        <Skeleton parts={['person']} />
      ) : found.length > 0 ? (
        // Focusable, so that the keyboard can scroll it.
        <ul
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
          tabIndex={0}
          aria-label="People with Disability on this Floor"
          className="grid h-[207px] grid-cols-1 content-start gap-3 overflow-y-auto overscroll-contain"
        >
          {found.map((person) => (
            <PeepCard key={person.id} person={overlay(person, pending)} {...actions} />
          ))}
        </ul>
      ) : (
        <p role="status" className="px-1 py-3 text-muted">
          {emptyText(people.length, text)}
        </p>
      )}
    </Section>
  )
}

/** No message for one or two characters without a match. */
function emptyText(all: number, text: string): string {
  if (all === 0) return 'No PEEPs on this floor'
  return text.length >= 3 ? 'No PEEPs Found...' : ''
}

interface PeepCardProps extends CardActions {
  person: Overlaid<PeepPerson>
}
const PeepCard = memo(function PeepCard({ person, onStatus, onPeep }: PeepCardProps) {
  const { id, name, status, on_floor, isStatusPending, group } = person
  const sayOf = useSayOf()
  return (
    <li>
      <PersonCard
        name={name}
        status={status}
        word={sayOf(group)(floorWords.offered[status])}
        isPending={isStatusPending}
        onStatus={() => onStatus({ id, name, status, on_floor, group })}
        onPeep={() => onPeep({ name, plan: person })}
      />
    </li>
  )
})
