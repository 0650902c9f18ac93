import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { listOwnSignInChanges } from '#features/authority/calls.ts'
import { pollEvent } from '#features/live-updates/calls/realtime.ts'
import { logout } from '#features/sign-in/calls/sign-in.ts'
import type { AssignmentUid } from '#kernel/ids.ts'
import { browser } from '#web/lib/browser.ts'
import { pendingCountStore } from '#web/outbox/record-counts.ts'
import { noEventFlags } from '#web/session/event-flags.ts'
import { menuOpenStore } from '#web/session/navigation/menu-button.tsx'
import { getAuth, profileFrom, type StoredAuth, setProfile } from '#web/session/stored-auth.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { cutOff, serverForEachTest } from '#web/testing/fake-server.ts'
import { profileReply } from '#web/testing/profile-reply.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { otherCard, reportInCard } from '#web/testing/report-in-cards.ts'
import { flags, someSignIn } from '#web/testing/stored-auth.ts'
import { getReportInCardByLink, listReportInCards } from '../calls/report-in.ts'
import { ReportInListScreen } from './report-in-list-screen.tsx'

const server = serverForEachTest()
beforeEach(() => {
  server.answer(pollEvent, { status: 'no_event', message: null })
  server.answer(listOwnSignInChanges, { changes: [], contact: 'Harbour Property Group' })
  server.answer(listReportInCards, [])
})

const show = (auth: Partial<StoredAuth> = { on_duty: false }) =>
  renderScreen(<ReportInListScreen />, { at: '/reportinlist', auth })
const cards = page.getByRole('article')
const empty = page.getByText('No report in found')

test('LIST-01 shows one card per item, in the order of the server', async () => {
  const first = reportInCard('unknown', { Warden_Role: 'Chief Warden' })
  server.answer(listReportInCards, [first, reportInCard('offered', { ...otherCard, Warden_Role: 'Area Warden' })])

  await show()

  await expect.element(cards.first()).toBeVisible()
  expect(cards.elements().map((card) => card.querySelector('h2')?.textContent)).toEqual(['Chief Warden', 'Area Warden'])
  await expectNoAxeViolations()
})

test.each([
  [1440, 3],
  [1000, 2],
  [390, 1],
])('UX-60 on a screen of %i px the cards stand in %i columns, in the order of the server', async (width, columns) => {
  await page.viewport(width, 900)
  onTestFinished(() => page.viewport(390, 844))
  const roles = ['Chief Warden', 'Area Warden', 'Floor Warden']
  const card = (role: string, n: number) =>
    reportInCard('offered', {
      ...otherCard,
      Warden_Role: role,
      Warden_Assignment_UID: `00000000-0000-4000-8000-0000000ab00${n}` as AssignmentUid,
    })
  server.answer(listReportInCards, roles.map(card))

  await show()

  await expect.poll(() => cards.elements().length).toBe(3)
  const boxes = cards.elements().map((one) => one.getBoundingClientRect())
  const first = boxes.filter(({ top }) => top === boxes[0]?.top)
  expect(first.length).toBe(columns)
  expect(first.map(({ left }) => left)).toEqual(first.map(({ left }) => left).toSorted((a, b) => a - b))
})

test("LIST-02 with no items it reads 'No report in found'", async () => {
  await show()

  await expect.element(empty).toBeVisible()
  await expectNoAxeViolations()
})

test("UI while loading it shows the shape of the list, not 'No report in found'", async () => {
  server.answer(listReportInCards, () => new Promise(() => undefined))

  await show()

  await expect.element(page.getByText('Loading...')).toBeVisible()
  expect(empty.query()).toBeNull()
  await expectNoAxeViolations()
})

test('ERR-06 a list that cannot be read says nothing, and can be asked for again', async () => {
  server.answer(listReportInCards, cutOff)
  await show()
  const again = page.getByRole('button', { name: 'Try again' })
  await expect.element(again).toBeVisible()
  expect(empty.query()).toBeNull()
  await expectNoAxeViolations()

  server.answer(listReportInCards, [reportInCard('current')])
  await again.click()

  await expect.element(cards).toBeVisible()
})

test.each(['Email', 'Username', 'Mobile'] as const)('LIST-35 asks with signInMethod %s', async (signInMethod) => {
  await show({ signInMethod })

  await expect.element(empty).toBeVisible()
  expect(server.received(listReportInCards)[0]?.input.query).toEqual({ signInMethod })
})

test('LIST-36 after a report-in link it asks for the card of that sign-in', async () => {
  server.answer(getReportInCardByLink, [reportInCard('unknown')])

  await show({ isReportInToken: true, signInMethod: 'Mobile' })

  await expect.element(cards).toBeVisible()
  expect(server.received(getReportInCardByLink)[0]?.input.query).toEqual({ WardenSignInUID: someSignIn })
  expect(server.received(listReportInCards)).toHaveLength(0)
})

test('LIST-36 a link whose event has ended leaves no card', async () => {
  await show({ isReportInToken: true, WardenSignInUID: null })

  await expect.element(empty).toBeVisible()
})

