import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { browser } from '../lib/browser.ts'
import { kept } from '../lib/tab-state.ts'
import type { StoredAuth } from '../session/stored-auth.ts'
import { expectNoAxeViolations } from '../testing/axe.ts'
import { allowConsoleErrors } from '../testing/console-guard.ts'
import { plainScreens, renderApp } from '../testing/render-app.tsx'
import { Page } from '../ui/page.tsx'
import { screen } from './screen.tsx'

const burger = page.getByRole('button', { name: 'Menu' })
const back = page.getByRole('button', { name: 'Back' })
const home = page.getByRole('link', { name: 'Report In List' })
const shown = (path: string) => expect.element(page.getByText(`page ${path}`, { exact: true })).toBeVisible()

test.each([
  ['SHELL-01', '/reportinlist', '/reportinlist'],
  ['SHELL-02', '/warden-assignment/a1', '/warden-assignment/{wardenAssignmentUID}'],
  ['SHELL-03', '/withdraw/a1', '/withdraw/{wardenAssignmentUID}'],
])('%s the shared header is not drawn on %s', async (_, path, screenPath) => {
  await renderApp(path)
  await shown(screenPath)
  expect(page.getByRole('banner').query()).toBeNull()
})

test('SHELL-05, AMB-002 the header title is the h1; the browser title never changes', async () => {
  document.title = 'All Wardens - Evac'
  await renderApp('/floor/evacstatus')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Floor Evac. Status' })).toBeVisible()
  expect(document.title).toBe('All Wardens - Evac')
})

test('ROUTE-02 the login page has the title Login, and no way to pages that need a sign-in', async () => {
  await renderApp('/login', { auth: null })
  await expect.element(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible()
  expect([burger, back, home].map((way) => way.query())).toEqual([null, null, null])
})

const event = (status: boolean) => ({ status, goToReportInListPage: false })
const ways: [string, Partial<StoredAuth>, 'burger' | 'back' | 'neither'][] = [
  ['/me/role', { on_duty: true }, 'burger'],
  ['/me/role', { on_duty: false }, 'back'],
  ['/floor/evacuation', { on_duty: true }, 'burger'],
  ['/message/all', { on_duty: true }, 'burger'],
  ['/reportin', { on_duty: true }, 'back'],
  ['/documents/a1', { on_duty: true }, 'back'],
  ['/message/group', { on_duty: true }, 'back'],
  ['/message/evacuee/e1', { on_duty: true }, 'back'],
  ['/event/management', { on_duty: true, event: event(true) }, 'burger'],
  ['/event/management', { on_duty: false, event: event(true) }, 'neither'],
  ['/event/management', { on_duty: false, event: event(false) }, 'back'],
]
test.each(ways)('SHELL-06, SHELL-07 on %s with %o: %s, and always the way home', async (path, auth, wanted) => {
  await renderApp(path, { auth })
  await expect.element(home).toBeVisible()
  expect({ burger: burger.query() !== null, back: back.query() !== null }).toEqual({
    burger: wanted === 'burger',
    back: wanted === 'back',
  })
})

test('SHELL-07 UX-50 the logo says that it leads to the list, and does', async () => {
  const app = await renderApp('/event/management', { auth: { on_duty: false } })
  await expect.element(home).toHaveAttribute('title', 'Report In List')
  await home.click()
  await shown('/reportinlist')
  expect(app.address()).toBe('/reportinlist')
})

test.each([
  ['/message/warden/w1?from=%2Fwarden%2Fonduty', '/warden/onduty'],
  ['/message/warden/w1?from=%2F%2Fevil.example', '/message/all'],
  ['/message/evacuee/e1', '/evacuee/safety'],
])('ROUTE-31 back from %s leads to %s', async (at, wanted) => {
  const app = await renderApp(at)
  await back.click()
  expect(app.address()).toBe(wanted)
})

test('SHELL-04 on the documents page there is no side menu', async () => {
  await renderApp('/documents/a1')
  await shown('/documents/{wardenAssignmentUID}')
  expect(document.querySelector('dialog.popup-side')).toBeNull()
})

test('UI after a navigation the title of the new page has the focus and the menu is closed', async () => {
  await renderApp('/me/role')
  await burger.click()
  await page.getByRole('link', { name: 'floor evacuation', exact: true }).click()

  await shown('/floor/evacuation')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Floor Evacuation' })).toHaveFocus()
  expect(page.getByRole('dialog').query()).toBeNull()
})

test('UI one broken page leaves the header alive, and is drawn again on request', async () => {
  allowConsoleErrors()
  const reload = vi.spyOn(browser, 'reloadWhenReachable').mockResolvedValue()
  let broken = true
  const Fragile = () => {
    if (broken) throw new Error('broken on purpose')
    return <p>mended</p>
  }
  await renderApp('/me/role', { screens: { '/me/role': screen(async () => Fragile) } })
  await expect.element(page.getByText('This page could not be shown.', { exact: false })).toBeVisible()
  await expect.element(home).toBeVisible()

  broken = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText('mended')).toBeVisible()
  expect(reload).toHaveBeenCalledOnce()
})

