import { after, all, before } from '../lib/edits.mjs'

/** How places are counted: a page of the console with an entry of its own. */
export const recipe = {
  heading: 'Add a page of the console',
  files: {
    'features/places/console/counting-page.tsx': {
      edit: () => `import { PageFrame } from '#web/console/page-frame.tsx'

/** How people and wardens of a place are counted. */
export const CountingPage = () => (
  <PageFrame title="Counting" purpose="How people and wardens of a place are counted.">
    <p>Visitors count on the day of their visit.</p>
  </PageFrame>
)
`,
      found: { by: 'types of web', says: /console-pages\.tsx.*counting-page/ },
    },
    'web/app/console/console-pages.tsx': {
      edit: all(
        before('import { PlacesPage }', "import { CountingPage } from '#features/places/console/counting-page.tsx'\n"),
        before(
          "  {\n    path: '/console/wardens',\n",
          `  {
    path: '/console/counting',
    title: 'Counting',
    right: 'places',
    icon: Building2,
    page: () => <CountingPage />,
  },
`,
        ),
      ),
      found: { by: 'unused code', says: /counting-page/ },
    },
    'features/places/SPEC.md': {
      edit: after('## Rules\n', '\n- **PPL-97** A page says how people and wardens of a place are counted.\n'),
      found: { by: 'rules', says: /PPL-97, which no SPEC\.md has/ },
    },
    'features/places/console/counting-page.test.tsx': {
      edit: () => `import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { Console } from '#web/app/console/console.tsx'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { givenConsole, serveConsole } from '#web/testing/console.ts'
import { serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'

const server = serverForEachTest()

beforeEach(async () => {
  await page.viewport(1440, 900)
  givenConsole('a token')
  serveConsole(server)
})

afterEach(() => page.viewport(390, 844))

test('PPL-97 the page says how people are counted', async () => {
  await renderScreen(<Console />, { at: '/console/counting', auth: null })

  await expect.element(page.getByRole('heading', { level: 1, name: 'Counting' })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Counting' })).toHaveAttribute('aria-current', 'page')
  await expectNoAxeViolations()
})
`,
      found: { by: 'rules', says: /PPL-97, which no test names/ },
    },
  },
  proof: ['types of web', 'unused code', 'rules', 'web counting-page'],
}
