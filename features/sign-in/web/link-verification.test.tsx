import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { getReportInCardByLink } from '#features/duty/calls/report-in.ts'
import type { Address } from '#web/pages/pages.ts'
import { call } from '#web/session/api.ts'
import { proveByTouch } from '#web/session/sign-in-link/touch.ts'
import { getAuth, getStoredProfile, type StoredAuth } from '#web/session/stored-auth.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { cutOff, refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { profileReply } from '#web/testing/profile-reply.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { authReply, someSignIn } from '#web/testing/stored-auth.ts'
import { Link } from '#web/ui/link.tsx'
import {
  type AuthReply,
  getProfile,
  loginByMobile,
  noteHere,
  verifyLoginByMobile,
  verifyLoginReportIn,
} from '../calls/sign-in.ts'
import { LoginScreen } from './login-screen.tsx'

const server = serverForEachTest()
const alert = page.getByRole('alertdialog')
const ok = page.getByRole('button', { name: 'OK' })
const tryAgain = page.getByRole('button', { name: 'Try the link again' })

const open = (search: string, auth: Partial<StoredAuth> | null = null) =>
  renderScreen(<LoginScreen />, { at: `/login${search}`, auth })
const valid = (over: Partial<AuthReply> = {}) => ({ tokenStatus: 'valid' as const, ...authReply(over) })
const another = { access_token: 'Bearer of another' }

beforeEach(() => {
  server.answer(verifyLoginByMobile, valid())
  server.answer(verifyLoginReportIn, valid())
  server.answer(getProfile, profileReply())
  server.answer(getReportInCardByLink, [])
  server.answer(noteHere, { status: 'here' })
})

test.each([
  ['LOGIN-04', '?token=abc_-1', verifyLoginByMobile, false],
  ['LOGIN-05', '?reportInToken=abc_-1', verifyLoginReportIn, true],
  ['LOGIN-04 T33', '#token=abc_-1', verifyLoginByMobile, false],
  ['LOGIN-05 T33', '#reportInToken=abc_-1', verifyLoginReportIn, true],
] as const)('%s LOGIN-22 SESSION-02 CONST-09 %s signs in and goes to the list', async (_, search, call, byReportIn) => {
  const screen = await open(search)

  await expect.poll(screen.address).toBe('/reportinlist')
  expect(server.received(call).map(({ input }) => input.body)).toEqual([{ token: 'abc_-1' }])
  expect(getAuth()).toMatchObject({
    access_token: 'Bearer token-1',
    signInMethod: 'Mobile',
    isReportInToken: byReportIn,
  })
  expect(getAuth()).not.toHaveProperty('tokenStatus')
  expect(getStoredProfile()?.firstname).toBe('Grace')
})

test('LOGIN-05 AMB-037 the check that boot.js has made of a report-in link signs in, and is made no second time', async () => {
  const early = (url: string, authorization: string | undefined, body: string | undefined, reply: object) => {
    const answer = Promise.resolve(Response.json(reply))
    return { url, authorization, body, until: Date.now() + 1000, answer, stop: () => undefined }
  }
  vi.stubGlobal('asked', [
    early(verifyLoginReportIn.path, undefined, '{"token":"a"}', valid({ access_token: 'early' })),
    early(getProfile.path, 'Bearer early', undefined, profileReply({ Firstname: 'Ada' })),
  ])

  const screen = await open('#reportInToken=a')

  await expect.poll(screen.address).toBe('/reportinlist')
  expect([getAuth()?.access_token, getStoredProfile()?.firstname]).toEqual(['Bearer early', 'Ada'])
  expect([server.received(verifyLoginReportIn), server.received(getProfile)]).toEqual([[], []])
  expect(JSON.stringify(globalThis.asked), 'the token of the link is kept nowhere').not.toContain('token')
})

test('LIST-36 the card of a report-in link is asked for beside the profile, once', async () => {
  let answerProfile = () => {}
  server.answer(getProfile, () => new Promise((resolve) => (answerProfile = () => resolve(profileReply()))))
  const screen = await open('#reportInToken=a')

  await expect.poll(() => server.received(getReportInCardByLink)).toHaveLength(1)
  answerProfile()

  await expect.poll(screen.address).toBe('/reportinlist')
  await call(getReportInCardByLink, { query: { WardenSignInUID: someSignIn } })
  const [asked, ...more] = server.received(getReportInCardByLink)
  expect([asked?.input.query, asked?.headers.get('authorization'), more]).toEqual([
    { WardenSignInUID: someSignIn },
    'Bearer token-1',
    [],
  ])
})