const back = page.getByRole('button', { name: 'Back' })

test('LIST-03 while safety records wait, the back button asks first', async () => {
  const load = vi.spyOn(browser, 'load').mockReturnValue()
  server.answer(logout, { status: 'logout_success', message: 'You have been signed out.' })
  await show()
  pendingCountStore.set(2)

  await back.click()

  const dialog = page.getByRole('alertdialog', { name: 'Not everything is recorded' })
  await expect.element(dialog.getByText(/^2 safety records wait to be sent/)).toBeVisible()
  expect(server.received(logout)).toHaveLength(0)
  await expectNoAxeViolations()
  await dialog.getByRole('button', { name: 'Logout', exact: true }).click()
  await expect.poll(() => load.mock.calls).toEqual([['/login']])
})

test('LIST-03 the back button logs out at once (AMB-048)', async () => {
  const load = vi.spyOn(browser, 'load').mockReturnValue()
  server.answer(logout, { status: 'logout_success', message: 'You have been signed out.' })
  await show()

  await back.click()

  await expect.poll(() => load.mock.calls).toEqual([['/login']])
  expect(getAuth()).toBeNull()
})

test('UX-50 LIST-03 while on duty the back button opens the leave dialog, and only Logout leaves', async () => {
  const load = vi.spyOn(browser, 'load').mockReturnValue()
  server.answer(logout, { status: 'logout_success', message: 'You have been signed out.' })
  await show({ on_duty: true })
  const dialog = page.getByRole('alertdialog', { name: 'Go Off Duty?' })

  await back.click()
  await expect.element(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(server.received(logout)).toHaveLength(0)

  await back.click()
  await dialog.getByRole('button', { name: 'Logout' }).click()
  await expect.poll(() => load.mock.calls).toEqual([['/login']])
})

test('LIST-03 SESSION-18 a refused logout shows the server message and changes nothing', async () => {
  const load = vi.spyOn(browser, 'load').mockReturnValue()
  server.answer(logout, { status: 'cannot_logout', message: 'You are the only Event Manager on duty.' })
  await show()

  await back.click()

  await expect.element(page.getByText('You are the only Event Manager on duty.')).toBeVisible()
  expect([getAuth()?.signInMethod, load.mock.calls.length]).toEqual(['Email', 0])
})

test('AMB-008 the burger is there only for a warden on duty, and opens the menu', async () => {
  const screen = await show({ on_duty: false })
  const burger = page.getByRole('button', { name: 'Menu' })
  await expect.element(back).toBeVisible()
  expect(burger.query()).toBeNull()
  await screen.unmount()

  await show({ on_duty: true })
  await burger.click()

  expect(menuOpenStore.get()).toBe(true)
})

test('UI the bar names who is signed in', async () => {
  setProfile(profileFrom(profileReply()))
  await show()

  await expect.element(page.getByText('Grace Okafor')).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'Report In List' })).toBeVisible()
})

test('NUM-06 the bar names someone with one name by it alone', async () => {
  setProfile(profileFrom({ ...profileReply(), Firstname: '', Lastname: 'Suharto' }))
  await show()

  expect(page.getByText('Suharto').element().textContent).toBe('Suharto')
})

test("AAR-36 a link 'Past events' stands at the foot for those who may read records", async () => {
  const { address, unmount } = await show({ on_duty: false, module_access: flags('Module_Event_Records') })
  await page.getByRole('link', { name: 'Past events' }).click()
  expect(address()).toBe('/event/records')
  await unmount()

  await show({ on_duty: false, module_access: flags('Module_Floor_Evacuation') })
  await expect.element(empty).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Past events' })).not.toBeInTheDocument()
})

const change = { uid: 'one', what: 'address' as const, by: 'Ada Admin', at: '2026-11-27T03:04:00Z' }
const told = page.getByRole('region', { name: 'Changes to your sign-in' })

test('AUTH-27 a warden who is not on duty sees below the list what others did to their sign-in, and closes it', async () => {
  localStorage.removeItem('sign-in-changes-read')
  server.answer(listOwnSignInChanges, { changes: [change], contact: 'safety@harbour.test' })
  await show({ on_duty: false, event: noEventFlags })

  await expect.element(told).toMatchTextContent(/Your sign-in address was changed. Ada Admin did this at/)
  await expect.element(told).toMatchTextContent(/If you did not expect it, call safety@harbour.test./)
  await expectNoAxeViolations()
  await told.getByRole('button', { name: 'Close' }).click()
  await expect.element(told).not.toBeInTheDocument()
})

test.each([
  ['on duty', { on_duty: true, event: noEventFlags }],
  ['while an event runs', { on_duty: false, event: { status: true, goToReportInListPage: false } }],
])('AUTH-27 %s nothing about the sign-in is asked or shown', async (_, auth) => {
  await show(auth)

  await expect.element(empty).toBeVisible()
  expect(told.query()).toBeNull()
  expect(server.received(listOwnSignInChanges)).toEqual([])
})
