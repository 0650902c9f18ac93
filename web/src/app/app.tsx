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
  usePrefetch(screens)
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

/**
 * Fetches the pages' chunks while the phone is idle: without signal it could not open the next one. A visitor needs only
 * the list, which follows the sign-in.
 */
function usePrefetch(screens: ScreenTable) {
  const signedIn = useAuth() !== null
  useEffect(() => {
    const fetchAll = () => {
      const next = signedIn ? Object.values(screens) : [screens['/reportinlist']]
      for (const screen of next) screen?.load().catch(() => undefined)
      if (signedIn) import('../lib/realtime-socket.ts').catch(() => undefined)
    }
    // Safari has no requestIdleCallback.
    if (!window.requestIdleCallback) {
      const timer = setTimeout(fetchAll, 2000)
      return () => clearTimeout(timer)
    }
    const idle = requestIdleCallback(fetchAll, { timeout: 5000 })
    return () => cancelIdleCallback(idle)
  }, [screens, signedIn])
}
