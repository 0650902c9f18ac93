import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { MemoryRouter, Route, Routes, useLocation } from 'react-router'
import { type RenderResult, render } from 'vitest-browser-react'
import { BuiltRoutes } from '../pages/built-routes.ts'
import type { RoutePath } from '../pages/routes.ts'
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
  /** Routes that have a screen, so that links may lead there. */
  built?: readonly RoutePath[]
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
  const { at = '/', route = '*', auth = {}, built = [] } = options
  if (auth) setAuth(storedAuth(auth))
  const { mutations } = createQueryClient().getDefaultOptions()
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false }, mutations } })
  let current = ''
  let brought: unknown
  function Address() {
    const { pathname, search, hash, state } = useLocation()
    current = pathname + search + hash
    brought = state
    return null
  }
  const screen = await render(
    <QueryClientProvider client={queryClient}>
      <BuiltRoutes value={(path) => built.includes(path)}>
        <MemoryRouter initialEntries={[at]}>
          <Address />
          <Routes>
            <Route path={route} element={ui} />
            <Route path="*" element={null} />
          </Routes>
        </MemoryRouter>
        <ToastRegion />
      </BuiltRoutes>
    </QueryClientProvider>,
  )
  return Object.assign(screen, { address: () => current, state: () => brought, queryClient })
}
