import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { chooseTheme } from '#web/lib/look/theme.ts'
import { formatDateRange } from '#web/lib/time/dates.ts'
import { getAuth, type ReportInDetails, type StoredAuth } from '#web/session/stored-auth.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { someAssignment } from '#web/testing/stored-auth.ts'
import { listAssignmentPeeps, updateAssignmentStatus } from '../calls/assignments.ts'
import { WithdrawScreen } from './withdraw-screen.tsx'

const details: ReportInDetails = {
  clientSite: 'Harbour Property Group - Northgate Campus',
  role: 'Building Warden',
  area: 'Library',
  dateFrom: '2026-02-01',
  dateTo: '2026-12-31',
}
const plan = { Person: 'Ann Lee', PEEP_Floor: 'Library - Ground', PEEP_Summary: 'Wheelchair' }

const server = serverForEachTest()
beforeEach(() => {
  server.answer(listAssignmentPeeps, [plan])
  server.answer(updateAssignmentStatus, { success: true })
})

const show = (auth: Partial<StoredAuth> = {}) =>
  renderScreen(<WithdrawScreen />, {
    at: `/withdraw/${someAssignment}`,
    route: '/withdraw/:wardenAssignmentUID',
    auth: { on_duty: false, reportInDetails: details, reportInDetailsOf: someAssignment, ...auth },
  })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const reason = page.getByPlaceholder('Please enter a reason', { exact: true })
const shownUnder = (label: string) => page.getByText(label, { exact: true }).element().nextElementSibling?.textContent
const sent = () => server.received(updateAssignmentStatus)

test('ASSIGN-12 ROUTE-08 shows the same details: site, role, area, date range and the plans', async () => {
  await show()

  const title = 'Withdraw from Warden Assignment'
  await expect.element(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible()
  expect(['Site', 'Role', 'Area', 'Dates'].map(shownUnder)).toEqual([
    'Harbour Property Group - Northgate Campus',
    'Building Warden',
    'Library',
    formatDateRange('2026-02-01', '2026-12-31'),
  ])
  const list = page.getByRole('list', { name: 'PEEP confirmation list' })
  for (const text of Object.values(plan)) await expect.element(list.getByText(text, { exact: true })).toBeVisible()
  expect((list.element() as HTMLElement).offsetHeight).toBe(207)
})

test("ASSIGN-12 ASSIGN-03 without plans it reads 'There are no PEEP's in your area.'", async () => {
  server.answer(listAssignmentPeeps, [])

  await show()

  await expect.element(page.getByText("There are no PEEP's in your area.", { exact: true })).toBeVisible()
  await expectNoAxeViolations()
})

test.each(['dark', 'light'] as const)('ASSIGN-13 has a reason, Back and Withdraw, axe clean, %s', async (theme) => {
  chooseTheme(theme)

  await show()

  await expect.element(page.getByText('Ann Lee', { exact: true })).toBeVisible()
  await expect.element(reason).toBeVisible()
  for (const name of ['Back', 'Withdraw'])
    expect(button(name).element().getBoundingClientRect().height).toBeGreaterThanOrEqual(48)
  await expectNoAxeViolations()
})

test.each(['Back', 'Report In List'])('AMB-068 %s leads to the list and withdraws nothing', async (name) => {
  const screen = await show()
  await reason.fill('Moving away')

  await button(name).click()

  expect([screen.address(), sent().length]).toEqual(['/reportinlist', 0])
})

test('ASSIGN-14 Withdraw waits for a reason that is more than blanks', async () => {
  await show()
  await expect.element(button('Withdraw')).toBeDisabled()

  await reason.fill(' \n ')
  await expect.element(button('Withdraw')).toBeDisabled()
  await reason.fill('Moving away')
  await expect.element(button('Withdraw')).toBeEnabled()
  await expectNoAxeViolations()
})

test('ASSIGN-19 ASSIGN-22 Withdraw sends the trimmed reason, says so, and OK leads to the list', async () => {
  const screen = await show()
  await reason.fill(' Moving away ')

  await button('Withdraw').click()

  await expect.element(page.getByRole('alertdialog', { name: 'Success' })).toBeVisible()
  const text = 'You have withdrawn from the Warden assignment.'
  await expect.element(page.getByText(text, { exact: true })).toBeVisible()
  expect(sent().map(({ input }) => input.body)).toEqual([
    {
      Warden_Assignment_UID: someAssignment,
      Assignment_Status: 'Withdrawn',
      Assignment_Declined_Note: 'Moving away',
    },
  ])
  expect(getAuth()?.WardenSignInUID).toBeNull()
  await expectNoAxeViolations()
  await button('OK').click()
  expect(screen.address()).toBe('/reportinlist')
})

test('ERR-06 AMB-068 a withdrawal that is turned down only stops the loader, and the reason is still there', async () => {
  server.answer(updateAssignmentStatus, refused('on_duty'))
  const screen = await show()
  await reason.fill('Moving away')

  await button('Withdraw').click()

  await expect.poll(() => sent()).toHaveLength(1)
  await expect.element(button('Withdraw')).not.toHaveAttribute('aria-busy')
  await expect.element(reason).toHaveValue('Moving away')
  expect([page.getByRole('alertdialog').query(), screen.address()]).toEqual([null, `/withdraw/${someAssignment}`])
  expect(getAuth()?.WardenSignInUID).not.toBeNull()
})

test('ASSIGN-16 without stored details it leads to the list', async () => {
  const screen = await show({ reportInDetails: null })

  expect(screen.address()).toBe('/reportinlist')
})
