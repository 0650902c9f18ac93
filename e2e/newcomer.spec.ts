import type { Page } from '@playwright/test'
import { endEvent, listEventSites } from '#features/events/calls/events.ts'
import { startEvent } from '../rig/api.ts'
import { expect, expectAccessible, openFromMenu, reportInOn, signInOn, test } from './support/test.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const stored = (page: Page) => page.evaluate(() => Object.keys(localStorage).sort())

async function signInByLink(page: Page, mobile: string) {
  await page.goto('/login')
  await page.getByLabel('Mobile number').fill(mobile)
  await page.getByRole('button', { name: 'Request link' }).click()
  await expect(page.getByRole('alertdialog', { name: 'Success' })).toBeVisible()
  await page.goto('/simulator')
  await page.getByRole('searchbox').fill(mobile)
  await page.getByRole('button', { name: /Nadia Newcomer/ }).click()
  await page.getByRole('log').getByRole('link').click()
  await page.waitForURL('**/reportinlist')
}

test("PROD-01 PROD-02 PROD-03 PROD-06 a visitor sees the product's names", async ({ phone, product }) => {
  const page = await phone()
  await page.goto('/')

  await expect(page.getByRole('heading', { name: 'Emergency Event Management' })).toBeVisible()
  await expect(page).toHaveTitle('All Wardens - Evac')
  await expect(page.getByText('For authorised users of All Wardens.', { exact: true })).toBeVisible()
  const address = await page.locator('link[rel=manifest]').getAttribute('href')
  const manifest = await (await fetch(product.url + address)).json()
  expect([manifest.name, manifest.short_name]).toEqual(['Emergency Event Management', 'Evac'])
})

test('PROD-08 PROD-09 PROD-12 SESSION-17 a newcomer takes an assignment, serves in an event, and withdraws', async ({
  organisation,
  phone,
  product,
}) => {
  const page = await phone()
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()

  await test.step('a link on the phone signs in', () => signInByLink(page, organisation.newcomerMobile))

  await test.step('the offer is read, with its documents, and accepted', async () => {
    await expect(page.getByText('Assignment Offered', { exact: true })).toBeVisible()
    await press('Documents')
    await expect(heading(page, 'Documents')).toBeVisible()
    const [tab, answer] = await Promise.all([
      page.context().waitForEvent('page'),
      page.context().waitForEvent('response', (response) => response.url().includes('/api/documents/')),
      page.getByRole('link', { name: /Emergency plan/ }).click(),
    ])
    expect(await answer.text()).toBe('Leave by the west stair.')
    await tab.close()
    await press('Back')
    await press('Review to Accept / Decline')
    await expect(heading(page, 'Accept / Decline Warden Assignment')).toBeVisible()
    await expect(page.getByText('Tower A - Level 2')).toBeVisible()
    await expectAccessible(page, 'accept or decline')
    await press('Accept')
    await expect(page.getByText('You have accepted the Warden assignment.', { exact: true })).toBeVisible()
    await press('OK')
    await expect(page.getByText('Current Assignment', { exact: true })).toBeVisible()
  })

  const manager = await startEvent(product, organisation)

  await test.step('the warden reports in, looks at the role, and goes off duty', async () => {
    await page.reload()
    await expect(page.getByText('Event In Progress', { exact: true })).toBeVisible()
    await reportInOn(page)
    await expect(heading(page, 'My Role')).toBeVisible()
    await expect(page.getByText('Floor Warden', { exact: true })).toBeVisible()
    await openFromMenu(page, 'floor evacuation')
    await expect(heading(page, 'Floor Evacuation')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Petra Quiet' })).toBeVisible()
    await page.evaluate(() => localStorage.setItem('lockStartTime', '1'))
    await press('Menu')
    await press('Go Off Duty')
    await press('Logout')
    await page.waitForURL('**/login')
    await expect(page.getByLabel('Password')).toBeVisible()
    // LOGIN-21: the lock is long over, so the login page itself takes it away.
    expect(await stored(page)).toEqual([])
  })

  const { data } = await manager(listEventSites, {})
  const buildings = data.sites[0]?.buildings.map(({ id }) => id) ?? []
  const eventType = data.activeEvent?.eventType as never
  await manager(endEvent, { body: { buildings, eventType, message: 'It is over', broadcastMessage: 'no' } })

  await test.step('after the event the warden withdraws, and signs out', async () => {
    await signInOn(page, organisation.newcomer)
    await press('Withdraw')
    await expect(heading(page, 'Withdraw from Warden Assignment')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Withdraw', exact: true })).toBeDisabled()
    await page.getByLabel('Reason').fill('I am moving to another building')
    await expectAccessible(page, 'withdraw')
    await press('Withdraw')
    await expect(page.getByText('You have withdrawn from the Warden assignment.', { exact: true })).toBeVisible()
    await press('OK')
    await expect(page.getByText('No report in found', { exact: true })).toBeVisible()
    await press('Back')
    await page.waitForURL('**/login')
    await expect(page.getByLabel('Password')).toBeVisible()
    expect(await stored(page)).toEqual([])
  })
})
