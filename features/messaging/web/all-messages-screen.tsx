import { useQuery } from '@tanstack/react-query'
import { Inbox, ListFilter, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useStore } from '#web/lib/store.ts'
import { unreadStore } from '#web/live/unread.ts'
import { navigate } from '#web/pages/navigate.ts'
import { useOwnSearch } from '#web/pages/own-search.ts'
import { Page } from '#web/ui/page.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TryAgain } from '#web/ui/try-again.tsx'
import { messengerDataQuery } from './messenger/messenger.data.ts'
import { MessengerFilterView } from './messenger/messenger-filter-view.tsx'
import { MessengerInboxView } from './messenger/messenger-inbox-view.tsx'
import { listShape } from './messenger/messenger-list.tsx'

type View = 'filters' | 'inbox'

/** What stands above the list: tabs, filters with their search, the count with its buttons. */
const shapes = {
  filters: ['headings', 'filters', 'search', 'fields'],
  inbox: ['headings', 'search'],
} as const

/** All wardens of the event, to be found or answered. */
export function AllMessagesScreen() {
  const view: View = new URLSearchParams(useOwnSearch()).get('view') === 'inbox' ? 'inbox' : 'filters'
  const { data, isError, isFetching, refetch } = useQuery(messengerDataQuery)
  const { fromWardens } = useStore(unreadStore)
  const isUnread = fromWardens || (data?.messengerList.some(({ unread }) => unread) ?? false)

  if (!data)
    return (
      <Page>
        {isError ? (
          <TryAgain busy={isFetching} onPress={() => void refetch()} />
        ) : (
          <Skeleton parts={[...shapes[view], ...listShape]} />
        )}
      </Page>
    )
  if ('error' in data)
    return (
      <Page>
        <p className="py-8 text-center text-lg text-muted">{data.message}</p>
      </Page>
    )
  const choose = (next: View) =>
    navigate(next === 'inbox' ? '/message/all?view=inbox' : '/message/all', { replace: true })
  return (
    <Page>
      <div
        role="tablist"
        aria-label="Warden Messaging"
        className="grid grid-cols-2 gap-1 rounded-xl border-[1.5px] border-line p-1"
      >
        <Tab icon={ListFilter} view="filters" shown={view} onChoose={choose}>
          Filters
        </Tab>
        <Tab icon={Inbox} view="inbox" shown={view} onChoose={choose}>
          Inbox
          {isUnread && <UnreadMark />}
        </Tab>
      </div>
      <div
        role="tabpanel"
        id="messenger-panel"
        aria-labelledby={`messenger-${view}`}
        className="grid grid-cols-1 gap-4"
      >
        {view === 'filters' ? <MessengerFilterView data={data} /> : <MessengerInboxView />}
      </div>
    </Page>
  )
}

function UnreadMark() {
  return (
    <>
      <span aria-hidden className="size-3.5 rounded-full border-2 border-surface bg-red" />
      <span className="sr-only">, unread messages</span>
    </>
  )
}

interface TabProps {
  icon: LucideIcon
  view: View
  shown: View
  onChoose: (view: View) => void
  children: ReactNode
}

function Tab({ icon: Icon, view, shown, onChoose, children }: TabProps) {
  const isShown = view === shown
  return (
    <button
      type="button"
      role="tab"
      id={`messenger-${view}`}
      aria-selected={isShown}
      aria-controls="messenger-panel"
      className={`btn min-h-12 rounded-lg ${isShown ? 'bg-link text-canvas forced-colors:bg-[Highlight]' : 'text-muted'}`}
      onClick={() => onChoose(view)}
    >
      <Icon aria-hidden size={20} className="shrink-0" />
      {children}
    </button>
  )
}
