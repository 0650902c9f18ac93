import type { Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { password } from '../rig/organisation.ts'
import { desk, lookAt } from './support/console.ts'
import { expect, signInOn, test } from './support/test.ts'

/** With the second factor, which is set up at the first sign-in. */
async function openConsole(page: Page, email: string) {
  await page.goto('/console')
  await page.getByLabel('Email or user name').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  const key = await page.getByText(/^Key: ([A-Z2-7]{4} ?)+$/).textContent()
  const secret = Secret.fromBase32((key ?? '').replace('Key:', '').replaceAll(' ', ''))
  await page.getByLabel('Code', { exact: true }).fill(TOTP.generate({ secret }))
  await page.getByRole('button', { name: 'Continue' }).click()
  // the recovery codes must be kept first
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  await download
  await page.getByRole('button', { name: 'Go to the console' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
}

test('PPL-20 PPL-24 PPL-25 PPL-27 an administrator adds a floor and offers it, the warden accepts on a phone, coverage turns', async ({
  organisation,
  phone,
  product,
}) => {
  test.setTimeout(120_000)
  await product.pool.query(
    `insert into administrator (client_uid, person_uid, reach)
       select client_uid, uid, 'organisation' from person where email = $1`,
    [organisation.chief],
  )
  const desktop = await phone({ viewport: desk })
  await openConsole(desktop, organisation.chief)

  await test.step('a floor is added', async () => {
    await desktop.getByRole('link', { name: 'Places', exact: true }).click()
    await lookAt(desktop, 'places')
    await desktop.getByRole('link', { name: new RegExp(`^${organisation.site}`) }).click()
    const tower = desktop.getByRole('region', { name: 'Tower A' })
    await tower.getByRole('button', { name: 'Add a floor' }).click()
    await desktop.getByLabel('Name', { exact: true }).fill('Roof')
    await desktop.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(tower.getByRole('row', { name: /^Roof F-001/ })).toBeVisible()
    await lookAt(desktop, 'site')
  })

  const cell = desktop.getByRole('button', { name: /^Floor Warden, Roof:/ })
  await test.step('nobody has it, so it is offered', async () => {
    await desktop.getByRole('link', { name: 'Wardens', exact: true }).click()
    await desktop.getByRole('link', { name: 'Coverage', exact: true }).click()
    await expect(desktop.getByRole('rowheader', { name: /Roof/ }).getByText('No warden')).toBeVisible()
    await lookAt(desktop, 'coverage')
    await cell.click()
    await desktop.getByRole('searchbox', { name: 'Search people' }).fill('Lucas')
    await desktop.getByRole('button', { name: /^Lucas Tower B/ }).click()
    await lookAt(desktop, 'offer')
    await desktop.getByRole('button', { name: 'Offer', exact: true }).click()
    await expect(cell).toHaveText('1 offered')
  })

  await test.step('the warden accepts on a phone', async () => {
    const page = await phone()
    await signInOn(page, organisation.towerB)
    await page.getByRole('button', { name: 'Review to Accept / Decline' }).click()
    await expect(page.getByText('Tower A - Roof')).toBeVisible()
    await page.getByRole('button', { name: 'Accept', exact: true }).click()
    await expect(page.getByText('You have accepted the Warden assignment.', { exact: true })).toBeVisible()
  })

  await test.step('coverage turns by itself', async () => {
    await expect(cell).toHaveText('Lucas Tower B', { timeout: 20_000 })
    await expect(desktop.getByRole('rowheader', { name: /Roof/ }).getByText('No warden')).toBeHidden()
    await desktop.getByRole('link', { name: 'Assignments', exact: true }).click()
    await expect(desktop.getByRole('row', { name: /Tower B, Lucas.*Roof.*Accepted/ })).toBeVisible()
    await lookAt(desktop, 'assignments')
    await desktop.getByRole('link', { name: 'Roles', exact: true }).click()
    await expect(desktop.getByText('Chief Warden')).toBeVisible()
    await lookAt(desktop, 'roles')
  })
})
