import type { Page } from '@playwright/test'
import { concludeEvent, startEvent } from '../rig/api.ts'
import { card, expect, mark, openFloorOn, openFromMenu, reportInOn, signInOn, test } from './support/test.ts'

test('FLOOR-17 without signal a record waits on the phone and is sent when the signal is back, also after the tab is closed', async ({
  floorPhone: page,
  peopleOnServer,
  statusOnServer,
}) => {
  await page.context().setOffline(true)
  await mark(page, 'Bruno Castillo 02', 'Danger on floor')
  await mark(page, 'Chen Liu 03', 'Safe on floor')
  await expect(card(page, 'Bruno Castillo 02')).toContainText('(waiting)')
  await expect(page.getByText(/Offline/)).toBeVisible()
  const before = await peopleOnServer()
  expect(before.filter(({ status }) => status !== 'unknown')).toEqual([])

  const context = page.context()
  await page.close({ runBeforeUnload: false })
  await context.setOffline(false)
  const again = await context.newPage()
  await again.goto('/floor/evacuation')

  await expect(card(again, 'Bruno Castillo 02').getByRole('button', { name: /Danger on floor/ })).toBeVisible()
  await expect(card(again, 'Bruno Castillo 02')).not.toContainText('(waiting)')
  await expect.poll(() => statusOnServer('Bruno Castillo 02')).toBe('danger')
  await expect.poll(() => statusOnServer('Chen Liu 03')).toBe('safe')
})

test('FLOOR-17 UX-70 twenty people marked without signal, then a page opened anew: each change arrives once, in order, and shows on the other phone', async ({
  floorPhone: page,
  organisation,
  peopleOnServer,
  phone,
}) => {
  const other = await phone()
  await openFloorOn(other, organisation.floor2)
  await other.getByRole('combobox', { name: 'Floor', exact: true }).selectOption({ label: 'Level 1' })
  const marks = page.getByRole('list', { name: 'All Occupants' }).getByRole('button', { name: /: Unknown/ })
  await expect(marks).toHaveCount(20)
  const names = await page.getByRole('list', { name: 'All Occupants' }).getByRole('heading').allTextContents()

  // pages come one after the other, with a pause of up to 10 s
  await page.evaluate(() => {
    Math.random = () => 0
  })
  await expect.poll(() => hasKept(page, '/me/role'), { timeout: 30_000 }).toBe(true)
  await page.context().setOffline(true)
  for (const name of names) await mark(page, name, 'Safe on floor')
  await expect(page.getByText(/20 changes saved on this phone/)).toBeVisible()
  // the phone throws the page away in the dead zone; no address but that of /login was ever opened
  await page.goto('about:blank')
  await page.goto('/floor/evacuation')
  await expect(card(page, names[19] as string)).toContainText('(waiting)')
  const tab = await page.context().newPage()
  await tab.goto('/me/role')
  await expect(tab.getByText('You are on duty')).toBeVisible()
  await tab.close()
  const taken: string[] = []
  page.on('response', (response) => {
    if (!response.url().endsWith('/person/status') || !response.ok()) return
    taken.push(JSON.parse(response.request().postData() ?? '{}').personId)
  })
  await page.context().setOffline(false)

  await expect.poll(() => taken.length).toBe(20)
  await expect(page.getByText('(waiting)')).toHaveCount(0)
  const persons = await peopleOnServer()
  const nameOf = new Map<string, string>(persons.map(({ id, name }) => [id, name]))
  expect(taken.map((id) => nameOf.get(id))).toEqual(names)
  expect(persons.filter(({ status }) => status === 'safe')).toHaveLength(20)
  for (const name of [names[0], names[19]] as string[])
    await expect(card(other, name).getByRole('button', { name: /Safe on floor/ })).toBeVisible()
})

/** Whether the browser's own cache has the page of this address. */
const hasKept = (page: Page, address: string) =>
  page.evaluate(async (path) => {
    const answer = await fetch(path, { cache: 'only-if-cached', mode: 'same-origin' }).catch(() => null)
    return answer?.ok ?? false
  }, address)

