import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { logSignIn } from '#features/duty/calls/report-in.ts'
import { getProfile } from '#features/sign-in/calls/sign-in.ts'
import { kept } from '../lib/tab-state.ts'
import { eventFlags } from '../session/event-flags.ts'
import { getAuth, getStoredProfile, setAuth, updateAuth } from '../session/stored-auth.ts'
import { cutOff, refused } from '../testing/fake-server.ts'
import { renderApp, signInRecord, someProfile } from '../testing/render-app.tsx'
import { flags, noFlags, storedAuth } from '../testing/stored-auth.ts'

const shown = (path: string) => expect.element(page.getByText(`page ${path}`, { exact: true })).toBeVisible()

test('ROUTE-01 / leads to the report-in list', async () => {
  const app = await renderApp('/')
  await shown('/reportinlist')
  expect(app.address()).toBe('/reportinlist')
  expect(app.server.received(getProfile), 'AMB-007: once, wherever the page leads').toHaveLength(1)
})

test('ROUTE-03 a visitor with stored auth is sent from /login to the list', async () => {
  const app = await renderApp('/login')
  await shown('/reportinlist')
  expect(app.address()).toBe('/reportinlist')
})

test.each(['?token', '?reportInToken', '#token', '#reportInToken'])(
  'AMB-034 T33 with %s= the login page opens whoever is signed in',
  async (name) => {
    const app = await renderApp(`/login${name}=abc`)
    await shown('/login')
    // A stale session that is refused here would take the link away with it.
    expect(app.server.received(getProfile)).toHaveLength(0)
  },
)

test.each(['/reportin', '/me/role', '/floor/evacuation'])(
  'ROUTE-29, SESSION-22 without auth %s leads to /login',
  async (path) => {
    localStorage.setItem('me', '{}')
    const app = await renderApp(path, { auth: null })
    await shown('/login')
    expect(app.address()).toBe('/login')
    expect(localStorage.getItem('me')).toBeNull()
  },
)

test('UX-20 a sign-out in another tab leaves nothing of the last warden in this one', async () => {
  kept.set('/evacuee/safety search', 'Person')
  await renderApp('/me/role', { auth: null })
  await shown('/login')
  await expect.poll(() => kept.get('/evacuee/safety search')).toBeUndefined()
})

test.each([
  ['ROUTE-07', '/warden-assignment/a1'],
  ['ROUTE-09', '/withdraw/a1'],
  ['ROUTE-11', '/documents/a1'],
])('%s without auth %s leads by way of the list to /login', async (_, path) => {
  const app = await renderApp(path, { auth: null })
  await shown('/login')
  expect(app.address()).toBe('/login')
})

test.each(['/documents/a1', '/floor/evacuation?floor=f1'])(
  'UX-23 %s, opened before signing in, is where the sign-in leads to, once',
  async (link) => {
    const app = await renderApp(link, { auth: null })
    await shown('/login')
    app.server.answer(logSignIn, signInRecord())
    setAuth(storedAuth())
    app.go('/reportinlist')

    await expect.poll(app.address).toBe(link)
    app.go('/reportinlist')
    await shown('/reportinlist')
    expect(app.address()).toBe('/reportinlist')
  },
)

test('UX-23 a page that the warden may not open is forgotten', async () => {
  const app = await renderApp('/event/management', { auth: null })
  await shown('/login')
  setAuth(storedAuth({ module_access: noFlags }))
  app.go('/reportinlist')
  await shown('/reportinlist')
  expect(app.address()).toBe('/reportinlist')
})

test('ROUTE-28 a missing module flag leads to the list', async () => {
  const app = await renderApp('/event/management', { auth: { module_access: flags('Module_Floor_Evacuation') } })
  await shown('/reportinlist')
  expect(app.address()).toBe('/reportinlist')
})

test('ROUTE-12 the flag opens its page', async () => {
  await renderApp('/event/management', { auth: { module_access: flags('Module_Event_Management') } })
  await shown('/event/management')
})

test.each([
  ['/reportinlist', '/reportinlist'],
  ['/reportin', '/reportin'],
  ['/warden-assignment/a1', '/warden-assignment/{wardenAssignmentUID}'],
  ['/withdraw/a1', '/withdraw/{wardenAssignmentUID}'],
  ['/documents/a1', '/documents/{wardenAssignmentUID}'],
  ['/me/role', '/me/role'],
])('ROUTE-34 %s needs no flag', async (path, screen) => {
  await renderApp(path, { auth: { module_access: noFlags } })
  await shown(screen)
})

test.each(['/nowhere', '/login/x', '/documents/a/b', '/me/messages'])(
  "ROUTE-26, ROUTE-27 %s reads '404 Not Found!'",
  async (path) => {
    await renderApp(path)
    await expect.element(page.getByRole('heading', { name: '404 Not Found!' })).toBeVisible()
    await expect.element(page.getByRole('link', { name: 'Report In List' })).toBeVisible()
  },
)

test('ROUTE-30 a spinner shows while the session is checked, then the page; the profile is kept', async () => {
  let answer: () => void = () => undefined
  const asked = new Promise<typeof someProfile>((resolve) => {
    answer = () => resolve(someProfile)
  })
  await renderApp('/me/role', { given: (server) => server.answer(getProfile, () => asked) })
  await expect.element(page.getByRole('status').getByText('Loading...')).toBeVisible()
  expect(page.getByText('page /me/role').query()).toBeNull()

  answer()

  await shown('/me/role')
  expect(getStoredProfile()?.firstname).toBe('Grace')
})

test.each([
  ['without signal', cutOff],
  ['while the server is broken', refused('server_error')],
])('AMB-007 a phone %s sees its page all the same', async (_, answer) => {
  const app = await renderApp('/me/role', { given: (server) => server.answer(getProfile, answer) })
  await shown('/me/role')
  expect(app.load).not.toHaveBeenCalled()
})

test('AMB-007 a phone that hangs is let through after 3 seconds', async () => {
  vi.useFakeTimers()
  await renderApp('/me/role', { given: (server) => server.answer(getProfile, () => new Promise(() => undefined)) })
  await vi.advanceTimersByTimeAsync(3000)
  vi.useRealTimers()
  await shown('/me/role')
})

test('SESSION-20, AMB-007 a session that the server does not know ends at /login', async () => {
  const app = await renderApp('/me/role', { given: (server) => server.answer(getProfile, refused('not_signed_in')) })
  await expect.poll(() => app.load.mock.calls).toEqual([['/login']])
  expect(getAuth()).toBeNull()
})

test('AMB-061 the sign-in log is asked once at start and keeps stored auth in step', async () => {
  const record = signInRecord({ on_duty: false, WardenSignInUID: null })
  const app = await renderApp('/reportinlist', {
    auth: { peer_email: 'peer@harbour.test' },
    given: (server) => server.answer(logSignIn, record),
  })
  await expect.poll(getAuth).toMatchObject({ on_duty: false, WardenSignInUID: null })

  app.go('/reportin')
  await shown('/reportin')
  expect(app.server.received(logSignIn).map(({ input }) => input.body)).toEqual([{ peer_email: 'peer@harbour.test' }])
})

test('AMB-049 after the event has ended the page on screen stays, the next one is the list, and that once', async () => {
  const app = await renderApp('/me/role')
  await shown('/me/role')
  updateAuth({ event: eventFlags('end') })
  await shown('/me/role')

  app.go('/floor/evacuation')
  await shown('/reportinlist')
  app.go('/me/role')
  await shown('/me/role')
})
