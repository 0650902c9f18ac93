import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useAuth } from '../session/stored-auth.ts'

/** Persists the query cache of the signed-in person. Another person starts with an empty one. */
export function usePersistedQueryCache(queryClient: QueryClient) {
  const owner = useAuth()?.Person_UID
  useEffect(() => {
    if (!owner) return
    const life = new AbortController()
    keep(queryClient, owner, life.signal).catch(() => undefined)
    return () => {
      life.abort()
      queryClient.clear()
    }
  }, [queryClient, owner])
}

async function keep(queryClient: QueryClient, owner: string, signal: AbortSignal) {
  const { persistReads } = await import('../session/persisted-reads.ts')
  if (signal.aborted) return
  signal.addEventListener('abort', persistReads(queryClient, owner))
}
