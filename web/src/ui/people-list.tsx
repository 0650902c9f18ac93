import type { Occupant } from '@evac/contract/evacuation.ts'
import { memo } from 'react'
import { overlay, type WaitingByPerson } from '../lib/outbox-overlay.ts'
import type { RoutePath } from '../lib/routes.ts'
import { Button } from './button.tsx'
import { LoadMore } from './load-more.tsx'
import { Notice } from './notice.tsx'
import { type CardActions, OccupantCard } from './occupant-card.tsx'
import type { StatusWords } from './status-words.ts'

interface PeopleListProps extends CardActions {
  label: string
  people: readonly Occupant[]
  waiting: WaitingByPerson
  words: StatusWords
  from: RoutePath
  canMessage: boolean
}

/** Opening a sheet or typing a search leaves a thousand cards alone. */
export const PeopleList = memo(function PeopleList({ label, people, waiting, ...card }: PeopleListProps) {
  return (
    <ul aria-label={label} className="grid grid-cols-1 gap-3">
      {people.map((person) => (
        <OccupantCard key={person.evacuee_list_uid} person={overlay(person, waiting)} {...card} />
      ))}
    </ul>
  )
})

/** Further pages of a list, by themselves near the page bottom. */
interface MorePeopleProps {
  /** When it was read last. */
  asOf: number
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
      <LoadMore key={list.asOf} enabled={list.canLoadMore} onNear={list.loadMore} />
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
      The search cannot reach the server. These are found among the people on this phone.
    </Notice>
  )
}
