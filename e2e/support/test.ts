import { type Browser, type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import axeCore from 'axe-core'
import { type FloorData, getFloorData } from '#features/evacuation/calls/evacuation.ts'
import type { Call } from '#kernel/client/client.ts'
import { onDuty, startEvent } from '../../rig/api.ts'
import { importOrganisation, password, type TestOrganisation } from '../../rig/organisation.ts'
import { Product } from '../../rig/product.ts'

declare global {
  var axe: typeof axeCore
}

export interface Fixtures {
  organisation: TestOrganisation
  /** Opens a page in a new browser context. An unexpected console error fails the test. */
  phone: (options?: Parameters<Browser['newContext']>[0]) => Promise<Page>
  /** A running event in Tower A: the calls of the chief who started it. */
  manager: Call
  /** A phone of the Level 1 warden in that event, with the floor open. */
  floorPhone: Page
  /** The people of Level 1 as the server holds them. */
  peopleOnServer: () => Promise<FloorData['persons']>
  /** The status of one of them, by name. */
  statusOnServer: (name: string) => Promise<string | undefined>
}
interface WorkerFixtures {
  product: Product
}

/**
 * Errors that the browser logs in tests that lose signal or fail to sign in. In a document no script may run, which
 * also stops Playwright's own.
 */
const expected =
  /Failed to load resource|net::ERR_|WebSocket connection to|Blocked script execution in '[^']+\/api\/documents\//

export const test = base.extend<Fixtures, WorkerFixtures>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the wanted fixtures from this pattern
    async ({}, use) => {
      const product = await Product.start()
      await use(product)
      await product.stop()
    },
    { scope: 'worker' },
  ],
  organisation: async ({ product }, use) => use(await importOrganisation(product)),
  phone: async ({ browser, product }, use) => {
    const contexts: BrowserContext[] = []
    const complaints: string[] = []
    await use(async (options) => {
      const context = await browser.newContext({ baseURL: product.url, ...options })
      contexts.push(context)
      const page = await context.newPage()
      watch(page, complaints)
      context.on('page', (opened) => watch(opened, complaints))
      return page
    })
    for (const context of contexts) await context.close()
    expect(complaints, 'unexpected console errors').toEqual([])
  },
  manager: async ({ product, organisation }, use) => use(await startEvent(product, organisation)),
  floorPhone: async ({ manager: _running, organisation, phone }, use) => {
    const page = await phone()
    await openFloorOn(page, organisation.floor1)
    await expect(card(page, 'Bruno Castillo 02')).toBeVisible()
    await use(page)
  },
  peopleOnServer: async ({ product, organisation }, use) => {
    let observer: Promise<Call> | undefined
    await use(async () => {
      observer ??= onDuty(product, organisation.floor1)
      return ((await (await observer)(getFloorData, {})) as FloorData).persons
    })
  },
  statusOnServer: async ({ peopleOnServer }, use) =>
    use(async (name) => (await peopleOnServer()).find((person) => person.name === name)?.status),
})

function watch(page: Page, complaints: string[]) {
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !expected.test(message.text())) complaints.push(message.text())
  })
}

/** Signs in with the form. */
export async function signInOn(page: Page, email: string): Promise<void> {
  await page.goto('/login')
  await page.getByLabel(/email/i).fill(email)
  await page.getByLabel(/^password/i).fill(password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/reportinlist')
}

/** Reports in from the list: the card, the report screen, My Role. */
export async function reportInOn(page: Page): Promise<void> {
  // LIST-32: a press on a card that has changed meanwhile shows the new card, and does nothing else
  await expect(async () => {
    if (new URL(page.url()).pathname !== '/reportin')
      await page.getByRole('button', { name: 'Report In - Available' }).click({ timeout: 5000 })
    await page.waitForURL('**/reportin', { timeout: 5000 })
  }).toPass()
  await page.getByRole('button', { name: 'Report In', exact: true }).click()
  await page.waitForURL('**/me/role')
}

export async function openFromMenu(page: Page, entry: string): Promise<void> {
  await page.getByRole('button', { name: /menu/i }).first().click()
  await page.getByRole('dialog', { name: 'Menu' }).getByText(entry, { exact: true }).click()
}

const rules = {
  all: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] },
  contrast: { type: 'rule', values: ['color-contrast'] },
} satisfies Record<string, axeCore.RunOnly>

/** Signs the warden in, reports in and opens floor evacuation. */
export async function openFloorOn(page: Page, warden: string): Promise<void> {
  await signInOn(page, warden)
  await reportInOn(page)
  await openFromMenu(page, 'floor evacuation')
}

/** Expects axe to find nothing. axe stays in the page, because loading it takes longer than running it. */
export async function expectAccessible(page: Page, what: string, of: keyof typeof rules = 'all'): Promise<void> {
  // during a fade the contrast is lower than at its end
  await page.emulateMedia({ reducedMotion: 'reduce' })
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeCore.source)
  const violations = await page.evaluate(async (runOnly) => {
    // axe takes a button that lies half under a pinned bar for too small, though a scroll brings it out
    const pinned = [...document.querySelectorAll<HTMLElement>('.pin-bottom')]
    for (const { style } of pinned) style.position = 'static'
    const found = await globalThis.axe.run(document, { runOnly, resultTypes: ['violations'] })
    for (const { style } of pinned) style.position = ''
    return found.violations
  }, rules[of])
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
    what,
  ).toEqual([])
}

export { expect }

/** Presses the button with exactly this name. */
export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** The card of a person in a list. */
export const card = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name }).last()

/** Records a status on the floor page. */
export async function mark(page: Page, name: string, status: string) {
  await card(page, name)
    .getByRole('button', { name: /Unknown|Safe on floor|Danger on floor/ })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: status }).click()
}
