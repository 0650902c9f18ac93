import { expect, test } from './support/test.ts'

test('PROD-07 LOGIN-10 LOGIN-44 a warden asks for a link, reads it on the phone simulator, taps it and is in; once', async ({
  organisation,
  phone,
}) => {
  const page = await phone()
  await page.goto('/login')
  await page.getByLabel('Mobile number').fill(organisation.floor1Mobile)
  await page.getByRole('button', { name: 'Request link' }).click()
  await expect(
    page.getByText('A sign-in link has been sent to your phone. This link will expire in 3 minutes.'),
  ).toBeVisible()

  await page.goto('/simulator')
  await page.getByLabel('Search by name or number').fill(organisation.floor1Mobile.slice(1))
  await page.getByRole('button', { name: /Oliver Level One/ }).click()
  const link = page.getByRole('log').getByRole('link')
  const address = (await link.getAttribute('href')) ?? ''
  await link.click()
  await page.waitForURL('**/reportinlist')
  await expect(page.getByText('Current Assignment')).toBeVisible()

  const other = await phone()
  await other.goto(address)
  await expect(other.getByText('This sign-in link has expired. Please request another.')).toBeVisible()
})
