import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { BrowserRouter } from 'react-router'
import { BuiltRoutes } from '../pages/built-routes.ts'
import type { RoutePath } from '../pages/routes.ts'
import { useAuth } from '../session/stored-auth.ts'
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
  usePrefetchOfList(screens)
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

/** A visitor needs only the list, which follows the sign-in; what a warden may open next: prefetch.ts. */
function usePrefetchOfList(screens: ScreenTable) {
  const isVisitor = useAuth() === null
  useEffect(() => {
    if (!isVisitor) return
    const timer = setTimeout(() => screens['/reportinlist']?.load().catch(() => undefined), 500)
    return () => clearTimeout(timer)
  }, [screens, isVisitor])
}
