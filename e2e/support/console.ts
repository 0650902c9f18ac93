import { randomBytes } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import type pg from 'pg'
import { password } from '../../rig/organisation.ts'
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
      // a list takes the form of the new width with the next frame
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width)
      await snapshot(page, `console-${name}-${size.width}-${colorScheme}`)
      await expectAccessible(page, `${name} ${size.width} ${colorScheme}`, colorScheme === 'dark' ? 'all' : 'contrast')
    }
  await page.setViewportSize(desk)
}

/** Moves the focus there by the Tab key alone, and presses the key. */
export async function pressOn(page: Page, target: Locator, key = 'Enter') {
  await focusByTab(page, target)
  await page.keyboard.press(key)
}

/** Moves the focus there by the Tab key alone, and types. */
export async function typeInto(page: Page, target: Locator, text: string) {
  await focusByTab(page, target)
  await page.keyboard.type(text)
}

/** More stops than any page of the console has. */
const mostStops = 150

async function focusByTab(page: Page, target: Locator) {
  await target.waitFor()
  for (let stop = 0; stop < mostStops; stop++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`the Tab key does not reach ${target}`)
}

/** By the keyboard alone, with the link of an invitation, the password, and the second factor that follows. */
export async function openConsole(page: Page, { pool }: { pool: pg.Pool }, email: string) {
  const token = randomBytes(32).toString('base64url')
  await pool.query(
    `insert into invitation (client_uid, person_uid, token_hash, expires_at)
     select client_uid, uid, sha256(convert_to($2, 'UTF8')), now() + interval '1 day' from person where email = $1`,
    [email, token],
  )
  await page.goto(`/console/invitation#token=${token}`)
  await typeInto(page, page.getByLabel('Password', { exact: true }), password)
  await page.keyboard.press('Enter')
  const key = await page.getByText(/^Key: ([A-Z2-7]{4} ?)+$/).textContent()
  const secret = Secret.fromBase32((key ?? '').replace('Key:', '').replaceAll(' ', ''))
  await typeInto(page, page.getByLabel('Code', { exact: true }), TOTP.generate({ secret }))
  await pressOn(page, page.getByRole('button', { name: 'Continue' }))
  // the recovery codes must be kept first
  const download = page.waitForEvent('download')
  await pressOn(page, page.getByRole('button', { name: 'Download' }))
  await download
  await pressOn(page, page.getByRole('button', { name: 'Go to the console' }))
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
}
