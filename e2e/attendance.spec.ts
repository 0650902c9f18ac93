import type { Page } from '@playwright/test'
import { reportIn, reportNotAvailable } from '#features/duty/calls/report-in.ts'
import { logout } from '#features/sign-in/calls/sign-in.ts'
import { signIn, startEvent } from '../rig/api.ts'
import { expect, openFromMenu, signInOn, test } from './support/test.ts'

const floor = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Floors', exact: true }).getByRole('button', { name })
const counter = (page: Page, label: string) =>
  page.locator('dl > div', { has: page.getByText(label, { exact: true }) }).locator('dd')

test('DUTY-16 FWS-03 DUTY-02 FWS-20 UX-43 RT-17 a manager watches two screens while four wardens come and go', async ({
  organisation,
  phone,
  product,
}) => {
  await startEvent(product, organisation, ['Tower A', 'Tower B'])
  const floors = await phone()
  await signInOn(floors, organisation.chief)
  await openFromMenu(floors, 'Floor Warden Status')
  await expect(floors.getByText('4 floors without a warden on duty')).toBeVisible()
  await expect(floors.getByRole('button', { name: /^Tower B - / })).toBeInViewport()
  const roles = await floors.context().newPage()
  await roles.goto('/reportinlist')
  await openFromMenu(roles, 'Wardens On duty')
  await roles.getByRole('button', { name: /^Floor Warden/ }).click()
  const list = roles.getByRole('list', { name: 'Wardens, Floor Warden' })
  await expect(list.getByRole('listitem')).toContainText([/Aisha Level Two.*Unknown/, /Oliver Level One.*Unknown/])
  for (const page of [floors, roles]) await page.evaluate(() => Object.assign(window, { neverReloaded: true }))

  // one floor warden reports in
  const [level1, level2] = [await signIn(product, organisation.floor1), await signIn(product, organisation.floor2)]
  await level1(reportIn, {})
  await expect(floors.getByText('3 floors without a warden on duty')).toBeVisible()
  await expect(floor(floors, 'Level 1')).toContainText('Covered')
  await expect(list.getByRole('listitem')).toContainText([/Oliver Level One.*On Duty/, /Aisha Level Two.*Unknown/])

  // another is not available, a site warden reports in
  await level2(reportNotAvailable, {})
  await (await signIn(product, organisation.deputy))(reportIn, {})
  await expect(floor(floors, 'Level 2')).toContainText('Not Covered')
  await expect(floor(floors, 'Tower A (whole building)')).toContainText('On Duty 2')
  for (const page of [floors, roles]) {
    await expect(counter(page, 'On Duty')).toHaveText('3')
    await expect(counter(page, 'Unknown')).toHaveText('0')
    await expect(counter(page, 'Not Avail.')).toHaveText('1')
  }

  // the first goes off duty
  await level1(logout, {})
  await expect(floors.getByText('4 floors without a warden on duty')).toBeVisible()
  await expect(counter(floors, 'Off Duty')).toHaveText('1')
  await expect(counter(floors, 'Total')).toHaveText('4')
  await expect(counter(roles, 'Not Avail.')).toHaveText('2')
  await expect(list.getByRole('listitem')).toContainText([/Oliver Level One.*Off Duty/, /Aisha.*Not Available/])

  // in the other tower
  for (const page of [floors, roles])
    await page.getByRole('combobox', { name: 'Building', exact: true }).selectOption('Tower B')
  await (await signIn(product, organisation.towerB))(reportIn, {})
  await expect(floors.getByText('3 floors without a warden on duty')).toBeVisible()
  await expect(counter(roles, 'On Duty')).toHaveText('3')

  // who has not reported in is sent a link, and a floor of the first tower is opened from the list of all
  await floors.getByRole('button', { name: 'Send links to the 1 not reported in' }).click()
  await expect(floors.getByText(/^Oliver Level One, of 1 floor without a warden on duty/)).toBeVisible()
  await floors.getByRole('button', { name: 'Send to 1' }).click()
  await expect(floors.getByText('1 Report-in links sent.')).toBeVisible()
  await floors.getByRole('button', { name: 'Tower A - Level 1: Not Covered' }).click()
  await expect(floor(floors, 'Level 1')).toBeFocused()

  for (const page of [floors, roles])
    expect(await page.evaluate(() => (window as { neverReloaded?: boolean }).neverReloaded)).toBe(true)
})
