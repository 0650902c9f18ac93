import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { getProfile } from '#features/sign-in/calls/sign-in.ts'
import { listSimulatedCodes, listSimulatedPhones } from '#features/texts/calls/simulator.ts'
import { type FakeServer, refused } from '../testing/fake-server.ts'
import { renderApp } from '../testing/render-app.tsx'

/** These phones, and no administrators. */
function serve(server: FakeServer, phones: [] | ReturnType<typeof refused>) {
  server.answer(listSimulatedPhones, phones)
  server.answer(listSimulatedCodes, refused('not_found'))
}

test.each([null, {}])('AMB-129 the simulator opens for everyone, signed in or not (%o)', async (auth) => {
  await renderApp('/simulator', { auth, given: (server) => serve(server, []) })

  await expect.element(page.getByRole('heading', { level: 1, name: 'Phone simulator' })).toBeVisible()
})

test('AMB-129 a session that has ended does not take the simulator away', async () => {
  const app = await renderApp('/simulator', {
    given: (server) => {
      serve(server, [])
      server.answer(getProfile, refused('not_signed_in'))
    },
  })

  await expect.element(page.getByRole('heading', { level: 1, name: 'Phone simulator' })).toBeVisible()
  await expect.element(page.getByText('No phone with this name or number')).toBeVisible()
  expect([app.load.mock.calls, app.server.received(getProfile)]).toEqual([[], []])
})

test('ROUTE-27 where the server has no simulator it is an unknown page', async () => {
  await renderApp('/simulator', {
    auth: null,
    given: (server) => serve(server, refused('not_found')),
  })

  await expect.element(page.getByRole('heading', { name: '404 Not Found!' })).toBeVisible()
  expect(page.getByRole('banner').query()).toBeNull()
})
