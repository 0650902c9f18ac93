import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { revokeAdministrator } from '#features/administrators/calls/administrators.ts'
import { getNow } from '#features/assignments/calls/waiting.ts'
import {
  confirmEnrolment,
  confirmIdentity,
  getMe,
  giveCode,
  openWardenSession,
  signInToConsole,
  signOutOfConsole,
  startEnrolment,
  switchOrganisation,
} from '#features/sign-in/calls/console-sign-in.ts'
import type { AuthReply } from '#features/sign-in/calls/sign-in.ts'
import type { EventUid, PersonUid } from '#kernel/ids.ts'
import { moduleFlags, recordOf } from '#kernel/vocabulary.ts'
import { browser } from '../../lib/browser.ts'
import { otherInstallation } from '../../lib/other-installation.ts'
import { consoleTokenStore } from '../../session/console-session.ts'
import { getAuth } from '../../session/stored-auth.ts'
import { expectNoAxeViolations } from '../../testing/axe.ts'
import { givenConsole, otherOrganisation, serveConsole, someMe } from '../../testing/console.ts'
import { refused, serverForEachTest } from '../../testing/fake-server.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { Console } from './console.tsx'

const server = serverForEachTest()
const name = page.getByRole('textbox', { name: 'Email or user name' })
const password = page.getByLabelText('Password', { exact: true })
const code = page.getByRole('textbox', { name: 'Code' })
const button = (text: string) => page.getByRole('button', { name: text, exact: true })
const open = (at = '/console') => renderScreen(<Console />, { at, auth: null })
const heading = (text: string) => page.getByRole('heading', { level: 1, name: text })

beforeEach(async () => {
  await page.viewport(1440, 900)
  givenConsole(null)
  serveConsole(server)
})

afterEach(() => page.viewport(390, 844))

async function enterPassword() {
  await name.fill(' admin@harbour.test ')
  await password.fill('evacuate1')
  await userEvent.keyboard('{Enter}')
}

test('ORG-20 password, then a code: the page that was wanted opens, and the token is kept under its own key', async () => {
  server.answer(signInToConsole, { ticket: 'a ticket', step: 'code' })
  server.answer(giveCode, { access_token: 'a token', me: someMe() })
  const screen = await open('/console/administrators')
  await expect.element(heading('Administration')).toBeVisible()
  await expect.element(name).toHaveFocus()
  await expect.element(page.getByText('For administrators of All Wardens.')).toBeVisible()
  await expectNoAxeViolations()

  await enterPassword()
  await expect.element(code).toHaveFocus()
  await expect.element(code).toHaveAttribute('autocomplete', 'one-time-code')
  await expectNoAxeViolations()
  await code.fill('123 456')
  await userEvent.keyboard('{Enter}')

  await expect.element(heading('Administrators')).toBeVisible()
  expect(screen.address()).toBe('/console/administrators')
  expect(server.received(signInToConsole)[0]?.input.body).toEqual({ name: 'admin@harbour.test', password: 'evacuate1' })
  expect(server.received(giveCode)[0]?.input.body).toEqual({ ticket: 'a ticket', code: '123 456' })
  expect([localStorage.getItem('console'), getAuth()]).toEqual(['a token', null])
  expect(server.received(getMe)[0]?.headers.get('authorization')).toBe('Bearer a token')
})

test.each([
  ['a wrong password', refused('invalid_credentials'), 'Incorrect email / username and password.'],
  ['no grant', refused('not_an_administrator'), 'This account is not an administrator.'],
  [
    'too many tries',
    refused('too_many_attempts', 'Too many failed attempts. Try again in 15 minutes.'),
    'Too many failed attempts. Try again in 15 minutes.',
  ],
])('ORG-23 with %s it says so, and what was typed stays', async (_, answer, text) => {
  server.answer(signInToConsole, answer)
  await open()

  await enterPassword()

  await expect.element(page.getByText(text)).toBeVisible()
  await expect.element(name).toHaveValue(' admin@harbour.test ')
  expect(consoleTokenStore.get()).toBeNull()
})

test('ORG-20 a wrong code may be tried again, a recovery code in its place; a ticket that is over leads back', async () => {
  server.answer(signInToConsole, { ticket: 'a ticket', step: 'code' })
  server.answer(giveCode, refused('wrong_code'))
  await open()
  await enterPassword()
  await button('Continue').click()
  await expect.element(page.getByText('Enter the code.')).toBeVisible()
  await code.fill('000000')
  await button('Continue').click()
  await expect.element(page.getByText('That code is not correct.')).toBeVisible()

  await button('Use a recovery code').click()
  await expectNoAxeViolations()
  server.answer(giveCode, refused('not_signed_in'))
  await page.getByRole('textbox', { name: 'Recovery code' }).fill('AAAA-BBBB-CCCC')
  await button('Continue').click()

  await expect.element(name).toBeVisible()
})

