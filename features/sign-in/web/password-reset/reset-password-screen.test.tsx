import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { getAuth } from '#web/session/stored-auth.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { cutOff, refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { givenPasswordResetBy } from '#web/testing/password-reset-by.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { resetPassword } from '../../calls/password-reset.ts'
import { ResetPasswordScreen } from './reset-password-screen.tsx'

const server = serverForEachTest()
const password = page.getByLabelText('New password')
const button = page.getByRole('button', { name: 'Set password' })
const alert = page.getByRole('alertdialog')
const ok = page.getByRole('button', { name: 'OK' })
const good = 'nine lamps on the quay'
const open = (token = '#token=abc_-1', auth: object | null = null) =>
  renderScreen(<ResetPasswordScreen />, { at: `/reset-password${token}`, auth })

beforeEach(() => {
  server.answer(resetPassword, { outcome: 'changed' })
})

test.each(['#token=abc_-1', '?token=abc_-1'])(
  'AMB-028 T33 the new password is set with the token of the address, which loses it at once: %s',
  async (at) => {
    const screen = await open(at)
    await expect.poll(screen.address).toBe('/reset-password')
    expect(server.received(resetPassword)).toEqual([])
    await expect.element(password).toHaveAttribute('autocomplete', 'new-password')
    await expect.element(button).toBeDisabled()
    await expectNoAxeViolations()

    await password.fill(good)
    await button.click()

    await expect.poll(screen.address).toBe('/login')
    expect(server.received(resetPassword).map(({ input }) => input.body)).toEqual([{ token: 'abc_-1', password: good }])
  },
)

test('AMB-028 nothing of a session stays in the browser', async () => {
  const screen = await open('#token=abc', {})
  expect(getAuth()).not.toBeNull()

  await password.fill(good)
  await button.click()

  await expect.poll(screen.address).toBe('/login')
  expect(getAuth()).toBeNull()
})

test('AMB-028 fourteen characters are too short, fifteen are not; nothing is trimmed', async () => {
  await open()

  await password.fill('fourteen chars')
  await userEvent.keyboard('{Enter}')

  await expect.element(alert).toHaveAccessibleName('Error')
  await expect.element(page.getByText('Password must be at least 15 characters long.', { exact: true })).toBeVisible()
  await expectNoAxeViolations()
  await ok.click()
  await expect.element(password).toHaveFocus()
  expect(server.received(resetPassword)).toEqual([])

  await password.fill(' fourteen char ')
  await button.click()
  await expect.poll(() => server.received(resetPassword)[0]?.input.body.password).toBe(' fourteen char ')
})

test.each([
  ['too_long', 'Password must be at most 128 characters long.'],
  ['too_common', 'This password is too easy to guess. Please choose another.'],
  ['own_name', 'A name or an email alone is too easy to guess. Please choose another.'],
] as const)('AMB-028 answered %s it says "%s" and takes another try', async (outcome, text) => {
  server.answer(resetPassword, { outcome })
  const screen = await open()

  await password.fill(good)
  await button.click()

  await expect.element(alert).toHaveAccessibleName('Error')
  await expect.element(page.getByText(text, { exact: true })).toBeVisible()
  server.answer(resetPassword, { outcome: 'changed' })
  await ok.click()
  await button.click()
  await expect.poll(screen.address).toBe('/login')
})

test('AMB-028 a link that is over leads to where another is requested', async () => {
  server.answer(resetPassword, { outcome: 'link_over' })
  const screen = await open()

  await password.fill(good)
  await button.click()

  const text = 'This link has expired or was used before. Please request another.'
  await expect.element(page.getByText(text)).toBeVisible()
  await ok.click()
  expect(screen.address()).toBe('/forgot-password')
})

test.each([
  [
    'after too many tries',
    refused('too_many_attempts', 'Too many attempts. Try again in 15 minutes.'),
    'Too many attempts. Try again in 15 minutes.',
  ],
  ['without signal', cutOff, 'No connection. Please check your signal and try again.'],
])('AMB-028 %s it says so, and the same page may try again', async (_, answer, text) => {
  server.answer(resetPassword, answer)
  const screen = await open()

  await password.fill(good)
  await button.click()

  await expect.element(page.getByText(text)).toBeVisible()
  await ok.click()
  server.answer(resetPassword, { outcome: 'changed' })
  await button.click()
  await expect.poll(screen.address).toBe('/login')
})

test('AMB-028 opened without a token it leads to a new request', async () => {
  const screen = await open('')

  await expect.element(page.getByText('Open the link in your email again, or request another.')).toBeVisible()
  await expectNoAxeViolations()
  await page.getByRole('link', { name: 'Request another link' }).click()
  expect(screen.address()).toBe('/forgot-password')
})

test.each([
  ['https://accounts.harbour.test/reset', 'Passwords are set on another page.'],
  ['administrator', 'Your administrator resets passwords. Please ask them for a new one.'],
])('AMB-028 where %s sets passwords our own form does not open by its address', async (by, told) => {
  givenPasswordResetBy(by)

  await open()

  await expect.element(page.getByText(told)).toBeVisible()
  expect([button.query(), password.query()]).toEqual([null, null])
})
