import type { Page, Request } from '@playwright/test'
import { expect, signInOn, test } from './support/test.ts'

const isProgram = (request: Request) => /\/assets\/first-[^/]+\.js$/.test(request.url())
const isScreen = (name: string) => (request: Request) => new RegExp(`/assets/${name}-[^/]+\\.js$`).test(request.url())

/** Keeps the program from arriving until asked to: what is requested meanwhile was not waiting for it. */
async function holdProgram(page: Page) {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(/\/assets\/first-[^/]+\.js$/, async (route) => {
    await released
    await route.continue()
  })
  return release
}

const visits = [
  ['/login', 'login-screen', null],
  ['/floor/evacuation', 'login-screen', null],
  ['/', 'report-in-list-screen', 'chief'],
  ['/login', 'report-in-list-screen', 'chief'],
  ['/login?token=none', 'login-screen', 'chief'],
  ['/me/role', 'my-role-screen', 'chief'],
] as const

for (const [address, screen, who] of visits) {
  test(`${address} asks for its screen beside the program (${who ?? 'nobody'} signed in)`, async ({
    organisation,
    phone,
  }) => {
    const before = await phone()
    if (who) await signInOn(before, organisation[who])
    // Another context: nothing of the program is kept yet.
    const page = await phone({ storageState: await before.context().storageState() })
    const release = await holdProgram(page)
    const program = page.waitForRequest(isProgram)
    const own = page.waitForRequest(isScreen(screen))

    await page.goto(address, { waitUntil: 'commit' })

    await Promise.all([program, own])
    release()
    await expect(page.getByText('Loading...')).toHaveCount(0)
  })
}
