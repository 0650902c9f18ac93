import { useQuery } from '@tanstack/react-query'
import * as limits from '#kernel/limits.ts'
import { useKept } from '#web/lib/tab-state.ts'
import { useDebounced } from '#web/lib/use-debounced.ts'
import { useConnectionHealth } from '#web/live/connection-health.ts'
import { AsOf } from '#web/ui/as-of.tsx'
import { SearchBox } from '#web/ui/fields/search-box.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TryAgain } from '#web/ui/try-again.tsx'
import { inboxQuery } from './messenger.data.ts'
import { listShape, MessengerList } from './messenger-list.tsx'

/** With whom one has a conversation in this event, unread first. */
export function MessengerInboxView() {
  const [search, setSearch] = useKept('/message/all inbox search', '')
  const searched = useDebounced(search.trim(), limits.searchDebounce)
  const { data, isError, isFetching, dataUpdatedAt, refetch } = useQuery(inboxQuery(searched))
  const stale = useConnectionHealth().trouble !== null
  return (
    <>
      <div className="grid gap-2">
        <SearchBox label="Search Inbox" value={search} onChange={setSearch} onRefresh={() => void refetch()} />
        <AsOf at={dataUpdatedAt} stale={stale} />
      </div>
      {data ? (
        <MessengerList label="Inbox" wardens={data.cspdList} from="/message/all?view=inbox" />
      ) : isError ? (
        <TryAgain busy={isFetching} onPress={() => void refetch()} />
      ) : (
        <Skeleton parts={listShape} />
      )}
    </>
  )
}
