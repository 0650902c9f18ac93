import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { pollEvent } from '#features/live-updates/calls/realtime.ts'
import { logout } from '#features/sign-in/calls/sign-in.ts'
import { browser } from '#web/lib/browser.ts'
import { chooseTheme } from '#web/lib/look/theme.ts'
import { pendingCountStore, rejectedCountStore } from '#web/outbox/record-counts.ts'
import { watchEvent } from '#web/session/event-reads.ts'
import { getAuth, type StoredAuth, setAuth } from '#web/session/stored-auth.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { cutOff, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { reportData, signInRecord, withoutEvent } from '#web/testing/report-data.ts'
import { someSignIn, storedAuth } from '#web/testing/stored-auth.ts'
import { getReportData, logSignIn, reportIn, reportNotAvailable } from '../calls/report-in.ts'
import { ReportInScreen } from './report-in-screen.tsx'

const server = serverForEachTest()
let load: ReturnType<typeof vi.spyOn>
beforeEach(() => {
  load = vi.spyOn(browser, 'load').mockReturnValue()
  server.answer(getReportData, reportData())
  server.answer(logSignIn, signInRecord())
  server.answer(pollEvent, noEvent)
  server.answer(logout, { status: 'logout_success', message: 'You have been signed out.' })
})

const noEvent = { status: 'no_event', message: null }
const show = (auth: Partial<StoredAuth> = {}) =>
  renderScreen(<ReportInScreen />, { at: '/reportin', auth: { on_duty: false, ...auth } })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const manager = { role: { Warden_Role: 'Chief Warden', Module_Event_Management: true } }
const colours = [
  ['REPORT-09', 'Report In', 'rgb(30, 126, 52)', reportData(manager)],
  ['REPORT-10', 'Manage Event', 'rgb(200, 35, 51)', reportData(manager)],
  ['REPORT-11', 'Not Avail', 'rgb(255, 193, 7)', reportData(manager)],
  ['REPORT-12', 'Sign Out', 'rgb(232, 89, 12)', withoutEvent(manager)],
] as const
test.each(colours)(
  "%s the '%s' button has its colour, an icon, and room for a thumb",
  async (_, name, colour, data) => {
    server.answer(getReportData, data)

    await show()

    await expect.element(button(name)).toBeVisible()
    const element = button(name).element()
    expect(getComputedStyle(element).backgroundColor).toBe(colour)
    expect(element.querySelector('svg')).not.toBeNull()
    expect(element.getBoundingClientRect().height).toBeGreaterThanOrEqual(52)
  },
)

test('AMB-061 the sign-in log is called once, after the report data, with the stored peer email', async () => {
  const answered = Promise.withResolvers<void>()
  server.answer(getReportData, () => answered.promise.then(() => reportData()))
  server.answer(logSignIn, signInRecord({ on_duty: true, reported_in: true }))
  await show({ peer_email: 'floor3@harbour.test' })
  expect(server.received(logSignIn)).toHaveLength(0)

  answered.resolve()

  await expect.element(page.getByText('On Duty')).toBeVisible()
  window.dispatchEvent(new Event('visibilitychange'))
  await expect.poll(() => server.received(getReportData)).toHaveLength(2)
  expect(server.received(logSignIn).map(({ input }) => input.body)).toEqual([{ peer_email: 'floor3@harbour.test' }])
  expect(getAuth()?.on_duty).toBe(true)
  expect(button('Report In').query()).toBeNull()
})

test('AMB-040 an event that only the answer of the sign-in log names does not take the screen away', async () => {
  const answered = Promise.withResolvers<void>()
  server.answer(logSignIn, () => answered.promise.then(() => signInRecord({ on_duty: true, reported_in: true })))
  const { queryClient } = await show({ WardenSignInUID: null })
  onTestFinished(watchEvent(queryClient).stop)
  await expect.poll(() => server.received(logSignIn)).toHaveLength(1)

  answered.resolve()

  await expect.element(page.getByText('On Duty')).toBeVisible()
  expect(getAuth()?.WardenSignInUID).toBe(someSignIn)
  expect(server.received(getReportData)).toHaveLength(1)
})

test('AMB-040 a late answer of the sign-in log does not touch the session that has taken its place', async () => {
  server.answer(logSignIn, () => {
    setAuth(storedAuth({ access_token: 'Bearer token-2', on_duty: true }))
    return signInRecord({ on_duty: false })
  })

  await show()

  await expect.element(button('Report In')).toBeVisible()
  expect(getAuth()?.on_duty).toBe(true)
})

