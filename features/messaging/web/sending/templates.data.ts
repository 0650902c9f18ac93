import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/session/api.ts'
import type { MessageTemplate } from '../../calls/messaging.ts'

export type RecipientType = 'Warden' | 'Evacuee'
export type { MessageTemplate }

/** Newest first. Templates that cannot be had are simply not offered. */
export const templatesQuery = (type: RecipientType) =>
  queryOptions({
    queryKey: ['templates', type],
    queryFn: async ({ signal }) => {
      const { templates } = await call('GET /api/message/templates/data', { query: { type } }, { signal })
      return templates.toSorted((a, b) => b.id - a.id)
    },
    staleTime: 60_000,
  })
