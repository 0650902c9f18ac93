import * as limits from '@evac/contract/limits.ts'
import { useQuery } from '@tanstack/react-query'
import { useKept } from '../../../lib/kept.ts'
import { useDebounced } from '../../../lib/use-debounced.ts'
import { useConnectionHealth } from '../../../live/connection-health.ts'
import { AsOf } from '../../../ui/as-of.tsx'
import { SearchBox } from '../../../ui/fields/search-box.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { TryAgain } from '../../../ui/try-again.tsx'
import { inboxQuery } from './messenger.data.ts'
import { listShape, MessengerList } from './messenger-list.tsx'

/** ALLMSG-06, ALLMSG-19, ALLMSG-23: with whom one has a conversation in this event, unread first. */
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
