import { useInfiniteQuery } from '@tanstack/react-query'
import { GitCompareArrows } from 'lucide-react'
import { useState } from 'react'
import type { BuildingUid, FloorUid } from '#kernel/ids.ts'
import { formatCount } from '#web/lib/counts.ts'
import { useConnectionHealth } from '#web/live/connection-health.ts'
import { useSayIn } from '#web/live/response.ts'
import { AsOf } from '#web/ui/as-of.tsx'
import { Button } from '#web/ui/button.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { AccountedPerson, ContradictionItem } from '../calls.ts'
import { contradictionWords } from '../words.ts'
import { contradictionsQuery } from './accounting.data.ts'
import { Nothing, NotRead } from './contradiction-remarks.tsx'
import { ResolveSheet } from './resolve-sheet.tsx'

const keyOf = ({ kind, subject }: ContradictionItem) => `${kind} ${subject}`

/** Records that cannot both be complete. */
export function Contradictions({
  floor,
  opened,
  onStatus,
  onPlan,
  onResolve,
}: {
  floor: FloorUid | BuildingUid | null
  /** The key of the one that is open at first. */
  opened: string | null
  onStatus: (person: AccountedPerson) => void
  onPlan: (person: AccountedPerson) => void
  /** A contradiction was opened. */
  onResolve: () => void
}) {
  const list = useInfiniteQuery(contradictionsQuery(floor))
  const stale = useConnectionHealth().trouble !== null || list.isError
  const [open, setOpen] = useState(opened ?? undefined)
  const [first] = list.data?.pages ?? []
  if (!first) return list.isError ? <NotRead read={list} /> : <Skeleton />
  const moment = { at: first.at, readAt: list.dataUpdatedAt }
  const items = [...new Map(list.data?.pages.flatMap(({ items }) => items).map((item) => [keyOf(item), item])).values()]
  const shown = items.find((item) => keyOf(item) === open)
  const isSought = open !== undefined && open === opened && !shown
  return (
    <>
      <NotRead read={list} />
      <AsOf at={list.dataUpdatedAt} stale={stale} />
      {items.length === 0 && <Nothing />}
      <ul
        // biome-ignore lint/a11y/noRedundantRoles: Safari takes a list without bullets for none
        role="list"
        aria-label="Contradictions"
        className="cards gap-2"
      >
        {items.map((item) => (
          <li key={keyOf(item)}>
            <ItemCard
              item={item}
              onResolve={() => {
                onResolve()
                setOpen(keyOf(item))
              }}
            />
          </li>
        ))}
      </ul>
      {isSought && (
        <LoadMore key={list.dataUpdatedAt} enabled={list.hasNextPage && !list.isFetching} onNear={list.fetchNextPage} />
      )}
      {list.hasNextPage && (
        <Button variant="outline" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Show more
        </Button>
      )}
      <ResolveSheet
        key={shown?.state}
        item={shown ?? null}
        moment={moment}
        onStatus={(person) => {
          setOpen(undefined)
          onStatus(person)
        }}
        onPlan={(person) => {
          setOpen(undefined)
          onPlan(person)
        }}
        onClose={() => setOpen(undefined)}
      />
    </>
  )
}

function ItemCard({ item, onResolve }: { item: ContradictionItem; onResolve: () => void }) {
  const names = item.people.slice(0, 3).map(({ name }) => name)
  const others = item.count - names.length
  const say = useSayIn(item.building)
  const who = [...names, others > 0 && (names.length > 0 ? `${formatCount(others)} more` : peopleOf(others))]
  return (
    <div className="card grid gap-2 border-l-8 border-l-danger py-2">
      <div>
        <h3 className="text-lg leading-snug font-bold">{say(contradictionWords[item.kind])}</h3>
        <p className="text-muted">{item.location}</p>
        <p>{who.filter(Boolean).join(', ')}</p>
      </div>
      <Button
        variant="outline"
        icon={GitCompareArrows}
        aria-label={`Resolve: ${say(contradictionWords[item.kind])}, ${item.location}`}
        onClick={onResolve}
      >
        Resolve
      </Button>
    </div>
  )
}

const peopleOf = (count: number) => (count === 1 ? '1 person' : `${formatCount(count)} people`)
