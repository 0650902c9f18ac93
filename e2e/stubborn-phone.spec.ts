import { logout } from '#features/sign-in/calls/sign-in.ts'
import { onDuty, startEvent } from '../rig/api.ts'
import { card, expect, mark, openFromMenu, reportInOn, signInOn, test } from './support/test.ts'

test('F31 on a phone that blocks site data a warden signs in, reports in, and a record without signal is sent later', async ({
  organisation,
  phone,
  product,
  statusOnServer,
}) => {
  await startEvent(product, organisation)
  const page = await phone()
  await page.addInitScript(() => {
    const refuse = () => {
      throw new DOMException('Site data is blocked', 'SecurityError')
    }
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
      Object.defineProperty(window, name, { get: refuse })
    navigator.locks.request = async () => refuse()
    // @ts-expect-error as where a browser refuses it
    window.BroadcastChannel = refuse
  })
  await signInOn(page, organisation.floor1)
  await reportInOn(page)
  await expect(page.getByText('This phone cannot save. Keep this page open.')).toBeVisible()
  await openFromMenu(page, 'floor evacuation')
  await expect(card(page, 'Bruno Castillo 02')).toBeVisible()

  await mark(page, 'Bruno Castillo 02', 'Danger on floor')
  await expect(page.getByText('This phone cannot save records. Keep this page open until they are sent.')).toBeVisible()
  await expect(card(page, 'Bruno Castillo 02')).not.toContainText('(waiting)')

  await page.context().setOffline(true)
  await mark(page, 'Chen Liu 03', 'Safe on floor')
  await expect(page.getByText(/1 change not sent\. This phone cannot save\. Keep this page open\./)).toBeVisible()
  await page.context().setOffline(false)

  await expect(card(page, 'Chen Liu 03')).not.toContainText('(waiting)')
  await expect.poll(() => statusOnServer('Bruno Castillo 02')).toBe('danger')
  await expect.poll(() => statusOnServer('Chen Liu 03')).toBe('safe')
})

test('F32 what a warden noted before being taken off duty is told at /login and sent after Rejoin', async ({
  floorPhone: page,
  organisation,
  product,
  statusOnServer,
}) => {
  await page.context().setOffline(true)
  await mark(page, 'Bruno Castillo 02', 'Danger on floor')
  await expect(card(page, 'Bruno Castillo 02')).toContainText('(waiting)')

  // Off duty by another phone of the same warden; then the session of this one ends.
  const other = await onDuty(product, organisation.floor1)
  await other(logout, {})
  await page.context().setOffline(false)
  await expect(page.getByText('You are not on duty. 1 change saved on this phone.')).toBeVisible()
  await page.evaluate(() => localStorage.clear())
  await page.goto('/login')
  await expect(page.getByText(/^1 record is waiting on this phone for .+\. Sign in to send it\.$/)).toBeVisible()

  await signInOn(page, organisation.floor1)
  await page.getByRole('button', { name: 'Rejoin Event' }).click()
  await page.waitForURL('**/me/role')

  await expect.poll(() => statusOnServer('Bruno Castillo 02')).toBe('danger')
})
