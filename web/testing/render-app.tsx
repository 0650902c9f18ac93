import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { logSignIn, type SignInRecord } from '#features/duty/calls/report-in.ts'
import { getBrief } from '#features/events/calls/brief.ts'
import { getAlarms } from '#features/live-updates/calls/alarms.ts'
import { getChannels, pollEvent } from '#features/live-updates/calls/realtime.ts'
import { getProfile } from '#features/sign-in/calls/sign-in.ts'
import type { ClientUid } from '#kernel/ids.ts'
import type { CallReply } from '#kernel/route.ts'
import { Pages } from '../app/app.tsx'
import { screen } from '../app/screen.tsx'
import { Screens, type ScreenTable } from '../app/screens.ts'
import { browser } from '../lib/browser.ts'
import { navigate } from '../pages/navigate.ts'
import { type Address, pages } from '../pages/pages.ts'
import { type StoredAuth, setAuth } from '../session/stored-auth.ts'
import { ToastRegion } from '../ui/toast.tsx'
import { type FakeServer, fakeServer } from './fake-server.ts'
import { emptyOutbox } from './outbox.ts'
import { someAssignment, someSignIn, storedAuth } from './stored-auth.ts'

/** Plain pages: these tests are about what stands around them. */
export const plainScreens = (): ScreenTable =>
  Object.fromEntries(
    pages.flatMap((page) => (page.screen ? [[page.path, screen(async () => () => <p>page {page.path}</p>)]] : [])),
  )

export const someProfile: CallReply<typeof getProfile> = {
  Firstname: 'Grace',
  Lastname: 'Okafor',
  Email: 'chief@harbour.test',
  Mobile: null,
  Is_Client_Master: false,
  Client_UID: '00000000-0000-4000-8000-00000000c001' as ClientUid,
  Primary_Location_Floor_UID: null,
}
export const signInRecord = (overrides: Partial<SignInRecord> = {}): SignInRecord => ({
  error: null,
  reported_in: true,
  warden_uid: someAssignment,
  event_uid: null,
  on_duty: true,
  not_available: false,
  WardenSignInUID: someSignIn,
  event_kind: 'live',
  ...overrides,
})

interface AppOptions {
  auth?: Partial<StoredAuth> | null
  screens?: ScreenTable
  /** Changes the server's answers before the page opens. */
  given?: (server: FakeServer) => void
}

/** The whole program around plain pages, with a server that answers what the shell itself asks. */
export async function renderApp(at: string, { auth = {}, screens = plainScreens(), given }: AppOptions = {}) {
  const server = fakeServer()
  // Before anyone is signed in: what another file has left there is not sent.
  await emptyOutbox()
  const signedIn = auth && storedAuth(auth)
  if (signedIn) setAuth(signedIn)
  server.answer(getProfile, someProfile)
  server.answer(
    logSignIn,
    signInRecord({ on_duty: signedIn?.on_duty ?? false, event_kind: signedIn?.event_kind ?? null }),
  )
  // Real-time stays out of these tests: the question is never answered.
  server.answer(getChannels, () => new Promise(() => undefined))
  server.answer(getBrief, { command: null, instruction: null, offer: null, claims: [], gaps: null })
  server.answer(getAlarms, { cursor: '1', floors: null, places: [], is_new: false })
  server.answer(pollEvent, { status: 'no_event', message: null })
  given?.(server)
  await Promise.allSettled(Object.values(screens).map(({ load }) => load()))
  const load = vi.spyOn(browser, 'load').mockReturnValue()

  history.replaceState(null, '', at)
  const queryClient = new QueryClient()
  const view = await render(
    <QueryClientProvider client={queryClient}>
      <Screens value={screens}>
        <Pages />
      </Screens>
      <ToastRegion />
    </QueryClientProvider>,
  )
  return Object.assign(view, {
    server,
    queryClient,
    load,
    address: () => location.pathname + location.search,
    go: (to: string) => navigate(to as Address),
    back: (pages: number) => history.go(-pages),
  })
}
