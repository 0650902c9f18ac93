import { beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { browser } from '#web/lib/browser.ts'
import { otherInstallation } from '#web/lib/other-installation.ts'
import { endSession } from '#web/session/session-end.ts'
import { getAuth, getStoredProfile } from '#web/session/stored-auth.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { cutOff, refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { givenPasswordResetBy } from '#web/testing/password-reset-by.ts'
import { profileReply } from '#web/testing/profile-reply.ts'
import { type RenderedScreen, renderScreen } from '#web/testing/render-screen.tsx'
import { authReply } from '#web/testing/stored-auth.ts'
import { getProfile, login } from '../calls/sign-in.ts'
import { LoginScreen } from './login-screen.tsx'

const server = serverForEachTest()
let screen: RenderedScreen
const name = page.getByRole('textbox', { name: 'Email / Username' })
const password = page.getByLabelText('Password')
const button = page.getByRole('button', { name: 'Sign in' })
const alert = page.getByRole('alertdialog')

beforeEach(async () => {
  server.answer(login, authReply())
  server.answer(getProfile, profileReply())
  screen = await renderScreen(<LoginScreen />, { at: '/login', auth: null })
})

async function signIn(who = 'chief@harbour.test', secret = 'evacuate1') {
  await name.fill(who)
  await password.fill(secret)
  await button.click()
}

test("LOGIN-01 the header has the logo and the text 'Emergency Event Management'", async () => {
  const heading = page.getByRole('heading', { name: 'Emergency Event Management' })
  await expect.element(heading).toBeVisible()
  expect(heading.element().closest('header')?.querySelector('svg')).not.toBeNull()
  await expect.element(page.getByText('For authorised users of All Wardens.')).toBeVisible()
  await expectNoAxeViolations()
})

test("LOGIN-03 'Forgot Password' opens the external page in a new tab, where one is named", async () => {
  givenPasswordResetBy('https://accounts.harbour.test/reset')
  await screen.unmount()
  await renderScreen(<LoginScreen />, { at: '/login', auth: null })

  const link = page.getByRole('link', { name: 'Forgot Password' })
  await expect.element(link).toHaveAttribute('href', 'https://accounts.harbour.test/reset')
  await expect.element(link).toHaveAttribute('target', '_blank')
  await expect.element(link).toHaveAttribute('rel', 'noopener noreferrer')
})

test("LOGIN-03 AMB-028 without one 'Forgot Password' leads to our own page, in this tab", async () => {
  const link = page.getByRole('link', { name: 'Forgot Password' })
  await expect.element(link).not.toHaveAttribute('target')

  await link.click()

  expect(screen.address()).toBe('/forgot-password')
})

test('SESSION-20 whose session the server ended is told so on the login page, once', async () => {
  const told = page.getByText('You were signed out. Please sign in again.')
  expect(told.query()).toBeNull()
  vi.spyOn(browser, 'load').mockReturnValue()
  await endSession({ byServer: true })
  await screen.unmount()

  const ended = await renderScreen(<LoginScreen />, { at: '/login', auth: null })

  await expect.element(told).toBeVisible()
  await expectNoAxeViolations()
  await ended.unmount()
  await renderScreen(<LoginScreen />, { at: '/login', auth: null })
  expect(told.query()).toBeNull()
})

test('SESSION-17 who has signed out reads nothing of it', async () => {
  vi.spyOn(browser, 'load').mockReturnValue()
  await endSession()
  await screen.unmount()

  await renderScreen(<LoginScreen />, { at: '/login', auth: null })

  await expect.element(button).toBeVisible()
  expect(page.getByText('You were signed out.', { exact: false }).query()).toBeNull()
})

test('AMB-028 ERR-03 who comes from setting a new password is told so, once', async () => {
  await screen.unmount()
  const state = { alert: { variant: 'success', text: 'Your password was changed.' } }
  await renderScreen(<LoginScreen />, { at: { pathname: '/login', state }, auth: null })

  await expect.element(alert).toHaveAccessibleName('Success')
  await expect.element(page.getByText('Your password was changed.')).toBeVisible()
  await page.getByRole('button', { name: 'OK' }).click()

  await expect.element(alert).not.toBeInTheDocument()
})

test('LOGIN-07 the button is disabled while either field is empty', async () => {
  await expect.element(button).toBeDisabled()
  await name.fill('   ')
  await password.fill('evacuate1')
  await expect.element(button).toBeDisabled()
  await name.fill('wade')
  await expect.element(button).toBeEnabled()
  await password.fill('')
  await expect.element(button).toBeDisabled()
})

const problems = [
  ['LOGIN-23', '', '', 'Please input your email / username and password.'],
  ['LOGIN-24', '', 'evacuate1', 'Please input your email / username.'],
  ['LOGIN-25', 'wade', '', 'Please input your password.'],
  ['LOGIN-26', 'wade', '12345', 'Password must be at least 6 characters long.'],
] as const
test.each(problems)('%s LOGIN-52 Enter with "%s" and "%s" says: %s', async (_, who, secret, text) => {
  await name.fill(who)
  await password.fill(secret)

  await userEvent.keyboard('{Enter}')

  await expect.element(alert).toHaveAccessibleName('Error')
  await expect.element(page.getByText(text, { exact: true })).toBeVisible()
  expect(server.received(login)).toHaveLength(0)
})

test('LOGIN-26 a short password says so by the button too, and the focus goes back to it', async () => {
  await signIn('wade', '12345')

  await expect.element(page.getByText('Password must be at least 6 characters long.', { exact: true })).toBeVisible()
  await expectNoAxeViolations()
  await page.getByRole('button', { name: 'OK' }).click()

  await expect.element(password).toHaveFocus()
  expect(server.received(login)).toHaveLength(0)
})

test("LOGIN-06 LOGIN-08 LOGIN-15 the button reads 'Loading' and is disabled while posting", async () => {
  const posted = Promise.withResolvers<void>()
  server.answer(login, () => posted.promise.then(() => authReply()))

  await signIn()

  const loading = page.getByRole('button', { name: 'Loading' })
  await expect.element(loading).toBeDisabled()
  await userEvent.type(password, '{Enter}')
  expect(server.received(login)).toHaveLength(1)
  await expectNoAxeViolations()

  posted.resolve()
  await expect.poll(screen.address).toBe('/reportinlist')
})

test('LOGIN-14 stores auth, then fetches the profile, and only then goes to the list', async () => {
  const profile = Promise.withResolvers<void>()
  server.answer(getProfile, ({ headers }) => {
    expect(headers.get('authorization')).toBe('Bearer token-1')
    return profile.promise.then(() => profileReply())
  })

  await signIn('  chief@harbour.test ')

  await expect.poll(() => server.received(getProfile)).toHaveLength(1)
  expect(getAuth()?.access_token).toBe('Bearer token-1')
  expect(screen.address()).toBe('/login')

  profile.resolve()
  await expect.poll(screen.address).toBe('/reportinlist')
  expect(getStoredProfile()?.lastname).toBe('Okafor')
  expect(server.received(login)[0]?.input.body).toEqual({ email: 'chief@harbour.test', password: 'evacuate1' })
})

test.each([
  ['chief@harbour.test', 'Email'],
  ['wade', 'Username'],
] as const)('LOGIN-16 %s signs in by %s', async (who, method) => {
  await signIn(who)

  await expect.poll(screen.address).toBe('/reportinlist')
  expect(getAuth()).toMatchObject({ signInMethod: method, isReportInToken: false })
})

test('LOGIN-52 Enter signs in once both fields are filled', async () => {
  await name.fill('wade')
  await userEvent.type(password, 'evacuate1{Enter}')

  await expect.poll(screen.address).toBe('/reportinlist')
  expect(server.received(login)).toHaveLength(1)
})

const refusals = [
  ['LOGIN-37', refused('invalid_credentials', 'Wrong.'), 'Error', 'Incorrect email / username and password.'],
  [
    'LOGIN-38',
    refused('unauthorized_access', 'No.'),
    'Warning',
    'All Wardens is only available to authorised Wardens.',
  ],
  [
    'LOGIN-39',
    refused('too_many_attempts', 'Too many failed attempts. Try again in 15 minutes.'),
    'Error',
    'Too many failed attempts. Try again in 15 minutes.',
  ],
  ['LOGIN-41', cutOff, 'Error', 'ApiError: No connection'],
  // AMB-022: the code may stand in `message`, also on an answer that was not turned down.
  ['LOGIN-37', { message: 'invalid_credentials' } as never, 'Error', 'Incorrect email / username and password.'],
  [
    'LOGIN-38',
    { error: 'unauthorized_access' } as never,
    'Warning',
    'All Wardens is only available to authorised Wardens.',
  ],
] as const
test.each(refusals)('%s LOGIN-53 sign-in answered %s alerts %s "%s" and stays', async (_, answer, word, text) => {
  server.answer(login, answer)

  await signIn()

  await expect.element(alert).toHaveAccessibleName(word)
  await expect.element(page.getByText(text, { exact: true })).toBeVisible()
  await expectNoAxeViolations()
  await page.getByRole('button', { name: 'OK' }).click()
  await expect.element(name).toHaveValue('chief@harbour.test')
  await expect.element(button).toBeEnabled()
  expect([screen.address(), getAuth()]).toEqual(['/login', null])
})

test('CELL-02 the page goes to the address where the person signs in, with nothing of what was typed', async () => {
  const leave = vi.spyOn(otherInstallation, 'goTo').mockReturnValue(new Promise(() => undefined))
  server.answer(login, refused('elsewhere', 'You sign in there.', undefined, 'https://two.evac.test'))

  await signIn()

  await vi.waitFor(() => expect(leave.mock.calls).toEqual([['https://two.evac.test']]))
  await expect.element(alert).not.toBeInTheDocument()
  expect(getAuth()).toBeNull()
})

test('LOGIN-40 without a profile the error message is alerted and nothing stays stored', async () => {
  server.answer(getProfile, cutOff)

  await signIn()

  await expect.element(alert).toHaveAccessibleName('Error')
  await expect.element(page.getByText('No connection', { exact: true })).toBeVisible()
  expect([screen.address(), getAuth(), getStoredProfile()]).toEqual(['/login', null, null])
})

test('UI the password can be shown, to check it with gloves on', async () => {
  await password.fill('evacuate1')
  await expect.element(password).toHaveAttribute('type', 'password')

  await page.getByRole('button', { name: 'Show characters' }).click()

  await expect.element(password).toHaveAttribute('type', 'text')
})
