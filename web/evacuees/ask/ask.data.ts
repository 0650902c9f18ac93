import { queryOptions } from '@tanstack/react-query'
import type { AskCount } from '#features/accounting/calls.ts'
import type { UnknownCause } from '#features/board/kinds.ts'
import type { BuildingUid, FloorUid } from '#kernel/ids.ts'
import { call } from '../../session/api.ts'
import type { Extras } from '../../session/use-keyed-send.ts'

/** Whom a question goes to: the unknown of these causes on these floors. Without floors everywhere. */
export interface Asking {
  floors: (FloorUid | BuildingUid)[]
  causes: UnknownCause[]
}

/** The key begins with the topic that makes real-time refetch it. */
export const askCountQuery = (asking: Asking) =>
  queryOptions({
    queryKey: ['evacuee', 'ask', asking],
    queryFn: ({ signal }): Promise<AskCount> => call('POST /api/event/ask/count', { body: asking }, { signal }),
    meta: { topics: ['message', 'text', 'event'] },
    retry: false,
  })

export const ask = (asking: Asking & { count: number; sounds?: 'yes' }, extras: Extras) =>
  call('POST /api/event/ask', { body: asking }, extras)
