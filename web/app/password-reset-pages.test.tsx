import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { getProfile } from '#features/sign-in/calls/sign-in.ts'
import { refused } from '../testing/fake-server.ts'
import { renderApp } from '../testing/render-app.tsx'

test('AMB-028 a mailed link opens whoever is signed in, and a session that has ended does not take it away', async () => {
  const app = await renderApp('/reset-password#token=abc', {
    given: (server) => server.answer(getProfile, refused('not_signed_in')),
  })

  await expect.element(page.getByText('page /reset-password')).toBeVisible()
  expect([app.load.mock.calls, app.server.received(getProfile)]).toEqual([[], []])
})

test('AMB-028 ROUTE-03 without a link these pages are for guests', async () => {
  const app = await renderApp('/forgot-password')

  await expect.poll(app.address).toBe('/reportinlist')
})

test('AMB-028 SHELL-05 a guest sees the page under its title', async () => {
  await renderApp('/forgot-password', { auth: null })

  await expect.element(page.getByRole('heading', { level: 1, name: 'Forgot Password' })).toBeVisible()
  await expect.element(page.getByText('page /forgot-password')).toBeVisible()
})
