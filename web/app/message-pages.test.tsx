import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Publication } from '#features/live-updates/calls/realtime.ts'
import { getEvacueeThread, pollEvacueeThread } from '#features/messaging/calls/messaging.ts'
import { noteUnread } from '../live/unread.ts'
import { pages } from '../pages/pages.ts'
import { occupant } from '../testing/floor-data.ts'
import { evacueeThread, message, serveTemplates } from '../testing/message-data.ts'
import { plainScreens, renderApp } from '../testing/render-app.tsx'
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

test('PROD-15 every page has its screen', async () => {
  const paths = pages.filter(({ access }) => access !== 'title-only').map(({ path }) => path)

  const loaded = await Promise.all(paths.map((path) => screens[path]?.load()))
  expect(loaded.map((part) => typeof part)).toEqual(paths.map(() => 'function'))
})
