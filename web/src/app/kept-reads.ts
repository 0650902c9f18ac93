import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useAuth } from '../session/stored-auth.ts'

/** What was read stays on the phone for its owner; another person starts with nothing. */
export function useKeptReads(queryClient: QueryClient) {
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
