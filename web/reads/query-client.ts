import { onlineManager, QueryClient } from '@tanstack/react-query'
import { ApiError } from '#kernel/client/client.ts'

const day = 24 * 60 * 60 * 1000
const isPassing = (error: Error) => error instanceof ApiError && (error.status === 0 || error.status >= 500)

/** Milliseconds until the next try of a passing failure: 1 s or 2 s, or what a server with too much to do asks for. */
const pauseBefore = (failures: number, error: Error) => ((error as ApiError).retryAfter || failures + 1) * 1000

/**
 * Safety records go through the outbox. Any other change runs now or fails now. TanStack would pause it until there is
 * signal: it would then run minutes later, even if cancelled, and be lost in a reload.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        gcTime: day,
        // A screen that renders twice in a row asks once.
        staleTime: 2000,
        retry: (failures, error) => isPassing(error) && failures < 2,
        retryDelay: pauseBefore,
      },
      mutations: { networkMode: 'always' },
    },
  })
}

/** TanStack assumes to be online at the start, so the first reads would fail instead of waiting. */
export function startOnlineWatch() {
  onlineManager.setOnline(navigator.onLine)
}
