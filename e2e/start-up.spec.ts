import { expect, signInOn, test } from './support/test.ts'

test('API-02 API-03 AMB-007 what is asked beside the program carries what every request carries', async ({
  organisation,
  phone,
}) => {
  const page = await phone()
  await signInOn(page, organisation.chief)
  const check = page.waitForRequest((request) => new URL(request.url()).pathname === '/api/user')

  await page.goto('/reportinlist')

  expect(await (await check).allHeaders()).toMatchObject({
    accept: 'application/json',
    'content-type': 'application/json',
    authorization: expect.stringMatching(/^Bearer [\w-]+$/),
  })
})

test('SESSION-23 the offline worker of an earlier program is gone after the next start', async ({ phone }) => {
  // our policy would let no one register one
  const page = await phone({ bypassCSP: true })
  const workers = () => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)
  await page.goto('/login')
  await expect(page.getByLabel('Password')).toBeVisible()
  expect(await workers()).toBe(0)
  await page.evaluate(() => navigator.serviceWorker.register('/boot.js').then(() => navigator.serviceWorker.ready))
  expect(await workers()).toBe(1)

  await page.reload()

  await expect.poll(workers).toBe(0)
})
