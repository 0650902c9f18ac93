import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { logSignIn } from '#features/duty/calls/report-in.ts'
import { getChannels, getChannelToken, pollEvent } from '#features/live-updates/calls/realtime.ts'
import { logout } from '#features/sign-in/calls/sign-in.ts'
import type { CallReply } from '#kernel/route.ts'
import { connectionStore } from '../../live/connection-state.ts'
import { pendingCountStore } from '../../outbox/record-counts.ts'
import { blockingStore, conclusionStore } from '../../session/event-notices.ts'
import { getAuth } from '../../session/stored-auth.ts'
import { cutOff, type FakeServer, refused } from '../../testing/fake-server.ts'
import { fakeSocket } from '../../testing/fake-socket.ts'
import { renderApp, signInRecord } from '../../testing/render-app.tsx'
import { someSignIn } from '../../testing/stored-auth.ts'

const concluded = 'The event has been concluded. All wardens will be signed out.'
const feedFor = (server: FakeServer) => {
  server.answer(getChannels, {
    channels: ['event:e1'],
    Warden_Sign_In_UID: someSignIn,
    event_kind: null,
    made_live: null,
  })
  server.answer(getChannelToken, { token: 'jwt', expires_in: 3600, url: '/connection/websocket' })
  server.answer(pollEvent, refused('server_error'))
}

test('RT-01, RT-04 the conclusion arrives by the socket; closing its notice reloads the list', async () => {
  const socket = fakeSocket()
  const app = await renderApp('/floor/evacuation', { given: feedFor })
  await expect.poll(() => socket.subscribed).toEqual(['event:e1'])

  socket.publish('event:e1', { status: 'ok', message: null, event: { status: false, ended_by: 'x' } }, 9)

  const notice = page.getByRole('alertdialog', { name: 'Warning' })
  await expect.element(notice.getByText(concluded)).toBeVisible()
  expect(app.address()).toBe('/floor/evacuation')
  await notice.getByRole('button', { name: 'OK' }).click()
  expect(app.load).toHaveBeenCalledExactlyOnceWith('/reportinlist')
})

const lastWords = [
  ['RT-01', 'Warning', 'OK', '/reportinlist', { status: 'ok', message: null, event: { status: false, ended_by: 'x' } }],
  ['RT-05', 'Notice', 'Logout', '/login', { status: 'removed', message: 'Your building has been removed.' }],
] as const
test.each(lastWords)(
  'RT-25, %s a warden by link, whose session ended as well, reads the %s before anything else',
  async (_, name, button, next, publication) => {
    const socket = fakeSocket()
    const app = await renderApp('/floor/evacuation', { auth: { isReportInToken: true }, given: feedFor })
    await expect.poll(() => socket.subscribed).toEqual(['event:e1'])
    for (const call of [getChannels, logout]) app.server.answer(call as never, refused('not_signed_in'))
    socket.publish('event:e1', publication, 9)
    const notice = page.getByRole('alertdialog', { name })
    await expect.element(notice).toBeVisible()

    const asked = app.server.received(getChannels).length
    window.dispatchEvent(new Event('online'))

    await expect.poll(() => app.server.received(getChannels).length).toBe(asked + 1)
    await notice.getByRole('button', { name: button }).click()
    await expect.poll(() => app.load.mock.calls).toEqual([[next]])
  },
)

test('RT-18 unread messages arrive by the socket', async () => {
  const socket = fakeSocket()
  await renderApp('/floor/evacuation', { given: feedFor })
  await expect.poll(() => socket.subscribed).toEqual(['event:e1'])

  const event = { status: true, ended_by: null }
  socket.publish('event:e1', { status: 'ok', message: null, event, evacuee_unread_msg: true }, 9)

  await expect.element(page.getByText('Unread Message from Evacuees only')).toBeVisible()
  expect(conclusionStore.get()).toBe(false)
})

