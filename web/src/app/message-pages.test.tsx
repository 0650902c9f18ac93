import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { RoutePath } from '../lib/routes.ts'
import { renderApp } from '../testing/render-app.tsx'
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

test('PROD-15 every part of an event has its screen', async () => {
  const parts: RoutePath[] = [
    '/event/management',
    '/floor/warden/status',
    '/warden/onduty',
    '/floor/evacuation',
    '/floor/evacstatus',
    '/building/status',
    '/evacuee/safety',
    '/message/evacuee/{evacueeId}',
    '/message/evacueegroup',
    '/message/warden/{wardenId}',
    '/message/group',
    '/message/all',
  ]

  const loaded = await Promise.all(parts.map((path) => screens[path]?.load()))
  expect(loaded.map((part) => typeof part)).toEqual(parts.map(() => 'function'))
})
