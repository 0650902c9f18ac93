import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { use, useEffect } from 'react'
import { usePathname } from 'wouter/use-browser-location'
import { useAuth } from '../session/stored-auth.ts'
import { ToastRegion } from '../ui/toast.tsx'
import { ConsolePage, isConsole } from './lazy-page.tsx'
import { LazySignedInParts } from './lazy-signed-in-parts.tsx'
import { usePersistedQueryCache } from './persist-query-cache.ts'
import { Screens } from './screens.ts'
import { SessionGate } from './session-gate.tsx'
import { Shell } from './shell.tsx'

export function App({ queryClient }: { queryClient: QueryClient }) {
  usePersistedQueryCache(queryClient)
  usePrefetchOfList()
  return (
    <QueryClientProvider client={queryClient}>
      <Pages />
      <ToastRegion />
    </QueryClientProvider>
  )
}

/** Everything that depends on the address. The administrators' side knows no event, no duty and no outbox. */
export function Pages() {
  if (isConsole(usePathname())) return <ConsolePage />
  return (
    <SessionGate>
      <Shell />
      <LazySignedInParts />
    </SessionGate>
  )
}

/** A visitor needs only the list, which follows the sign-in; what a warden may open next: prefetch.ts. */
function usePrefetchOfList() {
  const screens = use(Screens)
  const isVisitor = useAuth() === null
  useEffect(() => {
    if (!isVisitor) return
    const timer = setTimeout(() => screens['/reportinlist']?.load().catch(() => undefined), 500)
    return () => clearTimeout(timer)
  }, [screens, isVisitor])
}
