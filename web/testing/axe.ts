import axe from 'axe-core'
import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { chooseTheme } from '../lib/look/theme.ts'

/** What lies over the page for a while, or wherever it is scrolled: axe takes a button that is half under it for too small. */
const lying = '.pin-bottom, .sticky, [popover="manual"]'

/** WCAG 2.2 AA and best practice, in the state the page is in now. A list that waits for its next rows is pale for that moment. */
export async function expectNoAxeViolations(of: Element | Document = document) {
  await expect.poll(() => document.querySelector('section[aria-busy="true"]')).toBeNull()
  const over = [...document.querySelectorAll<HTMLElement>(lying)]
  for (const { style } of over) style.position = 'static'
  const { violations } = await axe.run(of as Element, {
    resultTypes: ['violations'],
    selectors: false,
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    // A part is not a page: these three ask for a whole one.
    rules: {
      region: { enabled: false },
      'page-has-heading-one': { enabled: false },
      'landmark-one-main': { enabled: false },
    },
  })
  for (const { style } of over) style.position = ''
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join(' ')}`),
  ).toEqual([])
}

/** The same in light and dark at 1920, 1440, 390 and 320 px. So high that nothing lies over a list's end. */
export async function expectNoAxeViolationsInAnySize() {
  for (const theme of ['light', 'dark'] as const) {
    chooseTheme(theme)
    for (const width of [1920, 1440, 390, 320]) {
      await page.viewport(width, width < 1000 ? 3000 : 1080)
      await expectNoAxeViolations()
    }
  }
  await page.viewport(390, 844)
}