test('REPORT-28 Report In stores on duty and loads /me/role', async () => {
  server.answer(reportIn, { success: true, status: 'On Duty', message: 'You have been reported as on duty.' })
  await show()

  await button('Report In').click()

  await expect.poll(() => load.mock.calls).toEqual([['/me/role']])
  expect(getAuth()).toMatchObject({ on_duty: true, event: { status: true, goToReportInListPage: false } })
})

const refusals = [
  ['REPORT-21', 'Report In', reportIn],
  ['REPORT-22', 'Not Avail', reportNotAvailable],
] as const
test.each(refusals)(
  '%s REPORT-23 %s turned down: the popup says why, and Ok returns to the list',
  async (_, name, call) => {
    server.answer(call, { error: 'no_current_event', message: 'There is no current event for this assignment.' })
    const screen = await show()

    await button(name).click()

    await expect.element(page.getByRole('alertdialog', { name: 'no current event' })).toBeVisible()
    await expect.element(page.getByText('There is no current event for this assignment.')).toBeVisible()
    await expectNoAxeViolations()
    await button('Ok').click()

    expect(screen.address()).toBe('/reportinlist')
    expect([getAuth()?.on_duty, load.mock.calls]).toEqual([false, []])
  },
)

test('REPORT-19 REPORT-20 Not Avail shows status and message, and Ok signs out', async () => {
  server.answer(reportNotAvailable, {
    status: 'Not Available',
    message: 'You have been reported as not available.',
  })
  await show()

  await button('Not Avail').click()

  await expect.element(page.getByRole('alertdialog', { name: 'Not Available' })).toBeVisible()
  await expect.element(page.getByText('You have been reported as not available.')).toBeVisible()
  expect(server.received(logout)).toHaveLength(0)
  await button('Ok').click()

  await expect.poll(() => load.mock.calls).toEqual([['/login']])
  expect(getAuth()).toBeNull()
})

test('REPORT-20 SESSION-18 refused the sign-out, the popup of Not Avail closes, and the warden may go on', async () => {
  const message = 'You are the only Event Manager on duty.'
  server.answer(reportNotAvailable, { status: 'Not Available', message: 'You have been reported as not available.' })
  server.answer(logout, { status: 'cannot_logout', message })
  await show()
  await button('Not Avail').click()

  await button('Ok').click()

  await expect.element(page.getByRole('alert').getByText(message)).toBeVisible()
  await expect.element(page.getByRole('alertdialog')).not.toBeInTheDocument()
  await expect.element(button('Report In')).toBeVisible()
  expect([getAuth()?.access_token, load.mock.calls]).toEqual(['Bearer token-1', []])
})

test('REPORT-20 AMB-047 a sign-out that does not reach the server leaves the popup of Not Avail', async () => {
  server.answer(reportNotAvailable, { status: 'Not Available', message: 'You have been reported as not available.' })
  server.answer(logout, cutOff)
  await show()
  await button('Not Avail').click()

  await button('Ok').click()

  await expect.poll(() => server.received(logout)).toHaveLength(1)
  await expect.element(page.getByRole('alertdialog', { name: 'Not Available' })).toBeVisible()
  expect(getAuth()).not.toBeNull()
})

test('REPORT-26 Manage Event opens /event/management', async () => {
  server.answer(getReportData, reportData(manager))
  const screen = await show()

  await button('Manage Event').click()

  expect(screen.address()).toBe('/event/management')
})

test('REPORT-27 Sign Out logs out and goes to /login', async () => {
  server.answer(getReportData, withoutEvent())
  await show()

  await button('Sign Out').click()

  await expect.poll(() => load.mock.calls).toEqual([['/login']])
  expect(server.received(logout)).toHaveLength(1)
})

const warning = page.getByRole('alertdialog', { name: 'Not everything is recorded' })

