import { after, all, before } from '../lib/edits.mjs'

/** What a day without a warden means, a page below My Days. */
export const recipe = {
  heading: 'Add a page for wardens',
  files: {
    'features/coverage/web/about-days-screen.tsx': {
      edit: () => `import { Page } from '#web/ui/page.tsx'

/** What the days of coverage mean. */
export const AboutDaysScreen = () => (
  <Page>
    <p>A floor without a warden on a day is shown to its event managers.</p>
  </Page>
)
`,
      found: { by: 'web app/screens', says: /coverage\/about/ },
    },
    'web/pages/pages.ts': {
      edit: before(
        "  {\n    path: '/me/role',\n",
        `  {
    path: '/coverage/about',
    title: 'About Days',
    access: 'signed-in',
    screen: 'features/coverage/web/about-days-screen',
    back: { to: '/coverage/mine' },
  },
`,
      ),
      found: { by: 'types of web', says: /my-days-screen\.tsx.*\/coverage\/about/ },
    },
    'features/coverage/web/my-days-screen.tsx': {
      edit: all(
        before('import { Page }', "import { Link } from '#web/ui/link.tsx'\n"),
        after('            <Days days={days} />\n', '            <Link to="/coverage/about">About days</Link>\n'),
      ),
      found: { by: 'structure', says: /no link leads to \/coverage\/about/ },
    },
    'features/coverage/SPEC.md': {
      edit: after('### During an event\n\n', '- **COV-97** A page says what a day without a warden means.\n'),
      found: { by: 'rules', says: /COV-97, which no SPEC\.md has/ },
    },
    'features/coverage/web/about-days.test.tsx': {
      edit: () => `import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { AboutDaysScreen } from './about-days-screen.tsx'

test('COV-97 the page says what a day without a warden means', async () => {
  await renderScreen(<AboutDaysScreen />, { at: '/coverage/about' })

  await expect.element(page.getByText(/shown to its event managers/)).toBeVisible()
  await expectNoAxeViolations()
})
`,
      found: { by: 'rules', says: /COV-97, which no test names/ },
    },
  },
  proof: ['types of web', 'structure', 'rules', 'unused code', 'web app/screens about-days days-ahead'],
}
