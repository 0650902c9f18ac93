import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { BrowserRouter } from 'react-router'
import { BuiltRoutes } from '../lib/built-routes.ts'
import type { RoutePath } from '../lib/routes.ts'
import { useAuth } from '../lib/stored-auth.ts'
import { ToastRegion } from '../ui/toast.tsx'
import { useKeptReads } from './kept-reads.ts'
import { Later } from './later.tsx'
import type { ScreenTable } from './screen-table.tsx'
import { SessionGate } from './session-gate.tsx'
import { Shell } from './shell.tsx'

interface AppProps {
  screens: ScreenTable
  queryClient: QueryClient
}

export function App({ screens, queryClient }: AppProps) {
  useKeptReads(queryClient)
  usePrefetch(screens, queryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <BrowserRouter>
        <Pages screens={screens} />
      </BrowserRouter>
      <ToastRegion />
    </QueryClientProvider>
  )
}

/** Everything that depends on the address. */
export function Pages({ screens }: { screens: ScreenTable }) {
  const isBuilt = useCallback((path: RoutePath) => screens[path] !== undefined, [screens])
  return (
    <BuiltRoutes value={isBuilt}>
      <SessionGate>
        <Shell screens={screens} />
        <Later screens={screens} />
      </SessionGate>
    </BuiltRoutes>
  )
}

/** How often it is looked whether the screen has what it asked for, and how long that is waited for. */
const lookMs = 500
const looks = 10

/**
 * Fetches the pages' chunks, which the phone could not without signal, after what the first screen asks for: on a slow
 * line they would hold it up. A visitor needs only the list, which follows the sign-in.
 */
function usePrefetch(screens: ScreenTable, queryClient: QueryClient) {
  const signedIn = useAuth() !== null
  useEffect(() => {
    let looked = 0
    const timer = setInterval(() => {
      looked++
      if (queryClient.isFetching() > 0 && looked < looks) return
      clearInterval(timer)
      const next = signedIn ? Object.values(screens) : [screens['/reportinlist']]
      for (const screen of next) screen?.load().catch(() => undefined)
      if (signedIn) import('../lib/realtime-socket.ts').catch(() => undefined)
    }, lookMs)
    return () => clearInterval(timer)
  }, [screens, queryClient, signedIn])
}