test('RT-09 the connection is closed on entering a page without real-time, and opened again after it', async () => {
  const socket = fakeSocket()
  const app = await renderApp('/floor/evacuation', { given: feedFor })
  await expect.poll(() => connectionStore.get()).toBe('Connected')

  app.go('/reportinlist')
  await expect.poll(() => socket.connections()).toBe(0)
  expect(connectionStore.get()).toBe('Disconnected')

  app.go('/me/role')
  await expect.poll(() => connectionStore.get()).toBe('Connected')
})

test.each(['/reportinlist', '/warden-assignment/a1', '/withdraw/a1', '/login', '/nowhere'])(
  'RT-09 nothing is asked on %s',
  async (path) => {
    const app = await renderApp(path, path === '/login' ? { auth: null } : {})
    await expect.element(page.getByText(/page|404/)).toBeVisible()
    expect(app.server.received(getChannels)).toHaveLength(0)
  },
)

test('RT-15, AMB-074 a route change asks for the channels anew and cancels the question before', async () => {
  const app = await renderApp('/me/role')
  await expect.poll(() => app.server.received(getChannels).length).toBe(1)

  app.go('/floor/evacuation')

  await expect.poll(() => app.server.received(getChannels).length).toBe(2)
  expect(app.server.received(getChannels).map(({ signal }) => signal?.aborted)).toEqual([true, false])
})

test.each([
  ['succeeds', { status: 'logout_success', message: '' } as const],
  ['is refused', { status: 'cannot_logout', message: 'No' } as const],
  ['fails', cutOff],
])('RT-05, RT-06, AMB-079 only Logout leaves the blocking popup, also when the call %s', async (_, answer) => {
  const app = await renderApp('/floor/evacuation', { given: (server) => server.answer(logout, answer) })
  blockingStore.set('Your building has been removed from the event.')
  const popup = page.getByRole('alertdialog', { name: 'Notice' })
  await expect.element(popup.getByText('Your building has been removed from the event.')).toBeVisible()
  await userEvent.keyboard('{Escape}{Escape}')
  await expect.element(popup).toBeVisible()

  await popup.getByRole('button', { name: 'Logout' }).click()

  await expect.poll(() => app.load.mock.calls).toEqual([['/login']])
  expect(app.server.received(logout)).toHaveLength(1)
  expect(getAuth()).toBeNull()
})

test.each([
  [1, /^1 safety record was not sent\. It stays on this phone,/],
  [2, /^2 safety records were not sent\. They stay on this phone,/],
])(
  'RT-05 the blocking popup tells of %i unsent safety records, and of none while there is none',
  async (count, text) => {
    await renderApp('/floor/evacuation')
    blockingStore.set('Your building has been removed from the event.')
    const popup = page.getByRole('alertdialog', { name: 'Notice' })
    await expect.element(popup).toBeVisible()
    expect(popup.getByText(/safety record/).query()).toBeNull()

    pendingCountStore.set(count)

    await expect.element(popup.getByText(text)).toBeVisible()
  },
)

test.each(['/me/role', '/reportin'])(
  'RT-23 RT-01 %s opened again after the end tells of it, however late the list of channels comes',
  async (path) => {
    const channels = Promise.withResolvers<CallReply<typeof getChannels>>()
    const { server } = await renderApp(path, {
      given(server) {
        server.answer(logSignIn, signInRecord({ on_duty: false, WardenSignInUID: null }))
        server.answer(getChannels, () => channels.promise)
        server.answer(pollEvent, { status: 'ok', message: null, event: { status: false, ended_by: null } })
      },
    })
    await expect.poll(() => server.received(logSignIn).length).toBeGreaterThan(0)
    await expect.poll(() => server.received(getChannels).length).toBeGreaterThan(0)

    channels.resolve({ channels: [], Warden_Sign_In_UID: null, event_kind: null, made_live: null })

    await expect.element(page.getByText(concluded)).toBeVisible()
    expect(getAuth()?.on_duty).toBe(false)
  },
)
