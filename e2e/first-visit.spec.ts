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

const isCheck = (request: Request) => new URL(request.url()).pathname === '/api/user'

const visits = [
  ['/login', 'login-screen', null, 'For authorised users of All Wardens.'],
  ['/floor/evacuation', 'login-screen', null, 'For authorised users of All Wardens.'],
  ['/', 'report-in-list-screen', 'chief', 'Current Assignment'],
  ['/login', 'report-in-list-screen', 'chief', 'Current Assignment'],
  ['/login?token=none', 'login-screen', 'chief', 'This sign-in link has expired. Please request another.'],
  ['/me/role', 'my-role-screen', 'chief', 'Chief Warden'],
] as const

for (const [address, screen, who, shown] of visits) {
  test(`${address} asks for its screen${screen === 'login-screen' ? '' : ', and whether the session lives,'} beside the program (${who ?? 'nobody'} signed in)`, async ({
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
    const checks: Request[] = []
    page.on('request', (request) => isCheck(request) && checks.push(request))

    await page.goto(address, { waitUntil: 'commit' })

    await Promise.all([program, own])
    const isChecked = screen !== 'login-screen'
    await expect.poll(() => checks.length).toBe(isChecked ? 1 : 0)
    release()
    await expect(page.getByText(shown, { exact: true })).toBeVisible()
    expect(checks, 'whether the session lives is asked once').toHaveLength(isChecked ? 1 : 0)
  })
}
