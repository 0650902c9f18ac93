import axe from 'axe-core'
import { expect } from 'vitest'

/** WCAG 2.2 AA and best practice, in the state the page is in now. */
export async function expectNoAxeViolations(of: Element | Document = document) {
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
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join(' ')}`),
  ).toEqual([])
}
