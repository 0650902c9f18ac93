import { memo, useMemo, useRef } from 'react'
import type { Occupant } from '#features/evacuation/calls/evacuation.ts'
import { overlay, type PendingByPerson } from '../outbox/outbox-overlay.ts'
import type { PagePath } from '../pages/pages.ts'
import { Button } from '../ui/button.tsx'
import { LoadMore } from '../ui/load-more.tsx'
import { Notice } from '../ui/notice.tsx'
import { type CardActions, OccupantCard } from './occupant-card.tsx'
import type { PlacedPerson } from './row-window.tsx'
import type { StatusWords } from './status-words.ts'
import { useRowWindow } from './use-row-window.ts'

interface PeopleListProps extends CardActions {
  label: string
  people: readonly Occupant[]
  /** How many the list has once all its pages are read. */
  total?: number | undefined
  pending: PendingByPerson
  words: StatusWords
  from: PagePath
  canMessage: boolean
  /** The place of the page. Cards leave it out. */
  place?: string | undefined
}

/** Opening a sheet or typing a search leaves the cards alone; of ten thousand only those near the screen exist. */
export const PeopleList = memo(function PeopleList({ label, people, total = 0, pending, ...card }: PeopleListProps) {
  const list = useRef<HTMLUListElement>(null)
  const keys = useMemo(() => people.map(({ evacuee_list_uid: uid }) => uid), [people])
  const { window, upTo, Follow, followProps } = useRowWindow(list, keys)
  const size = Math.max(total, people.length)

  const row = (index: number, placed?: PlacedPerson) => {
    const person = people[index]
    if (!person) return null
    return (
      <li
        key={person.evacuee_list_uid}
        ref={placed?.isFirstOfRow ? window?.measure : undefined}
        data-index={placed?.row}
        data-key={person.evacuee_list_uid}
        aria-setsize={size}
        aria-posinset={index + 1}
        className={placed ? 'pb-2' : 'row-lazy'}
        style={{ marginTop: placed?.above }}
      >
        <OccupantCard person={overlay(person, pending)} {...card} />
      </li>
    )
  }
  return (
    <>
      <ul
        ref={list}
        // biome-ignore lint/a11y/noRedundantRoles: Safari takes a list without bullets for none
        role="list"
        aria-label={label}
        className={window ? 'cards content-start gap-x-2' : 'cards gap-2'}
        style={{ height: window?.height }}
      >
        {window
          ? window.people.map((placed) => row(placed.index, placed))
          : people.slice(0, upTo).map((_, index) => row(index))}
      </ul>
      {Follow && <Follow {...followProps} />}
    </>
  )
})

/** Further pages of a list, by themselves near the page bottom. */
interface MorePeopleProps {
  /** When the last answer came. */
  answeredAt: number
  isLoadingMore: boolean
  moreFailed: boolean
  canLoadMore: boolean
  loadMore: () => unknown
}
export function MorePeople({ list }: { list: MorePeopleProps }) {
  if (list.moreFailed && !list.isLoadingMore) return <PeopleFailed onRetry={list.loadMore} />
  return (
    <>
      <ListRemark>{list.isLoadingMore && 'Loading...'}</ListRemark>
      {/* Looked at anew after each answer: one that comes within a frame would go unnoticed. */}
      <LoadMore key={list.answeredAt} enabled={list.canLoadMore} onNear={list.loadMore} />
    </>
  )
}

export function ListRemark({ children }: { children: string | false }) {
  return (
    <p role="status" className="min-h-12 py-3 text-center text-muted">
      {children}
    </p>
  )
}

export function PeopleFailed({ onRetry }: { onRetry: () => unknown }) {
  return (
    <div className="grid gap-2">
      <Notice variant="danger">The people could not be loaded.</Notice>
      <Button variant="outline" onClick={() => void onRetry()}>
        Try again
      </Button>
    </div>
  )
}

/** A search that cannot reach the server looks among those whom this phone has read. */
export function LimitedSearch() {
  return (
    <Notice variant="warning">
      The search cannot reach the server. These results are from the people on this phone.
    </Notice>
  )
}
