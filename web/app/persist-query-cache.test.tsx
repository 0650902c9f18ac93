import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test } from 'vitest'
import { renderHook } from 'vitest-browser-react'
import type { PersonUid } from '#kernel/ids.ts'
import { wipePersistedReads } from '../session/persisted-reads.ts'
import { clearAuth, setAuth } from '../session/stored-auth.ts'
import { storedAuth } from '../testing/stored-auth.ts'
import { usePersistedQueryCache } from './persist-query-cache.ts'

beforeEach(wipePersistedReads)

test('AMB-153 nothing that one person has read is left in memory for the next, or after signing out', async () => {
  const queryClient = new QueryClient()
  const keys = () => queryClient.getQueryCache().getAll().length
  setAuth(storedAuth({ Person_UID: 'grace' as PersonUid }))
  await renderHook(() => usePersistedQueryCache(queryClient))
  queryClient.setQueryData(['floor'], 'Level 3')

  setAuth(storedAuth({ Person_UID: 'oliver' as PersonUid }))
  await expect.poll(keys).toBe(0)

  queryClient.setQueryData(['floor'], 'Level 4')
  clearAuth()
  await expect.poll(keys).toBe(0)
})
