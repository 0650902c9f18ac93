import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Publication } from '#features/live-updates/calls/realtime.ts'
import { getChannels, getChannelToken } from '#features/live-updates/calls/realtime.ts'
import {
  getEvacueeThread,
  getWardenThread,
  pollEvacueeThread,
  pollWardenThread,
} from '#features/messaging/calls/messaging.ts'
import { filterMessenger, getMessengerData, listInbox } from '#features/messaging/calls/messenger.ts'
import { kept } from '../lib/tab-state.ts'
import { noteUnread } from '../live/unread.ts'
import type { FakeServer } from '../testing/fake-server.ts'
import { fakeSocket } from '../testing/fake-socket.ts'
import { occupant } from '../testing/floor-data.ts'
import {
  conversationWith,
  evacueeThread,
  message,
  messengerData,
  serveTemplates,
  warden,
  wardenThread,
} from '../testing/message-data.ts'
import { plainScreens, renderApp } from '../testing/render-app.tsx'
import { flags, someSignIn } from '../testing/stored-auth.ts'
import { screen } from './screen.tsx'
import { screens } from './screens.ts'

const someone = '00000000-0000-4000-8000-0000000e0001'
const back = () => page.getByRole('button', { name: 'Back' }).click()

test('MSG-02 the page of an evacuee goes back to the page that its address names', async () => {
  const app = await renderApp(`/message/evacuee/${someone}?from=${encodeURIComponent('/floor/evacuation')}`)
  await back()

  await expect.poll(app.address).toBe('/floor/evacuation')
})

test('MSG-03 the page of a warden goes back to the page that its address names', async () => {
  const app = await renderApp(`/message/warden/${someone}?from=${encodeURIComponent('/message/all?view=inbox')}`)
  await back()

  await expect.poll(app.address).toBe('/message/all?view=inbox')
})

test('MSG-01 a thread opens at its newest message, also when it is on the phone already', async () => {
  const path = '/message/evacuee/{evacueeId}'
  const thread = evacueeThread({ messages: Array.from({ length: 40 }, (_, at) => message(at + 1)) })
  const app = await renderApp(`/message/evacuee/${someone}`, {
    screens: { ...plainScreens(), [path]: screens[path] },
    given(server) {
      serveTemplates(server)
      server.answer(getEvacueeThread, thread)
      server.answer(pollEvacueeThread, thread)
    },
  })
  const newest = page.getByText('Message 40', { exact: true })
  await expect.element(newest).toBeInViewport()

  await back()
  await expect.element(page.getByText('page /evacuee/safety')).toBeVisible()
  app.go(`/message/evacuee/${someone}`)

  await expect.element(newest).toBeVisible()
  expect(newest.element().getBoundingClientRect().bottom).toBeLessThan(window.innerHeight)
})

test('UX-22 who reads it stays in view above the keyboard of a phone, and is in the name of the title', async () => {
  const path = '/message/evacuee/{evacueeId}'
  const title = page.getByRole('heading', { level: 1 })
  const thread = evacueeThread({ messages: Array.from({ length: 40 }, (_, at) => message(at + 1)) })
  await page.viewport(390, 430)
  const app = await renderApp(`/message/evacuee/${someone}`, {
    auth: { on_duty: true },
    screens: { ...plainScreens(), [path]: screens[path] },
    given(server) {
      serveTemplates(server)
      server.answer(getEvacueeThread, thread)
      server.answer(pollEvacueeThread, thread)
    },
  })
  noteUnread({ status: 'ok', warden_unread_msg: true, evacuee_unread_msg: true } as Publication)
  await expect.element(page.getByText('Unread Message from Evacuees and Wardens')).toBeVisible()

  const box = page.getByRole('textbox', { name: 'Message' })
  await box.click()
  await box.fill('Where are you?')

  const { name, location } = occupant(1)
  for (const part of [name, location, 'Unknown']) {
    const { top, bottom } = page.getByText(part, { exact: true }).element().getBoundingClientRect()
    expect([part, top >= barBottom(), bottom < window.innerHeight]).toEqual([part, true, true])
  }
  await expect.element(box).toBeInViewport()
  await expect.element(title).toHaveAccessibleName(`Evacuee Messaging, ${name}`)
  await expect.element(title).toHaveTextContent('Evacuee Messaging')
  await page.viewport(390, 844)
  app.go('/evacuee/safety')
  await expect.element(title).toHaveAccessibleName('Evacuee Safety')
})
const barBottom = () => document.querySelector('header')?.getBoundingClientRect().bottom ?? 0