test.each(['?token=abc', '#token=abc'])(
  'AMB-033 T33 the token of %s leaves the address at once, and the page says what it is doing',
  async (at) => {
    server.answer(verifyLoginByMobile, () => new Promise(() => undefined))

    const screen = await open(at)

    await expect.element(page.getByText('Checking your link...')).toBeVisible()
    await expect.poll(screen.address).toBe('/login')
    expect(page.getByRole('button', { name: 'Request link' }).query()).toBeNull()
    await expectNoAxeViolations()
  },
)

test.each([
  ['LOGIN-45', '?token=a', 'expired', 'This sign-in link has expired. Please request another.'],
  ['LOGIN-46', '?reportInToken=a', 'invalid-concluded', 'This event has concluded.'],
  ['LOGIN-47', '?reportInToken=a', 'invalid-notfound', 'This report-in link is invalid.'],
  ['LOGIN-48', '?reportInToken=a', 'invalid-expired', 'This report-in link is invalid.'],
] as const)('%s %s answered %s alerts "%s" and stores nothing', async (_, search, tokenStatus, text) => {
  server.answer(verifyLoginByMobile, { tokenStatus: tokenStatus as 'expired' })
  server.answer(verifyLoginReportIn, { tokenStatus: tokenStatus as 'invalid-notfound' })

  const screen = await open(search)

  await expect.element(alert).toHaveAccessibleName('Error')
  await expect.element(page.getByText(text, { exact: true })).toBeVisible()
  await expectNoAxeViolations()
  await ok.click()
  await expect.element(page.getByRole('textbox', { name: 'Mobile number' })).toBeVisible()
  expect([getAuth(), screen.address()]).toEqual([null, '/login'])
})

test('AMB-035 an unknown status signs in when it brings a token, and does not without', async () => {
  server.answer(verifyLoginByMobile, { ...valid(), tokenStatus: 'fine' as 'valid' })
  const first = await open('?token=a')
  await expect.poll(first.address).toBe('/reportinlist')
  await first.unmount()
  localStorage.clear()

  server.answer(verifyLoginByMobile, { tokenStatus: 'fine' as 'expired' })
  await open('?token=a')

  await expect.element(alert).toHaveAccessibleName('Error')
  expect(getAuth()).toBeNull()
})

test('LOGIN-51 AMB-034 a link replaces the person signed in', async () => {
  const screen = await open('?reportInToken=a', another)

  await expect.poll(screen.address).toBe('/reportinlist')
  expect(getAuth()).toMatchObject({ access_token: 'Bearer token-1', isReportInToken: true })
})

test('LOGIN-51 AMB-034 a link that fails leaves them signed in, and leads to their list once that was read', async () => {
  server.answer(verifyLoginReportIn, { tokenStatus: 'invalid-concluded' })
  const screen = await open('?reportInToken=a', another)
  await expect.element(page.getByText('This event has concluded.')).toBeVisible()
  expect(screen.address()).toBe('/login')

  await ok.click()

  await expect.poll(screen.address).toBe('/reportinlist')
  expect(getAuth()).toMatchObject(another)
})

test('LOGIN-04 T33 a link opened in a tab that shows the login page is verified, too: no page is loaded for it', async () => {
  server.answer(verifyLoginByMobile, { tokenStatus: 'expired' })
  const screen = await renderScreen(
    <>
      <Link to={'/login#reportInToken=b' as Address}>the next link</Link>
      <LoginScreen />
    </>,
    { at: '/login#token=a', auth: null },
  )
  await ok.click()

  await page.getByText('the next link').click()

  await expect.poll(screen.address).toBe('/reportinlist')
  expect(server.received(verifyLoginReportIn)[0]?.input.body).toEqual({ token: 'b' })
})

test('AMB-034 with both links the one to an event wins', async () => {
  const screen = await open('?token=a&reportInToken=b')

  await expect.poll(screen.address).toBe('/reportinlist')
  expect(server.received(verifyLoginByMobile)).toHaveLength(0)
  expect(server.received(verifyLoginReportIn)[0]?.input.body).toEqual({ token: 'b' })
})

test('STAY-03 a browser that has not asked for the link tells of the first touch, once', async () => {
  onTestFinished(proveByTouch())
  const screen = await open('?token=abc')
  await expect.poll(screen.address).toBe('/reportinlist')
  expect(server.received(verifyLoginByMobile)[0]?.headers.get('evac-asked')).toBeNull()
  expect(server.received(noteHere)).toHaveLength(0)

  for (let i = 0; i < 3; i++) window.dispatchEvent(new PointerEvent('pointerdown'))

  await expect.poll(() => server.received(noteHere)).toHaveLength(1)
  await expect.poll(() => localStorage.getItem('unproved')).toBeNull()
})

