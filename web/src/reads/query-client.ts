import { ApiError } from '@evac/contract/client.ts'
import { onlineManager, QueryClient } from '@tanstack/react-query'

const day = 24 * 60 * 60 * 1000
const isPassing = (error: Error) => error instanceof ApiError && (error.status === 0 || error.status >= 500)

/**
 * Safety records go through the outbox. Any other change is made now or fails now: parked until there is signal, it would
 * happen minutes later, cancelled or not, and be lost in a reload.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        gcTime: day,
        // A screen that is drawn twice in a row asks once.
        staleTime: 2000,
        retry: (failures, error) => isPassing(error) && failures < 2,
      },
      mutations: { networkMode: 'always' },
    },
  })
}

/** TanStack starts as online whatever the phone says, and would let the first reads fail instead of waiting. */
export function startOnlineWatch() {
  onlineManager.setOnline(navigator.onLine)
}