test('GRP-03 the page of a group goes back to the screen it was opened from', async () => {
  const app = await renderApp('/warden/onduty?building=b1')
  app.go('/message/group')
  await expect.poll(app.address).toBe('/message/group')
  await back()

  await expect.poll(app.address).toBe('/warden/onduty?building=b1')
})

test('GRP-03 opened by its address it goes back to all wardens', async () => {
  const app = await renderApp('/message/group')
  await back()

  await expect.poll(app.address).toBe('/message/all')
})

const anna = warden(2, { unread: true })
const annaRead = warden(2, { unread: false })
const lists = (server: FakeServer, one: typeof anna) => {
  server.answer(getMessengerData, messengerData([one]))
  server.answer(filterMessenger, { messengerList: [one] })
  server.answer(listInbox, { cspdList: [conversationWith(one)] })
}
const unreadMark = () => page.getByText('Unread', { exact: true })

test.each(['/message/all', '/message/all?view=inbox'])(
  'ALLMSG-07 RT-18 on %s a message that is read on another phone is no longer unread',
  async (at) => {
    const socket = fakeSocket()
    const app = await renderApp(at, {
      auth: { on_duty: true, module_access: flags('Module_Warden_Messaging') },
      screens: { ...plainScreens(), '/message/all': screens['/message/all'] },
      given(server) {
        lists(server, anna)
        server.answer(getChannels, {
          channels: ['warden:w1'],
          Warden_Sign_In_UID: someSignIn,
          event_kind: null,
          made_live: null,
        })
        server.answer(getChannelToken, { token: 'jwt', expires_in: 3600, url: '/connection/websocket' })
      },
    })
    await expect.poll(() => socket.subscribed).toEqual(['warden:w1'])
    socket.publish(
      'warden:w1',
      { status: 'ok', message: null, unread_messages_from_wardens: [anna.id], warden_unread_msg: true },
      8,
    )
    await expect.element(unreadMark()).toBeVisible()

    lists(app.server, annaRead)
    socket.publish(
      'warden:w1',
      { status: 'ok', message: null, unread_messages_from_wardens: [], warden_unread_msg: false },
      9,
    )
    await expect.element(unreadMark()).not.toBeInTheDocument()
  },
)

test('ALLMSG-07 a message that was read is no longer unread on the way back, however soon', async () => {
  const path = '/message/warden/{wardenId}'
  noteUnread({ status: 'ok', message: null, unread_messages_from_wardens: [anna.id], warden_unread_msg: true })
  const app = await renderApp('/message/all?view=inbox', {
    auth: { on_duty: true, module_access: flags('Module_Warden_Messaging') },
    screens: { ...plainScreens(), '/message/all': screens['/message/all'], [path]: screens[path] },
    given(server) {
      lists(server, anna)
      serveTemplates(server)
      server.answer(getWardenThread, wardenThread({ recipient: anna }))
      server.answer(pollWardenThread, wardenThread({ recipient: anna }))
    },
  })
  await expect.element(unreadMark()).toBeVisible()
  lists(app.server, annaRead)
  app.go(`/message/warden/${anna.id}?from=${encodeURIComponent('/message/all?view=inbox')}`)
  await expect.element(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
  await back()

  await expect.element(page.getByRole('tab', { name: 'Inbox' })).toBeVisible()
  await expect.element(unreadMark()).not.toBeInTheDocument()
})

test('UX-20 a page is where it was left, also if a link is pressed while it still moves', async () => {
  const tall = screen(async () => () => <div style={{ height: 5_000 }}>tall</div>)
  const app = await renderApp('/evacuee/safety', { screens: { ...plainScreens(), '/evacuee/safety': tall } })
  await expect.element(page.getByText('tall')).toBeVisible()
  // what notes where a page is comes after the page
  const isNoted = () => {
    window.scrollTo(0, window.scrollY === 600 ? 601 : 600)
    return kept.get('/evacuee/safety scroll') !== undefined
  }
  await expect.poll(isNoted, { interval: 100 }).toBe(true)
  window.scrollTo(0, 700)
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  app.go(`/message/evacuee/${someone}`)
  await expect.element(page.getByText('page /message/evacuee/{evacueeId}')).toBeVisible()
  await back()

  await expect.poll(() => window.scrollY).toBe(700)
})
