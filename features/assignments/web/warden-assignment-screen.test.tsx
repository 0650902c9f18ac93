import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { formatDateRange } from '#web/lib/time/dates.ts'
import { updateAuth } from '#web/session/stored-auth.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { otherCard } from '#web/testing/report-in-cards.ts'
import { someAssignment } from '#web/testing/stored-auth.ts'
import { listAssignmentPeeps } from '../calls/assignments.ts'
import { button, details, noPeeps, offerOnScreen, reason, showOffer } from './offer.fixture.tsx'
import { WardenAssignmentScreen } from './warden-assignment-screen.tsx'

const { server, sent } = offerOnScreen()
const shownUnder = (label: string) => page.getByText(label, { exact: true }).element().nextElementSibling?.textContent

test('ASSIGN-01 ROUTE-06 shows site, role, area and date range of the stored details', async () => {
  await showOffer()

  const title = 'Accept / Decline Warden Assignment'
  await expect.element(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible()
  expect(['Site', 'Role', 'Area', 'Dates'].map(shownUnder)).toEqual([
    'Harbour Property Group - Harbour Quarter',
    'Floor Warden',
    'Tower A - Level 4',
    formatDateRange('2026-01-01', '2026-09-05'),
  ])
})

test('ASSIGN-01 names without a break stay within the page', async () => {
  const long = 'Harbourquarterpropertygroup'.repeat(4)
  await showOffer({ reportInDetails: { ...details, clientSite: long, role: long, area: long } })

  await expect.element(page.getByText(long).first()).toBeVisible()
  expect(document.documentElement.scrollWidth).toBe(document.documentElement.clientWidth)
})

test('ASSIGN-05 ASSIGN-20 ASSIGN-23 Accept sends the answer, says so, and OK leads to the list', async () => {
  const screen = await showOffer()

  await button('Accept').click()

  const alert = page.getByRole('alertdialog', { name: 'Success' })
  await expect.element(alert.getByText('You have accepted the Warden assignment.', { exact: true })).toBeVisible()
  expect(document.querySelector('[data-variant=success]')).not.toBeNull()
  expect(sent().map(({ input }) => input.body)).toEqual([
    { Warden_Assignment_UID: someAssignment, Assignment_Status: 'Accepted' },
  ])
  expect(screen.address()).toBe(`/warden-assignment/${someAssignment}`)
  await expectNoAxeViolations()
  await button('OK').click()
  expect(screen.address()).toBe('/reportinlist')
})

test('ASSIGN-06 ASSIGN-07 ASSIGN-08 Decline opens the reason with Back and Decline, in place of Accept', async () => {
  await showOffer()
  expect(reason.query()).toBeNull()

  await button('Decline').click()

  await expect.element(reason).toHaveFocus()
  expect([button('Accept').query(), button('Decline').elements().length]).toEqual([null, 1])
  await expect.element(button('Back')).toBeVisible()
  expect(sent()).toEqual([])
  await expectNoAxeViolations()
})

test('ASSIGN-08 Back closes the reason without declining', async () => {
  const screen = await showOffer()
  await button('Decline').click()
  await reason.fill('Not this year')

  await button('Back').click()

  await expect.element(button('Accept')).toBeVisible()
  expect(reason.query()).toBeNull()
  await expect.element(button('Decline')).toHaveFocus()
  expect([sent().length, screen.address()]).toEqual([0, `/warden-assignment/${someAssignment}`])
})

test('ASSIGN-10 Decline waits for a reason that is more than blanks', async () => {
  await showOffer()
  await button('Decline').click()
  await expect.element(button('Decline')).toBeDisabled()

  await reason.fill('  \n ')
  await expect.element(button('Decline')).toBeDisabled()
  await reason.fill(' x')
  await expect.element(button('Decline')).toBeEnabled()
})

test('ASSIGN-18 ASSIGN-21 Decline sends the trimmed reason, says so, and OK leads to the list', async () => {
  const screen = await showOffer()
  await button('Decline').click()
  await reason.fill('  I am away until March.\n')

  await button('Decline').click()

  await expect.element(page.getByText('You have declined the Warden assignment.', { exact: true })).toBeVisible()
  expect(sent().map(({ input }) => input.body)).toEqual([
    {
      Warden_Assignment_UID: someAssignment,
      Assignment_Status: 'Declined',
      Assignment_Declined_Note: 'I am away until March.',
    },
  ])
  await button('OK').click()
  expect(screen.address()).toBe('/reportinlist')
})

test('ASSIGN-11 no more can be typed than the server takes', async () => {
  await showOffer()
  await button('Decline').click()

  await reason.fill('x'.repeat(499))
  await userEvent.type(reason, 'yz')

  await expect.element(reason).toHaveValue(`${'x'.repeat(499)}y`)
  await expect.element(page.getByText('500/500', { exact: true })).toBeVisible()
})

test('ASSIGN-09 without stored details it leads to the list, and asks for nothing', async () => {
  const screen = await showOffer({ reportInDetails: null })

  expect(screen.address()).toBe('/reportinlist')
  expect(server.received(listAssignmentPeeps)).toEqual([])
})

test("ASSIGN-09 another card's details are never shown over Accept: it leads to the list", async () => {
  const screen = await showOffer({ reportInDetailsOf: otherCard.Warden_Assignment_UID })

  expect(screen.address()).toBe('/reportinlist')
  expect(server.received(listAssignmentPeeps)).toEqual([])
})

test('ASSIGN-01 a card chosen in another tab does not change what is about to be accepted', async () => {
  function DrawnAgain() {
    const [times, setTimes] = useState(0)
    return (
      <>
        <button type="button" onClick={() => setTimes(times + 1)}>
          Again {times}
        </button>
        <WardenAssignmentScreen />
      </>
    )
  }
  await showOffer({}, someAssignment, <DrawnAgain />)
  await expect.element(noPeeps).toBeVisible()

  updateAuth({
    reportInDetails: { ...details, role: 'Chief Warden' },
    reportInDetailsOf: otherCard.Warden_Assignment_UID,
  })
  await button('Again 0').click()

  await expect.element(button('Again 1')).toBeVisible()
  expect(shownUnder('Role')).toBe('Floor Warden')
})

test('AMB-068 the arrow of its own bar leads to the list', async () => {
  const screen = await showOffer()

  await button('Report In List').click()

  expect(screen.address()).toBe('/reportinlist')
})
