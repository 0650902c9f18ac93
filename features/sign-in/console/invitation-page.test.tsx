import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { Console } from '#web/app/console/console.tsx'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { givenConsole } from '#web/testing/console.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { startEnrolment } from '../calls/console-sign-in.ts'
import { acceptInvitation, readInvitation } from '../calls/invitations.ts'

const server = serverForEachTest()
const good = 'nine lamps on the quay'
const open = () => renderScreen(<Console />, { at: '/console/invitation#token=abc_-1', auth: null })
const set = async (password: string) => {
  await page.getByLabelText('Password', { exact: true }).fill(password)
  await page.getByLabelText('Password again', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Set password' }).click()
}

beforeEach(() => {
  givenConsole(null)
  server.answer(readInvitation, {
    state: 'open',
    organisation: 'Harbour School',
    what: 'administrator',
    has_password: false,
  })
  server.answer(startEnrolment, { secret: 'ABCDEFGH', uri: 'otpauth://totp/x?secret=ABCDEFGH' })
})

test('ORG-11 an invitation sets the first password and goes on to the second factor; the address loses its token', async () => {
  server.answer(acceptInvitation, { ticket: 'a ticket', step: 'enrol' })
  const screen = await open()
  await expect.element(page.getByText('Harbour School invites you as administrator.')).toBeVisible()
  expect(screen.address()).toBe('/console/invitation')
  await expectNoAxeViolations()

  await set(good)

  await expect.element(page.getByText('ABCD EFGH')).toBeVisible()
  expect(server.received(acceptInvitation)[0]?.input.body).toEqual({ token: 'abc_-1', password: good })
})

test('ORG-11 an invitation that is over says so, at once or at the end', async () => {
  server.answer(acceptInvitation, { problem: 'link_over' })
  await open()
  await set(good)
  await expect.element(page.getByText('This invitation is no longer valid. Ask for a new one.')).toBeVisible()
  await expectNoAxeViolations()
})

test('ORG-11 a warden is done with the password', async () => {
  server.answer(readInvitation, { state: 'open', organisation: 'Harbour School', what: 'warden', has_password: false })
  server.answer(acceptInvitation, { done: true })
  await open()
  await set(good)

  await expect.element(page.getByText('Your password is set. You can sign in with it.')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Go to sign-in' })).toHaveAttribute('href', '/login')
})

test('AUTH-29 an administrator who has a password gives it, and sets up the second factor', async () => {
  server.answer(readInvitation, {
    state: 'open',
    organisation: 'Harbour School',
    what: 'administrator',
    has_password: true,
  })
  server.answer(acceptInvitation, refused('invalid_credentials'))
  await open()
  await page.getByLabelText('Password', { exact: true }).fill('some words of mine')
  expect(page.getByLabelText('Password again').query()).toBeNull()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect.element(page.getByText('That is not your password.')).toBeVisible()
  await expectNoAxeViolations()

  server.answer(acceptInvitation, { ticket: 'a ticket', step: 'enrol' })
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect.element(page.getByText('ABCD EFGH')).toBeVisible()
})
