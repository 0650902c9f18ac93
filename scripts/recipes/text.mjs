import { after, all, before } from '../lib/edits.mjs'

const use = "import { askNeighbours } from '../words.ts'\n"
const told = '            <p>{askNeighbours}</p>\n'

/** A sentence on two screens. */
export const recipe = {
  heading: 'Add words on a screen',
  files: {
    'features/coverage/words.ts': {
      edit: (text) => `${text}
/** Below the days, of the own floors and of all. */
export const askNeighbours = 'Wardens of the next floor can help.'
`,
      found: { by: 'types of web', says: /askNeighbours/ },
    },
    'features/coverage/web/my-days-screen.tsx': {
      edit: all(before('import { longDay, shortDay }', use), after('            <Days days={days} />\n', told)),
      found: { by: 'web neighbours', says: /own days/ },
    },
    'features/coverage/web/days-ahead-screen.tsx': {
      edit: all(before('import { longDay, shortDay }', use), after('            <Days coverage={coverage} />\n', told)),
      found: { by: 'web neighbours', says: /all floors/ },
    },
    'features/coverage/SPEC.md': {
      edit: after(
        '### During an event\n\n',
        "- **COV-98** Below the days stands 'Wardens of the next floor can help.'\n",
      ),
      found: { by: 'rules', says: /COV-98, which no SPEC\.md has/ },
    },
    'features/coverage/web/neighbours.test.tsx': {
      edit: () => `import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { getCoverageAhead, getOwnDays } from '../calls/coverage-ahead.ts'
import { DaysAheadScreen } from './days-ahead-screen.tsx'
import { MyDaysScreen } from './my-days-screen.tsx'

const server = serverForEachTest()
const words = page.getByText('Wardens of the next floor can help.')

test('COV-98 below the own days stands who can help', async () => {
  server.answer(getOwnDays, { days: [], near: [] })
  await renderScreen(<MyDaysScreen />, { at: '/coverage/mine' })

  await expect.element(words).toBeVisible()
})

test('COV-98 below the days of all floors stands who can help', async () => {
  const site = { id: 's' as never, name: 'Harbour Quarter' }
  server.answer(getCoverageAhead, { site, day: '2026-11-26', days: [], has_floor_wardens: true, buildings: [] })
  await renderScreen(<DaysAheadScreen />, { at: '/coverage' })

  await expect.element(words).toBeVisible()
})
`,
      found: { by: 'rules', says: /COV-98, which no test names/ },
    },
  },
  proof: ['types of web', 'rules', 'unused code', 'web neighbours'],
}
