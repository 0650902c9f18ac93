import type { Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { password } from '../rig/organisation.ts'
import { desk, lookAt, pressOn, typeInto } from './support/console.ts'
import { expect, signInOn, test } from './support/test.ts'

/** By the keyboard alone, with the second factor, which is set up at the first sign-in. */
async function openConsole(page: Page, email: string) {
  await page.goto('/console')
  await typeInto(page, page.getByLabel('Email or user name'), email)
  await typeInto(page, page.getByLabel('Password', { exact: true }), password)
  await page.keyboard.press('Enter')
  const key = await page.getByText(/^Key: ([A-Z2-7]{4} ?)+$/).textContent()
  const secret = Secret.fromBase32((key ?? '').replace('Key:', '').replaceAll(' ', ''))
  await typeInto(page, page.getByLabel('Code', { exact: true }), TOTP.generate({ secret }))
  await pressOn(page, page.getByRole('button', { name: 'Continue' }))
  // the recovery codes must be kept first
  const download = page.waitForEvent('download')
  await pressOn(page, page.getByRole('button', { name: 'Download' }))
  await download
  await pressOn(page, page.getByRole('button', { name: 'Go to the console' }))
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
}

test('ORG-35 PPL-20 PPL-24 PPL-25 PPL-27 by the keyboard alone an administrator adds a floor and offers it, the warden accepts on a phone, coverage turns', async ({
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
    await pressOn(desktop, desktop.getByRole('link', { name: 'Places', exact: true }))
    await lookAt(desktop, 'places')
    await pressOn(desktop, desktop.getByRole('link', { name: new RegExp(`^${organisation.site}`) }))
    const tower = desktop.getByRole('region', { name: 'Tower A' })
    await pressOn(desktop, tower.getByRole('button', { name: 'Add a floor' }))
    await typeInto(desktop, desktop.getByLabel('Name', { exact: true }), 'Roof')
    await desktop.keyboard.press('Enter')
    await expect(tower.getByRole('row', { name: /^Roof F-001/ })).toBeVisible()
    await lookAt(desktop, 'site')
  })

  const cell = desktop.getByRole('button', { name: /^Floor Warden, Roof:/ })
  await test.step('nobody has it, so it is offered', async () => {
    await pressOn(desktop, desktop.getByRole('link', { name: 'Wardens', exact: true }))
    await pressOn(desktop, desktop.getByRole('link', { name: 'Coverage', exact: true }))
    await expect(desktop.getByRole('rowheader', { name: /Roof/ }).getByText('No warden')).toBeVisible()
    await lookAt(desktop, 'coverage')
    await pressOn(desktop, cell)
    await typeInto(desktop, desktop.getByRole('searchbox', { name: 'Search people' }), 'Lucas')
    await pressOn(desktop, desktop.getByRole('button', { name: /^Lucas Tower B/ }))
    await lookAt(desktop, 'offer')
    await pressOn(desktop, desktop.getByRole('button', { name: 'Offer', exact: true }))
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
    await pressOn(desktop, desktop.getByRole('link', { name: 'Assignments', exact: true }))
    await expect(desktop.getByRole('row', { name: /Tower B, Lucas.*Roof.*Accepted/ })).toBeVisible()
    await lookAt(desktop, 'assignments')
    await pressOn(desktop, desktop.getByRole('link', { name: 'Roles', exact: true }))
    await expect(desktop.getByText('Chief Warden')).toBeVisible()
    await lookAt(desktop, 'roles')
  })
})