test('ORG-21 the second factor is set up: picture, key in groups of four, a code, and the recovery codes once', async () => {
  const secret = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const codes = Array.from({ length: 10 }, (_, n) => `AAAA-BBBB-CCC${n}`)
  server.answer(signInToConsole, { ticket: 'a ticket', step: 'enrol' })
  server.answer(startEnrolment, { secret, uri: `otpauth://totp/Harbour:admin?secret=${secret}&issuer=Harbour` })
  server.answer(confirmEnrolment, { access_token: 'a token', me: someMe(), recovery_codes: codes })
  await open()
  await enterPassword()

  await expect.element(page.getByRole('img', { name: 'QR code of the key' })).toBeVisible()
  await expect.element(page.getByText('ABCD EFGH IJKL MNOP QRST UVWX YZ23 4567')).toBeVisible()
  await expectNoAxeViolations()
  await code.fill('123456')
  await button('Continue').click()

  for (const one of codes) await expect.element(page.getByText(one)).toBeVisible()
  await expect.element(button('Go to the console')).toBeDisabled()
  expect(localStorage.getItem('console')).toBeNull()
  await expectNoAxeViolations()
  await button('Copy').click()
  await button('Go to the console').click()
  await expect.element(heading('Overview')).toBeVisible()
})

test('ORG-48 on a phone the key opens in an app by a link, or is copied', async () => {
  await page.viewport(390, 844)
  const uri = 'otpauth://totp/Harbour:admin?secret=ABCDEFGH&issuer=Harbour'
  server.answer(signInToConsole, { ticket: 'a ticket', step: 'enrol' })
  server.answer(startEnrolment, { secret: 'ABCDEFGH', uri })
  const copy = vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValueOnce(new Error('no')).mockResolvedValue()
  await open()
  await enterPassword()

  const link = page.getByRole('link', { name: 'Open in an authenticator app' })
  await expect.element(link).toHaveAttribute('href', uri)
  await button('Copy the key').click()
  await expect.element(page.getByText('The key could not be copied.')).toBeVisible()
  await button('Copy the key').click()
  await expect.element(page.getByText('The key has been copied.')).toBeVisible()
  expect(copy).toHaveBeenLastCalledWith('ABCDEFGH')
  await expectNoAxeViolations()

  await page.viewport(1440, 900)
  await expect.element(link).not.toBeInTheDocument()
})

test('ORG-22 a session that the server has ended leads to the sign-in, which says so', async () => {
  givenConsole('old token')
  server.answer(getMe, refused('not_signed_in'))
  server.answer(getNow, refused('not_signed_in'))
  await open()

  await expect.element(page.getByText('Your session has ended. Please sign in again.')).toBeVisible()
  expect(localStorage.getItem('console')).toBeNull()
})

