import type { Page } from '@playwright/test'
import { snapshot } from './pictures.ts'
import { expect, expectAccessible } from './test.ts'

export const desk = { width: 1440, height: 900 }
const handset = { width: 390, height: 844 }

/** Looks at the page of the console at both sizes, in both themes. */
export async function lookAt(page: Page, name: string) {
  for (const size of [desk, handset])
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.setViewportSize(size)
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await snapshot(page, `console-${name}-${size.width}-${colorScheme}`)
      await expectAccessible(page, `${name} ${size.width} ${colorScheme}`, colorScheme === 'dark' ? 'all' : 'contrast')
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width)
    }
  await page.setViewportSize(desk)
}
