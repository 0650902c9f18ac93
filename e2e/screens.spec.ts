import type { Page } from '@playwright/test'
import { startEvent } from '../rig/api.ts'
import { snapshot } from './support/pictures.ts'
import { card, expect, expectAccessible, mark, openFloorOn, signInOn, test } from './support/test.ts'

/** Expects no accessibility finding in either theme, and saves a picture of each on demand. */
async function inspect(page: Page, name: string) {
  for (const { colorScheme, of } of themes) {
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page, `${name}-${colorScheme}`, of)
    await snapshot(page, `${name}-${colorScheme}`)
  }
}
/** The themes differ in colours alone. */
const themes = [
  { colorScheme: 'light', of: 'contrast' },
  { colorScheme: 'dark', of: 'all' },
] as const

test('PROD-04 SHELL-05 the start of an event, plans, a lost signal and an unknown page are readable and accessible', async ({
  organisation,
  phone,
  product,
}) => {
  const chief = await phone()
  await signInOn(chief, organisation.chief)
  await chief.getByRole('button', { name: 'Start Event' }).click()
  await chief.getByRole('checkbox', { name: 'Tower A' }).check()
  await inspect(chief, 'event-start')
  await chief.getByRole('combobox', { name: /type/i }).selectOption({ label: 'Fire' })
  await chief.getByRole('button', { name: 'Start Event' }).click()
  await expect(chief.getByRole('alertdialog')).toBeVisible()
  await inspect(chief, 'event-confirm')
  await chief.getByRole('button', { name: 'Cancel' }).click()
  await startEvent(product, organisation)

  const warden = await phone()
  await openFloorOn(warden, organisation.floor1)
  await warden.getByRole('button', { name: /People with Disability on this Floor/ }).click()
  await inspect(warden, 'floor-peeps')
  await warden.context().setOffline(true)
  await mark(warden, 'Chen Liu 03', 'Safe on floor')
  await expect(card(warden, 'Chen Liu 03')).toContainText('(waiting)')
  await inspect(warden, 'floor-offline')
  await warden.context().setOffline(false)
  await expect(card(warden, 'Chen Liu 03')).not.toContainText('(waiting)')
  await warden.goto('/no/such/page')
  await expect(warden.getByText('404 Not Found!')).toBeVisible()
  await inspect(warden, 'not-found')
})

test('AMB-028 the screens of a forgotten password are readable and accessible', async ({ organisation, phone }) => {
  const page = await phone()
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot Password' }).click()
  await expect(page.getByRole('button', { name: 'Send link' })).toBeVisible()
  await page.getByLabel('Email', { exact: true }).fill(organisation.floor1)
  await inspect(page, 'forgot-password')
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await inspect(page, 'forgot-password-sent')
  await page.goto('/simulator')
  await page.getByLabel('Search by name or number').fill(organisation.floor1Mobile.slice(1))
  await page.getByRole('button', { name: /Oliver Level One/ }).click()
  await expect(page.getByRole('log').getByRole('link')).toBeVisible()
  await inspect(page, 'simulator-mail')
  await page.getByRole('log').getByRole('link').click()
  await page.getByLabel('New password').fill('fourteen chars')
  await inspect(page, 'reset-password')
  await page.goto('/reset-password')
  await expect(page.getByText('Open the link in your email again, or request another.')).toBeVisible()
  await inspect(page, 'reset-password-no-link')
})