test('UI a page whose program could not be fetched without signal is fetched again on request, by a new load where need be', async () => {
  allowConsoleErrors()
  const reload = vi.spyOn(browser, 'reloadWhenReachable').mockResolvedValue()
  let signal = false
  const load = async () => {
    if (!signal) throw new TypeError('Failed to fetch dynamically imported module')
    return () => <p>arrived</p>
  }
  await renderApp('/me/role', { screens: { '/me/role': screen(load) } })
  const again = page.getByRole('button', { name: 'Try again' })
  await expect.element(again).toBeVisible()
  await userEvent.click(again)
  await expect.element(again).toBeVisible()
  expect(reload).toHaveBeenCalledOnce()

  signal = true
  await userEvent.click(again)
  await expect.element(page.getByText('arrived')).toBeVisible()
})

test('UX-60 at a desk the menu is a rail of 280 px beside the page, and there is no burger', async () => {
  await page.viewport(1440, 900)
  const app = await renderApp('/me/role')

  const rail = page.getByRole('complementary', { name: 'Menu' })
  await expect.element(rail.getByRole('button', { name: 'Go Off Duty' })).toBeVisible()
  expect(rail.element().getBoundingClientRect().width).toBe(280)
  expect(page.getByText('page /me/role').element().getBoundingClientRect().left).toBeGreaterThanOrEqual(280)
  expect(burger.query()).toBeNull()
  await expectNoAxeViolations()
  await rail.getByRole('link', { name: 'Wardens On duty' }).click()
  await shown('/warden/onduty')
  expect(app.address()).toBe('/warden/onduty')
  await page.viewport(390, 844)
})

test('UX-60 at a desk a thread stands beside the list it was opened from, which stays as it is', async () => {
  await page.viewport(1440, 900)
  const List = () => (
    <Page>
      <input aria-label="Search" />
    </Page>
  )
  const screens = { ...plainScreens(), '/message/all': screen(async () => List) }
  const app = await renderApp('/message/all', { screens })
  await page.getByLabelText('Search').fill('Ada')

  app.go('/message/warden/w1?from=%2Fmessage%2Fall')
  await shown('/message/warden/{wardenId}')
  app.go('/message/warden/w2?from=%2Fmessage%2Fall')
  await shown('/message/warden/{wardenId}')

  await expect.element(page.getByLabelText('Search')).toHaveValue('Ada')
  await page.viewport(390, 844)
  await expect.element(page.getByLabelText('Search')).not.toBeInTheDocument()
  await shown('/message/warden/{wardenId}')
})

test('UX-20 a page that is come back to is where it was left, and a page opened from the menu begins at its top', async () => {
  const Long = () => <div style={{ height: 4000 }}>long</div>
  const app = await renderApp('/evacuee/safety', {
    screens: { ...plainScreens(), '/evacuee/safety': screen(async () => Long) },
  })
  await expect.element(page.getByText('long')).toBeVisible()
  // the page may begin at its top only after the first scroll
  const scrolls = () => {
    const at = kept.get('/evacuee/safety scroll')
    if (at !== 900) window.scrollTo(0, window.scrollY === 900 ? 901 : 900)
    return at
  }
  await expect.poll(scrolls, { interval: 450 }).toBe(900)

  app.go('/message/evacuee/e1?from=%2Fevacuee%2Fsafety')
  await shown('/message/evacuee/{evacueeId}')
  expect(window.scrollY).toBe(0)
  await back.click()
  await expect.poll(() => window.scrollY).toBe(900)

  await burger.click()
  await page.getByRole('link', { name: 'floor evacuation', exact: true }).click()
  await shown('/floor/evacuation')
  await burger.click()
  await page.getByRole('link', { name: 'evacuee safety' }).click()
  await expect.element(page.getByText('long')).toBeVisible()
  expect(window.scrollY).toBe(0)
})

test('UX-80 what the keyboard reaches is not hidden behind the bar at the top', async () => {
  const Long = () => (
    <>
      {Array.from({ length: 60 }, (_, n) => `Row ${n + 1}`).map((name) => (
        <p key={name}>
          <button type="button">{name}</button>
        </p>
      ))}
    </>
  )
  await renderApp('/evacuee/safety', {
    screens: { ...plainScreens(), '/evacuee/safety': screen(async () => Long) },
  })
  await expect.element(page.getByText('Row 40', { exact: true })).toBeInTheDocument()
  ;(page.getByText('Row 40', { exact: true }).element() as HTMLElement).focus()
  for (let n = 0; n < 30; n++) await userEvent.keyboard('{Shift>}{Tab}{/Shift}')

  const bar = page.getByRole('banner').element().getBoundingClientRect()
  expect(document.activeElement?.textContent).toBe('Row 10')
  expect(document.activeElement?.getBoundingClientRect().top).toBeGreaterThanOrEqual(bar.bottom)
})