test('STAY-03 a touch that the server did not hear of is told again with the next one', async () => {
  onTestFinished(proveByTouch())
  server.answer(noteHere, cutOff)
  const screen = await open('?token=abc')
  await expect.poll(screen.address).toBe('/reportinlist')
  window.dispatchEvent(new KeyboardEvent('keydown', { key: 'a' }))
  await expect.poll(() => server.received(noteHere)).toHaveLength(1)

  server.answer(noteHere, { status: 'here' })
  await expect
    .poll(() => {
      window.dispatchEvent(new KeyboardEvent('keydown', { key: 'a' }))
      return localStorage.getItem('unproved')
    })
    .toBeNull()
})

test.each([
  [9, '1'],
  [11, null],
] as const)('STAY-03 a browser that asked %i minutes ago says so: %s', async (minutes, said) => {
  localStorage.setItem('linkAskedAt', String(Date.now() - minutes * 60_000))
  const screen = await open('?token=abc')
  await expect.poll(screen.address).toBe('/reportinlist')

  expect(server.received(verifyLoginByMobile)[0]?.headers.get('evac-asked')).toBe(said)
  expect(localStorage.getItem('unproved')).toBe(said === null ? 'yes' : null)
})

test.each([
  ['without signal', cutOff, 'No connection. Please check your signal and try again.'],
  ['while the server is away', refused('unavailable'), 'The service is busy. Please try again in a moment.'],
])('T7 %s the link is kept, and the same page asks again as the same', async (_, answer, text) => {
  server.answer(verifyLoginByMobile, answer)
  const screen = await open('?token=abc')
  await expect.element(page.getByText(text)).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Request link' })).toBeVisible()
  await expectNoAxeViolations()

  server.answer(verifyLoginByMobile, valid())
  await tryAgain.click()

  await expect.poll(screen.address).toBe('/reportinlist')
  const asked = server.received(verifyLoginByMobile)
  expect(asked.map(({ input }) => input.body)).toEqual([{ token: 'abc' }, { token: 'abc' }])
  const [first, again] = asked.map(({ headers }) => headers.get('idempotency-key'))
  expect(first).toMatch(/^[0-9a-f-]{36}$/)
  expect(again).toBe(first)
})

test('SHELL-07 AMB-034 without signal for the link, who is signed in can go on to the list; a visitor has no such way', async () => {
  server.answer(verifyLoginReportIn, cutOff)
  const toList = page.getByRole('link', { name: 'Report In List' })
  const visitor = await open('?reportInToken=a')
  await expect.element(tryAgain).toBeVisible()
  expect(toList.query()).toBeNull()
  await visitor.unmount()

  const screen = await open('?reportInToken=a', another)
  await expect.element(tryAgain).toBeVisible()
  await expectNoAxeViolations()
  await toList.click()

  expect(screen.address()).toBe('/reportinlist')
  expect(getAuth()).toMatchObject(another)
})

test('LOGIN-40 without a profile the error message is alerted and nothing stays stored', async () => {
  server.answer(getProfile, cutOff)

  const screen = await open('?token=a')

  await expect.element(page.getByText('No connection', { exact: true })).toBeVisible()
  await ok.click()
  expect([screen.address(), getAuth()]).toEqual(['/login', null])
})

test('LOGIN-40 T7 a link that only the profile kept from signing in may be tried again, as the same page', async () => {
  server.answer(getProfile, cutOff)
  const screen = await open('?token=a')
  await ok.click()
  await expect.element(page.getByText('You are not signed in yet.')).toBeVisible()
  await expectNoAxeViolations()

  server.answer(getProfile, profileReply())
  await tryAgain.click()

  await expect.poll(screen.address).toBe('/reportinlist')
  const keys = server.received(verifyLoginByMobile).map(({ headers }) => headers.get('idempotency-key'))
  expect([keys.length, new Set(keys).size]).toEqual([2, 1])
  expect([getAuth()?.access_token, getStoredProfile()?.firstname]).toEqual(['Bearer token-1', 'Grace'])
})

test('LOGIN-18 LOGIN-22 a link works while the form is locked', async () => {
  localStorage.setItem('attempts', '5')
  localStorage.setItem('lockStartTime', String(Date.now() - 60_000))
  server.answer(loginByMobile, { mobile: 'valid', popup_text: '' })
  server.answer(verifyLoginByMobile, { tokenStatus: 'expired' })
  const lock = page.getByText('Too many failed attempts. Try again in 5 minutes.')

  await open('?token=a')
  await expect.element(page.getByText('This sign-in link has expired. Please request another.')).toBeVisible()
  await ok.click()

  await expect.element(lock).toBeVisible()
})
