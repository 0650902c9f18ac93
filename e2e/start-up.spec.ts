import { importOrganisation } from '../rig/organisation.ts'
import { Product } from '../rig/product.ts'
import { expect, press, signInOn, test } from './support/test.ts'

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

test('LADDER-20 LADDER-22 the worker of alerts stays, shows that the site needs its warden, and a press opens the list', async ({
  phone,
}) => {
  const page = await phone({ bypassCSP: true })
  const context = page.context()
  await page.goto('/login')
  await expect(page.getByLabel('Password')).toBeVisible()
  const started = context.waitForEvent('serviceworker')
  await page.evaluate(() => navigator.serviceWorker.register('/push/worker.js', { scope: '/push/' }))
  const worker = await started
  await page.reload()
  await expect(page.getByLabel('Password')).toBeVisible()
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(1)
  // a browser without a screen has no permission to show it
  await worker.evaluate(() => {
    const scope = self as unknown as {
      shown: unknown[]
      registration: ServiceWorkerRegistration
      clients: { openWindow: (address: string) => Promise<void> }
    }
    scope.shown = []
    scope.registration.showNotification = async (title, options) => void scope.shown.push([title, options?.body])
    scope.clients.openWindow = async (address) => void scope.shown.push(address)
  })

  const devTools = await context.newCDPSession(page)
  const registered = new Promise<string>((resolve) =>
    devTools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL.endsWith('/push/'))
      if (own) resolve(own.registrationId)
    }),
  )
  await devTools.send('ServiceWorker.enable')
  const { origin } = new URL(page.url())
  await devTools.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await registered, data: '' })

  const shown = () => worker.evaluate(() => (self as unknown as { shown: unknown[] }).shown)
  await expect.poll(shown).toEqual([['Evac', 'Your site needs you. Open Evac.']])
  await worker.evaluate(() => {
    const pressed = new Event('notificationclick')
    self.dispatchEvent(Object.assign(pressed, { notification: { close: () => undefined }, waitUntil: () => undefined }))
  })
  expect(await shown()).toContain('/reportinlist')
})

test('LADDER-20 LADDER-21 the page registers the worker of alerts under its own policy, on a press alone', async ({
  browser,
}) => {
  const product = await Product.start({ WEB_PUSH_CONTACT: 'push@evac.test' })
  const context = await browser.newContext({ baseURL: product.url })
  try {
    const { floor1 } = await importOrganisation(product)
    const page = await context.newPage()
    // a browser without a screen gives no permission, and no push service is within reach
    await page.addInitScript(() => {
      const endpoint = 'https://fcm.googleapis.com/fcm/send/1'
      let subscription: object | null = null
      Object.defineProperty(Notification, 'permission', { get: () => 'default' })
      Notification.requestPermission = async () => 'granted'
      PushManager.prototype.getSubscription = async () => subscription as never
      PushManager.prototype.subscribe = async () => {
        subscription = { endpoint, unsubscribe: async () => true }
        return subscription as never
      }
    })
    const scopes = () =>
      page.evaluate(async () =>
        (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => new URL(scope).pathname),
      )
    await signInOn(page, floor1)
    await page.goto('/me/role')
    await expect(page.getByRole('button', { name: 'Turn on alerts' })).toBeVisible()
    expect(await scopes()).toEqual([])

    await press(page, 'Turn on alerts')

    await expect(page.getByRole('button', { name: 'Turn off' })).toBeVisible()
    expect(await scopes()).toEqual(['/push/'])
    await page.reload()
    await expect(page.getByRole('button', { name: 'Turn on alerts' })).toBeVisible()
    expect(await scopes()).toEqual(['/push/'])
    const { rows } = await product.pool.query('select endpoint from push_phone')
    expect(rows).toEqual([{ endpoint: 'https://fcm.googleapis.com/fcm/send/1' }])
  } finally {
    await context.close()
    await product.stop()
  }
})