test('ORG-24 a call that needs a code asks for it, and goes on as the same change', async () => {
  givenConsole('a token')
  let isConfirmed = false
  server.answer(revokeAdministrator, () => (isConfirmed ? { status: 'revoked' as const } : refused('confirm_identity')))
  server.answer(confirmIdentity, ({ input }) => {
    isConfirmed = input.body.code === '123456'
    return isConfirmed ? { status: 'confirmed' as const } : refused('wrong_code')
  })
  await open('/console/administrators')
  await button('Revoke').nth(1).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()

  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await expect.element(dialog).toBeVisible()
  await expectNoAxeViolations()
  await dialog.getByRole('textbox', { name: 'Code' }).fill('000000')
  await userEvent.keyboard('{Enter}')
  await expect.element(dialog.getByText('That code is not correct.')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Code' }).fill('123456')
  await userEvent.keyboard('{Enter}')

  await expect.element(page.getByText('Revoked.')).toBeVisible()
  const keys = server.received(revokeAdministrator).map(({ headers }) => headers.get('idempotency-key'))
  expect(keys).toHaveLength(2)
  expect(new Set(keys).size).toBe(1)
})

const warden: AuthReply = {
  token_type: 'Bearer',
  access_token: 'a warden token',
  WardenSignInUID: null,
  Warden_Assignment_UID: null,
  Person_UID: '00000000-0000-4000-8000-00000000f001' as PersonUid,
  module_access: recordOf(moduleFlags, () => false),
  on_duty: false,
  peer_email: null,
  event: { status: false, goToReportInListPage: false },
  event_kind: null,
}

test("ORG-15 'Warden side' signs in there by a full load, and the console stays open", async () => {
  givenConsole('a token')
  server.answer(openWardenSession, warden)
  const load = vi.spyOn(browser, 'load').mockReturnValue()
  await open()

  await button('Warden side').click()

  await expect.poll(() => load.mock.calls).toEqual([['/reportinlist']])
  expect([getAuth()?.access_token, consoleTokenStore.get()]).toEqual(['Bearer a warden token', 'a token'])
})

test('ORG-15 without a card it says who may go there', async () => {
  givenConsole('a token')
  server.answer(openWardenSession, refused('unauthorized_access'))
  await open()

  await button('Warden side').click()

  await expect.element(page.getByText('All Wardens is only available to authorised Wardens.')).toBeVisible()
})

test('ORG-16 signing out leaves nothing of the console, and the warden side as it is', async () => {
  givenConsole('a token')
  server.answer(signOutOfConsole, { status: 'signed_out' })
  await renderScreen(<Console />, { at: '/console', auth: {} })

  await button('Sign out').click()

  await expect.element(heading('Administration')).toBeVisible()
  expect(localStorage.getItem('console')).toBeNull()
  expect(getAuth()).not.toBeNull()
})

test('ORG-22 the switch to another organisation asks for its own code', async () => {
  givenConsole('a token')
  serveConsole(server, someMe({ organisations: [otherOrganisation] }))
  server.answer(switchOrganisation, { ticket: 'another ticket', step: 'code' })
  server.answer(giveCode, {
    access_token: 'another token',
    me: someMe({ organisation: { ...otherOrganisation, timezone: 'UTC' } }),
  })
  await open()

  await page.getByRole('combobox', { name: 'Organisation' }).selectOptions('Riverside Hospital')
  await page.getByRole('dialog').getByRole('textbox', { name: 'Code' }).fill('123456')
  await userEvent.keyboard('{Enter}')

  await expect.poll(() => consoleTokenStore.get()).toBe('another token')
  expect(server.received(switchOrganisation)[0]?.input.body).toEqual({ client: otherOrganisation.uid })
})

test('ORG-10 who reaches one site sees no entry for administrators, and no page', async () => {
  givenConsole('a token')
  const reach = { kind: 'site', name: 'Harbour Quarter' } as const
  serveConsole(server, someMe({ reach, rights: ['people', 'wardens', 'places', 'lists', 'tables'] }))
  await open('/console/administrators')

  await expect.element(page.getByText('You do not have access to this page.')).toBeVisible()
  expect(page.getByRole('link', { name: 'Administrators' }).query()).toBeNull()
})

test('ORG-36 ORG-41 a running event stands on each page in the time of the organisation, with what may change', async () => {
  givenConsole('a token')
  const event = {
    uid: '00000000-0000-4000-8000-00000000f009' as EventUid,
    site: 'Harbour Quarter',
    started_at: '2026-11-22T23:42:00.000Z',
  }
  server.answer(getNow, { events: [event], waiting: [] })
  await open()

  await expect.element(page.getByText('An event is running at Harbour Quarter since 10:42 AEDT.')).toBeVisible()
  await expectNoAxeViolations()
  await button('What may change now').click()
  const dialog = page.getByRole('dialog', { name: 'What may change now' })
  await expect.element(dialog.getByText('Waits until the warden is off duty.')).toBeVisible()
  await expect.element(dialog.getByText('Administrators, templates, documents', { exact: true })).toBeVisible()
  // the server refuses these of an upload
  await expect.element(dialog.getByText(/if it changes the organisation, sites, roles or event types/)).toBeVisible()
  await expectNoAxeViolations()
  await userEvent.keyboard('{Escape}')
  await expect.element(button('What may change now')).toHaveFocus()
})

test('CELL-02 an administrator of another installation is taken to the same page there', async () => {
  const leave = vi.spyOn(otherInstallation, 'goTo').mockReturnValue(new Promise(() => undefined))
  server.answer(signInToConsole, refused('elsewhere', 'You sign in there.', undefined, 'https://two.evac.test'))
  await open()

  await enterPassword()

  await vi.waitFor(() => expect(leave.mock.calls).toEqual([['https://two.evac.test']]))
})
