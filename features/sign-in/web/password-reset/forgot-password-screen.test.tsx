import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { cutOff, refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { givenPasswordResetBy } from '#web/testing/password-reset-by.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { requestPasswordReset } from '../../calls/password-reset.ts'
import { ForgotPasswordScreen } from './forgot-password-screen.tsx'

const server = serverForEachTest()
const email = page.getByRole('textbox', { name: 'Email' })
const button = page.getByRole('button', { name: 'Send link' })
const alert = page.getByRole('alertdialog')
const ok = page.getByRole('button', { name: 'OK' })
const open = () => renderScreen(<ForgotPasswordScreen />, { at: '/forgot-password', auth: null })

beforeEach(() => {
  server.answer(requestPasswordReset, { status: 'accepted' })
})

test('AMB-028 a link is asked for by email; the answer tells no one whether there is such an account', async () => {
  const screen = await open()
  await expect.element(button).toBeDisabled()
  await expectNoAxeViolations()

  await email.fill('  chief@harbour.test ')
  await button.click()

  await expect.element(alert).toHaveAccessibleName('Success')
  const told =
    'If this email belongs to an account, a link to set a new password is on its way. It works for 30 minutes.'
  await expect.element(page.getByText(told)).toBeVisible()
  expect(server.received(requestPasswordReset).map(({ input }) => input.body)).toEqual([
    { email: 'chief@harbour.test' },
  ])
  await expectNoAxeViolations()
  await ok.click()
  expect(screen.address()).toBe('/login')
})

test('AMB-028 what is no email is not sent', async () => {
  const screen = await open()

  await email.fill('wade')
  await userEvent.keyboard('{Enter}')

  await expect.element(page.getByText('Please input your email.')).toBeVisible()
  await ok.click()
  expect([server.received(requestPasswordReset), screen.address()]).toEqual([[], '/forgot-password'])
})

test.each([
  [
    'too many requests',
    refused('too_many_attempts', 'Too many attempts. Try again in 15 minutes.'),
    'Too many attempts. Try again in 15 minutes.',
  ],
  ['no signal', cutOff, 'No connection. Please check your signal and try again.'],
])('AMB-028 with %s it says so and keeps what was typed', async (_, answer, text) => {
  server.answer(requestPasswordReset, answer)
  const screen = await open()

  await email.fill('chief@harbour.test')
  await button.click()

  await expect.element(alert).toHaveAccessibleName('Error')
  await expect.element(page.getByText(text)).toBeVisible()
  await ok.click()
  await expect.element(email).toHaveValue('chief@harbour.test')
  expect(screen.address()).toBe('/forgot-password')
})

test('AMB-028 it is sent once, however often the button is pressed', async () => {
  server.answer(requestPasswordReset, () => new Promise(() => undefined))
  await open()

  await email.fill('chief@harbour.test')
  await userEvent.keyboard('{Enter}{Enter}{Enter}')

  await expect.element(button).toBeDisabled()
  expect(server.received(requestPasswordReset)).toHaveLength(1)
})

test('AMB-028 where no mail can be sent it says who resets passwords, and leads back', async () => {
  givenPasswordResetBy('administrator')
  const screen = await open()

  await expect.element(page.getByText('Your administrator resets passwords.', { exact: false })).toBeVisible()
  expect(button.query()).toBeNull()
  await expectNoAxeViolations()

  await page.getByRole('link', { name: 'Back to sign in' }).click()
  expect(screen.address()).toBe('/login')
})

test('AMB-028 where another page sets passwords our own form does not open by its address', async () => {
  givenPasswordResetBy('https://accounts.harbour.test/reset')
  await open()

  const link = page.getByRole('link', { name: 'Open that page' })
  await expect.element(link).toHaveAttribute('href', 'https://accounts.harbour.test/reset')
  await expect.element(link).toHaveAttribute('target', '_blank')
  expect([button.query(), email.query()]).toEqual([null, null])
  await expectNoAxeViolations()
})
