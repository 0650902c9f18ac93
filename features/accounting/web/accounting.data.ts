import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query'
import type { UnknownCause } from '#features/board/kinds.ts'
import type { BuildingUid, EvacueeUid, FloorUid } from '#kernel/ids.ts'
import * as limits from '#kernel/limits.ts'
import type { CallInput, CallReply } from '#kernel/route.ts'
import { patchQueries, type RecordLists, withChange } from '#web/outbox/acknowledged-records.ts'
import { call } from '#web/session/api.ts'
import type { Extras } from '#web/session/use-keyed-send.ts'
import type { AccountedPage, AccountedPerson, keepContradiction, listContradictions } from '../calls.ts'
import type { AccountList } from '../kinds.ts'

export interface Wanted {
  list: AccountList
  floor?: FloorUid | BuildingUid
  cause?: UnknownCause
}
type ContradictionsPage = CallReply<typeof listContradictions>

/** Keys begin with the topic that makes real-time refetch them. */
const peopleKey = ['evacuee', 'accounting'] as const
export const contradictionsKey = ['report', 'contradictions'] as const

export const accountedQuery = (wanted: Wanted) =>
  infiniteQueryOptions({
    queryKey: [...peopleKey, wanted],
    initialPageParam: null as EvacueeUid | null,
    queryFn: ({ signal, pageParam }): Promise<AccountedPage> =>
      call('GET /api/event/people', { query: { ...wanted, ...(pageParam && { after: pageParam }) } }, { signal }),
    getNextPageParam: ({ next }) => next,
    meta: { topics: ['event', 'message', 'text'] },
  })

/** Of a place, or of all. */
export const contradictionsQuery = (floor: FloorUid | BuildingUid | null) =>
  infiniteQueryOptions({
    queryKey: [...contradictionsKey, floor],
    initialPageParam: null as string | null,
    queryFn: ({ signal, pageParam }): Promise<ContradictionsPage> =>
      call(
        'GET /api/event/contradictions',
        { query: { ...(floor && { floor }), ...(pageParam && { after: pageParam }) } },
        { signal },
      ),
    getNextPageParam: ({ next }) => next,
    meta: { topics: ['evacuee', 'floor', 'event'] },
  })

export const keep = (body: CallInput<typeof keepContradiction>['body'], extras: Extras) =>
  call('POST /api/event/contradictions/keep', { body }, extras)

const changed =
  (sent: Parameters<typeof withChange>[1], change: Parameters<typeof withChange>[2]) => (one: AccountedPerson) =>
    withChange(one, sent, change)

/** What this phone records is shown at once, and read again shortly after. */
export const accountingLists: RecordLists = {
  keys: [peopleKey, contradictionsKey],
  refetchAfter: () => limits.refetchAfterStatus,
  apply(client, sent, change) {
    patchQueries<InfiniteData<AccountedPage>>(client, peopleKey, (list) => ({
      ...list,
      pages: list.pages.map((page) => ({ ...page, people: page.people.map(changed(sent, change)) })),
    }))
    patchQueries<InfiniteData<ContradictionsPage>>(client, contradictionsKey, (list) => ({
      ...list,
      pages: list.pages.map((page) => ({
        ...page,
        items: page.items.map((item) => ({ ...item, people: item.people.map(changed(sent, change)) })),
      })),
    }))
  },
}
