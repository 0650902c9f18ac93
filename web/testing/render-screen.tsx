import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type RenderResult, render } from 'vitest-browser-react'
import { usePathname } from 'wouter/use-browser-location'
import { createQueryClient } from '../reads/query-client.ts'
import { type StoredAuth, setAuth } from '../session/stored-auth.ts'
import { ToastRegion } from '../ui/toast.tsx'
import { storedAuth } from './stored-auth.ts'

export interface RenderScreenOptions {
  /** The address the screen opens with; a string or with navigation state. */
  at?: string | { pathname: string; search?: string; state?: unknown }
  /** Route pattern, for a screen that reads parameters: '/documents/:wardenAssignmentUID'. */
  route?: string
  /** Parts of the stored auth, or null for a visitor who is not signed in. */
  auth?: Partial<StoredAuth> | null
}
export interface RenderedScreen extends RenderResult {
  /** Where client-side navigation has led: path, query and what is behind `#`. */
  address: () => string
  /** The navigation state that came along. */
  state: () => unknown
  queryClient: QueryClient
}

/** Draws one screen as the app would: queries, router, toasts, and a signed-in warden on duty unless told otherwise. */
export async function renderScreen(ui: ReactNode, options: RenderScreenOptions = {}): Promise<RenderedScreen> {
  const { at = '/', route, auth = {} } = options
  const { pathname, search = '', state = null } = typeof at === 'string' ? { pathname: at } : at
  if (auth) setAuth(storedAuth(auth))
  const { mutations } = createQueryClient().getDefaultOptions()
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false }, mutations } })
  history.replaceState(state, '', pathname + search)
  const shown = new RegExp(route ? `^${route.replace(/:\w+/g, '[^/]+')}$` : '')
  const Screen = () => shown.test(usePathname()) && ui
  const screen = await render(
    <QueryClientProvider client={queryClient}>
      <Screen />
      <ToastRegion />
    </QueryClientProvider>,
  )
  return Object.assign(screen, {
    address: () => location.pathname + location.search + location.hash,
    state: () => history.state as unknown,
    queryClient,
  })
}
