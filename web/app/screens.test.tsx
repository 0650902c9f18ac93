import { expect, test } from 'vitest'
import { pages } from '../pages/pages.ts'
import { screens } from './screens.ts'

test('PROD-15 every page has its screen', async () => {
  const paths = pages.filter(({ access }) => access !== 'title-only').map(({ path }) => path)

  const loaded = await Promise.all(paths.map((path) => screens[path]?.load()))
  expect(loaded.map((part) => typeof part)).toEqual(paths.map(() => 'function'))
})

/** Shown in place of the app (`main.tsx`). */
const ofNoPage = ['features/texts/web/simulator-screen.tsx']

test('PROD-15 every screen is that of a page', () => {
  const files = Object.keys(import.meta.glob(['./*-screen.tsx', '../../features/*/web/**/*-screen.tsx']))
  const named = pages.flatMap(({ screen }) => (screen ? `${screen}.tsx` : []))

  expect(files.map((file) => file.replace('../../', '').replace('./', 'web/app/')).toSorted()).toEqual(
    [...named, ...ofNoPage].toSorted(),
  )
})
