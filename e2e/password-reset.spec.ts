import type { Page } from '@playwright/test'
import { expect, signInOn, test } from './support/test.ts'

const newPassword = 'nine lamps on the quay'

async function askForLink(page: Page, email: string) {
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot Password' }).click()
  // until then the login page stands there, which has a field for the email, too
  await expect(page.getByRole('button', { name: 'Send link' })).toBeVisible()
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByText('If this email belongs to an account', { exact: false })).toBeVisible()
  await page.getByRole('button', { name: 'OK' }).click()
  await page.waitForURL('**/login')
}

test('LOGIN-03 AMB-028 a warden who forgot the password sets a new one by mail; anyone signed in is out', async ({
  organisation,
  phone,
}) => {
  const other = await phone()
  await signInOn(other, organisation.floor1)
  const page = await phone()
  await askForLink(page, organisation.floor1)

  await page.goto('/simulator')
  await page.getByLabel('Search by name or number').fill(organisation.floor1Mobile.slice(1))
  await page.getByRole('button', { name: /Oliver Level One/ }).click()
  await expect(page.getByRole('heading', { name: 'Set a new password for All Wardens' })).toBeVisible()
  const link = page.getByRole('log').getByRole('link')
  const address = (await link.getAttribute('href')) ?? ''
  await link.click()
  await page.waitForURL('**/reset-password')

  await page.getByLabel('New password').fill('fourteen chars')
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByText('Password must be at least 15 characters long.')).toBeVisible()
  await page.getByRole('button', { name: 'OK' }).click()
  await page.getByLabel('New password').fill(newPassword)
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.waitForURL('**/login')
  await expect(page.getByRole('alertdialog')).toContainText('Your password was changed. Please sign in with it.')
  await page.getByRole('button', { name: 'OK' }).click()

  await other.reload()
  await other.waitForURL('**/login')
  await expect(other.getByText('You were signed out. Please sign in again.')).toBeVisible()

  await page.getByLabel('Email / Username').fill(organisation.floor1)
  await page.getByLabel('Password', { exact: true }).fill(newPassword)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/reportinlist')
  await expect(page.getByText('Current Assignment')).toBeVisible()

  await other.goto(address)
  await other.getByLabel('New password').fill('another long password')
  await other.getByRole('button', { name: 'Set password' }).click()
  await expect(other.getByText('This link has expired or was used before.', { exact: false })).toBeVisible()
})