test('REPORT-27 while safety records wait, Sign Out asks first and can leave once they are sent', async () => {
  server.answer(getReportData, withoutEvent())
  pendingCountStore.set(2)
  await show()

  await button('Sign Out').click()
  await expect.element(warning.getByText(/^2 safety records wait to be sent/)).toBeVisible()
  await expectNoAxeViolations()
  await warning.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(warning).not.toBeInTheDocument()
  await button('Sign Out').click()
  await warning.getByRole('button', { name: 'Logout once sent' }).click()
  expect([server.received(logout).length, load.mock.calls]).toEqual([0, []])

  pendingCountStore.set(0)

  await expect.poll(() => load.mock.calls).toEqual([['/login']])
  expect(server.received(logout)).toHaveLength(1)
})

test('REPORT-27 while records stand that were not taken, Sign Out asks first', async () => {
  server.answer(getReportData, withoutEvent())
  rejectedCountStore.set(1)
  await show()

  await button('Sign Out').click()

  await expect.element(warning.getByText(/^1 record was not accepted/)).toBeVisible()
  expect(server.received(logout)).toHaveLength(0)
  await expectNoAxeViolations()
  await warning.getByRole('button', { name: 'Logout', exact: true }).click()
  await expect.poll(() => load.mock.calls).toEqual([['/login']])
})

test('REPORT-20 while safety records wait, the Ok of Not Avail asks before it signs out', async () => {
  server.answer(reportNotAvailable, { status: 'Not Available', message: 'You have been reported as not available.' })
  pendingCountStore.set(1)
  await show()
  await button('Not Avail').click()

  await button('Ok').click()

  await expect.element(warning.getByText(/^1 safety record waits to be sent/)).toBeVisible()
  expect(server.received(logout)).toHaveLength(0)
  await warning.getByRole('button', { name: 'Logout', exact: true }).click()
  await expect.poll(() => load.mock.calls).toEqual([['/login']])
})

test.each([
  ['Report In', reportIn],
  ['Not Avail', reportNotAvailable],
] as const)(
  'REPORT-21 %s that does not reach the server says so below, until it is pressed again',
  async (name, call) => {
    server.answer(call, cutOff)
    await show()

    await button(name).click()

    const failed = page.getByText('Not recorded. Try again.')
    await expect.element(failed).toBeVisible()
    await expect.element(button(name)).not.toHaveAttribute('aria-busy')
    expect(page.getByRole('alertdialog').query()).toBeNull()
    expect([getAuth()?.on_duty, load.mock.calls]).toEqual([false, []])
    await expectNoAxeViolations()
    server.answer(call, () => new Promise(() => undefined))
    await button(name).click()
    await expect.element(failed).not.toBeInTheDocument()
  },
)

test('REPORT-13 an event that begins while the page is open may be reported for at once', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  server.answer(getReportData, withoutEvent())
  server.answer(logSignIn, signInRecord({ event_uid: null, WardenSignInUID: null }))
  await show()
  await expect.element(page.getByText('NO EVENT')).toBeVisible()
  await expect.poll(() => server.received(pollEvent).length).toBe(1)

  server.answer(getReportData, reportData())
  server.answer(logSignIn, signInRecord())
  server.answer(pollEvent, { ...noEvent, status: 'ok', event: { status: true, ended_by: null } })
  await vi.advanceTimersByTimeAsync(5000)

  await expect.element(button('Report In')).toBeVisible()
})

test('REPORT-13 AMB-060 who has not accepted the assignment reads of the event, and cannot report in', async () => {
  server.answer(logSignIn, signInRecord({ event_uid: null, WardenSignInUID: null }))
  await show()
  await expect.element(button('Sign Out')).toBeVisible()
  await expect.element(page.getByText('Fire - Fire in a building')).toBeVisible()
  expect(button('Report In').query()).toBeNull()
})

test.each([
  ['report data', getReportData],
  ['sign-in log', logSignIn],
] as const)('ERR-06 without the %s there is a way to try again', async (_, call) => {
  server.answer(call, cutOff)
  await show()
  const again = button('Try again')
  await expect.element(again).toBeVisible()
  await expectNoAxeViolations()
  server.answer(getReportData, reportData())
  server.answer(logSignIn, signInRecord())

  await again.click()

  await expect.element(button('Report In')).toBeVisible()
})

test.each(['dark', 'light'] as const)('UI axe clean with an event and all buttons, %s', async (theme) => {
  chooseTheme(theme)
  server.answer(getReportData, reportData(manager))
  server.answer(logSignIn, signInRecord({ not_available: true, reported_in: true }))
  await show()
  await expect.element(button('Not Avail')).toBeVisible()
  await expectNoAxeViolations()
})
