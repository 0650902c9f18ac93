import type { Page, Request } from '@playwright/test'
import { expect, type Fixtures, signInOn, test } from './support/test.ts'

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

/** A phone with no one or someone signed in, and without a file of the program. */
async function phoneWithoutFiles(phone: Fixtures['phone'], email?: string): Promise<Page> {
  const before = await phone()
  if (email) await signInOn(before, email)
  return phone({ storageState: await before.context().storageState() })
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
    const page = await phoneWithoutFiles(phone, who ? organisation[who] : undefined)
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

test('LOGIN-02 the login page is seen before the program has come, takes nothing in, and does not move when it comes', async ({
  phone,
}) => {
  const page = await phone()
  const release = await holdProgram(page)
  await page.goto('/login', { waitUntil: 'commit' })
  const parts = ['Login', 'Emergency Event Management', '+61', 'Request link', 'or', 'Sign in', 'Forgot Password']
  const places = () => Promise.all(parts.map((text) => page.getByText(text, { exact: true }).boundingBox()))
  await expect(page.getByText('Request link')).toBeVisible()
  const before = await places()
  const name = page.getByLabel('Email / Username')
  await expect(name).not.toBeEditable()

  release()

  await expect(name).toBeEditable()
  expect(await places()).toEqual(before)
})

test('LOGIN-05 a link is seen to be checked, and is checked, before the program has come, and not again', async ({
  phone,
}) => {
  const page = await phone()
  const release = await holdProgram(page)
  const checks: Request[] = []
  page.on('request', (request) => request.url().endsWith('/verify-login-report-in') && checks.push(request))
  await page.goto('/login#reportInToken=none', { waitUntil: 'commit' })

  await expect(page.getByText('Checking your link...')).toBeVisible()
  await expect.poll(() => checks.length).toBe(1)

  release()
  await expect(page.getByText('This report-in link is invalid.')).toBeVisible()
  expect(checks).toHaveLength(1)
})

test('LOGIN-05 the files of a page do not wait for the style sheet', async ({ phone }) => {
  const page = await phone()
  await page.route(/\.css$/, () => undefined)
  const screen = page.waitForRequest(isScreen('login-screen'))

  await page.goto('/login', { waitUntil: 'commit' })

  await screen
})

test('RT-13 before live updates of a floor begin, eight files of the program have come and no more', async ({
  organisation,
  phone,
}) => {
  const page = await phoneWithoutFiles(phone, organisation.chief)
  const files = new Set<string>()
  const begins = new Promise<number>((resolve) => {
    page.on('request', (request) => {
      if (/\/assets\/.*\.js$/.test(request.url())) files.add(request.url())
      if (request.url().endsWith('/api/v2/warden/channels')) resolve(files.size)
    })
  })

  await page.goto('/floor/evacuation', { waitUntil: 'commit' })

  expect(await begins).toBeLessThanOrEqual(8)
})
