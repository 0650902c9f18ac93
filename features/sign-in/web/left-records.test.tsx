import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import { outbox } from '#web/outbox/outbox.ts'
import { clearAuth, profileFrom, setAuth, setProfile } from '#web/session/stored-auth.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { cutOff, serverForEachTest } from '#web/testing/fake-server.ts'
import { emptyOutbox, personId, statusRecord } from '#web/testing/outbox.ts'
import { profileReply } from '#web/testing/profile-reply.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { storedAuth } from '#web/testing/stored-auth.ts'
import { LoginScreen } from './login-screen.tsx'

const server = serverForEachTest()
const waits = page.getByText(/waiting on this phone/)

beforeEach(async () => {
  server.answer(setPersonStatus, cutOff)
  await emptyOutbox()
})

/** A warden notes so many without signal, and the session ends. */
async function noted(count: number, owner: number, firstname: string) {
  setAuth(storedAuth({ Person_UID: personId(owner) }))
  setProfile({ ...profileFrom(profileReply()), firstname, lastname: 'Okafor' })
  for (let n = 1; n <= count; n++) await outbox.enqueue(statusRecord(n))
  clearAuth()
}
const openLogin = () => renderScreen(<LoginScreen />, { at: '/login', auth: null })

test('F32 the login page tells how many records are waiting on this phone, and whose, not about whom', async () => {
  await noted(3, 50, 'Grace')
  await noted(1, 51, 'Ada')

  await openLogin()

  await expect
    .element(waits.first())
    .toHaveTextContent('3 records are waiting on this phone for Grace Okafor. Sign in to send them.')
  await expect
    .element(waits.last())
    .toHaveTextContent('1 record is waiting on this phone for Ada Okafor. Sign in to send it.')
  expect(page.getByText(/Person \d/).elements()).toEqual([])
  await expectNoAxeViolations()
  await emptyOutbox()
})

test('F32 the login page says nothing where nothing waits', async () => {
  await openLogin()
  await expect.element(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await noted(1, 50, 'Grace')
  await expect.element(waits).toBeVisible()

  await emptyOutbox()

  await expect.element(waits).not.toBeInTheDocument()
})