test('FLOOR-17 AAR-22 of an event that ended meanwhile, what was seen before the end is kept in its record and what was seen after it is refused in words', async ({
  floorPhone: page,
  manager,
}) => {
  await page.context().setOffline(true)
  await mark(page, 'Bruno Castillo 02', 'Danger on floor')
  await concludeEvent(manager)
  // what was seen up to 5 s after the end counts as seen at the end, because requests take their time
  await page.waitForTimeout(6_000)
  await mark(page, 'Chen Liu 03', 'Safe on floor')
  await page.context().setOffline(false)

  await expect(page.getByText('The event has been concluded. All wardens will be signed out.')).toBeVisible()
  await page.getByRole('button', { name: 'OK' }).click()
  await page.waitForURL('**/reportinlist')
  await expect(page.getByText('Added to the record of the event.')).toBeVisible()
  const bar = page.getByRole('button', { name: /1 record was not accepted/ })
  await expect(bar).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss' }).last().click()
  await page.reload()
  await bar.click()
  await expect(page.getByText('Added to the record of the event.')).toHaveCount(0)
  const refused = page.getByRole('dialog').getByRole('listitem')
  await expect(refused).toHaveCount(1)
  await expect(refused.filter({ hasText: 'Chen Liu 03' })).toContainText(/Safe on floor.*event/is)
})

test('UI what the phone kept of a drill is not shown as the state of the fire that follows, not even without signal', async ({
  manager,
  organisation,
  phone,
  product,
}) => {
  const page = await phone()
  await signInOn(page, organisation.floor1)
  await reportInOn(page)
  await page.goto('/floor/evacuation')
  await mark(page, 'Bruno Castillo 02', 'Safe on floor')
  const safe = card(page, 'Bruno Castillo 02').getByRole('button', { name: /Safe on floor/ })
  await expect(safe).toBeVisible()
  await expect(page.getByText('(waiting)')).toHaveCount(0)
  await openFromMenu(page, 'floor evacuation status')
  await expect(page.getByRole('main').getByText('Level 1')).toBeVisible()
  await concludeEvent(manager)
  await page.getByRole('button', { name: 'OK' }).click()
  await page.waitForURL('**/reportinlist')

  await startEvent(product, organisation)
  await page.reload()
  await reportInOn(page)
  await expect(page.getByRole('link', { name: /^floor evacuation .* people/ })).toBeVisible()
  await page.context().setOffline(true)
  await openFromMenu(page, 'floor evacuation status')
  await expect(page.getByRole('main').getByText('Not on this phone yet. It needs a connection.')).toBeVisible()

  await openFromMenu(page, 'floor evacuation')
  await expect(card(page, 'Bruno Castillo 02').getByRole('button', { name: /Unknown/ })).toBeVisible()
  await expect(card(page, 'Bruno Castillo 02').getByRole('button', { name: /Safe on floor/ })).toHaveCount(0)
  await page.context().setOffline(false)
  await expect(card(page, 'Bruno Castillo 02').getByRole('button', { name: /Unknown/ })).toBeVisible()
})

test('F7 LIST-38 a warden whose report-in lost its answer is still signed in, also after a reload, and reports in', async ({
  organisation,
  phone,
  product,
}) => {
  await startEvent(product, organisation)
  const page = await phone()
  await signInOn(page, organisation.floor1)
  const path = '**/api/v2/auth/rejoin'
  const statuses: number[] = []
  await page.context().route(path, async (route) => {
    statuses.push((await route.fetch()).status())
    await route.abort()
  })
  const pressed = page.getByRole('button', { name: 'Report In - Available' })
  await pressed.click()
  await expect.poll(() => statuses).toEqual([200, 200])
  await expect(pressed).not.toHaveAttribute('aria-busy', 'true')
  await page.context().unroute(path)

  await page.reload()
  await reportInOn(page)

  await expect(page.getByRole('heading', { name: 'My Role' })).toBeVisible()
})
