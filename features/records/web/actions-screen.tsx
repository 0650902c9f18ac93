import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useKept } from '#web/lib/tab-state.ts'
import { useIsWide } from '#web/lib/use-is-wide.ts'
import { AsOf } from '#web/ui/as-of.tsx'
import { Button } from '#web/ui/button.tsx'
import { ToggleChoice } from '#web/ui/fields/toggle-choice.tsx'
import { Link } from '#web/ui/link.tsx'
import { Page } from '#web/ui/page.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { ActionCard } from './actions/action-card.tsx'
import { ActionSheet } from './actions/action-sheet.tsx'
import { ActionsTable, earliestDueFirst } from './actions/actions-table.tsx'
import './parts/styles.ts'
import { type ActionsFilter, actionsQuery } from './parts/records.data.ts'
import { Nothing, NotRead, Offline } from './parts/remarks.tsx'
import { addressOf } from './parts/warden-or-console.tsx'

const shows = [
  { value: 'open', label: 'Open' },
  { value: 'overdue', label: 'Overdue' },
  { value: 'mine', label: 'Mine' },
  { value: 'done', label: 'Done' },
  { value: 'verified', label: 'Verified' },
] as const
type Show = (typeof shows)[number]['value']

/** 'Mine' are those that are still to be done. */
const filterOf = (show: Show): ActionsFilter => (show === 'mine' ? { mine: 'yes', state: 'open' } : { state: show })

/** What is to be done after all events: a table where there is room for columns, cards elsewhere. */
export function ActionsScreen() {
  const [show, setShow] = useKept<Show>('/event/records/actions show', 'open')
  const [opened, setOpened] = useState<string | null>(null)
  const [order, setOrder] = useKept('/event/records/actions order', earliestDueFirst)
  const isWide = useIsWide()
  const isSorted = isWide && !(order.sort === earliestDueFirst.sort && order.direction === earliestDueFirst.direction)
  const list = useInfiniteQuery(actionsQuery({ ...filterOf(show), ...(isSorted && order) }))
  const actions = list.data?.pages.flatMap((page) => page.actions)
  const shown = actions?.find(({ uid }) => uid === opened) ?? null
  return (
    <Page className="rec-page">
      <Offline />
      <ToggleChoice legend="Show" options={shows} value={show} onChange={setShow} />
      <NotRead read={list} />
      {!actions && !list.isError && <Skeleton parts={['card', 'card', 'card']} />}
      {actions && <AsOf at={list.dataUpdatedAt} stale={list.isError} />}
      {actions?.length === 0 && <Nothing>No actions.</Nothing>}
      {actions && actions.length > 0 && isWide && (
        <div className={list.isPlaceholderData ? 'sample' : ''}>
          <ActionsTable actions={actions} order={order} onOrder={setOrder} onOpen={setOpened} />
        </div>
      )}
      {actions && actions.length > 0 && !isWide && (
        <ul aria-label="Actions" className={`cards gap-3 ${list.isPlaceholderData ? 'sample' : ''}`}>
          {actions.map((action) => (
            <li key={action.uid}>
              <ActionCard action={action} from={action.site} onOpen={() => setOpened(action.uid)}>
                <Link to={addressOf(`/${action.event}`)} className="rec-evidence">
                  Record {action.number}
                </Link>
              </ActionCard>
            </li>
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <Button variant="outline" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Show more
        </Button>
      )}
      <ActionSheet action={shown} onClose={() => setOpened(null)} />
    </Page>
  )
}
