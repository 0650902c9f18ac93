import { queryOptions } from '@tanstack/react-query'
import * as limits from '#kernel/limits.ts'
import type { CallReply } from '#kernel/route.ts'
import { call } from '#web/session/api.ts'
import type { listHazards, listPacks } from '../calls.ts'

export type Packs = CallReply<typeof listPacks>
export type Pack = Packs['packs'][number]
export type Hazards = CallReply<typeof listHazards>
export type Hazard = Hazards['hazards'][number]

/** Readers come without a publication, so the list is polled. */
export const packsQuery = queryOptions({
  queryKey: ['event', 'packs'],
  queryFn: ({ signal }) => call('GET /api/event/packs', {}, { signal }),
  refetchInterval: limits.fallbackPoll,
})

export const hazardsQuery = queryOptions({
  queryKey: ['command', 'hazards'],
  queryFn: ({ signal }) => call('GET /api/event/hazards', {}, { signal }),
  refetchInterval: limits.fallbackPoll,
})

/**
 * Addresses of the packs that this phone has made, by uid. The server tells each once. They are kept while the app
 * is open, and nowhere else.
 */
export const addressesQuery = queryOptions({
  queryKey: ['pack addresses'],
  queryFn: (): Record<string, string> => ({}),
  initialData: {},
  enabled: false,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  meta: { private: true },
})
