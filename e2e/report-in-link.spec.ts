import type { Page } from '@playwright/test'
import { listReportInCards } from '#features/duty/calls/report-in.ts'
import { endEvent, listEventSites } from '#features/events/calls/events.ts'
import { sendReportInLinks } from '#features/events/calls/report-in-links.ts'
import { signIn, startEvent } from '../rig/api.ts'
import { expect, expectAccessible, reportInOn, test } from './support/test.ts'

/** Takes the phone simulator in hand and taps the newest link on that phone. */
async function tapNewestLink(page: Page, mobile: string) {
  await page.goto('/simulator')
  await page.getByRole('searchbox').fill(mobile)
  await page.getByRole('button', { name: `${mobile.slice(4, 7)} ${mobile.slice(7)}` }).click()
  await expectAccessible(page, 'texts of a simulated phone')
  await page.getByRole('link').first().click()
}

test('LINK-08 LINK-09 RT-25 a report-in link brings its warden on duty, and is over with the event', async ({
  organisation,
  phone,
  product,
}) => {
  const manager = await startEvent(product, organisation)
  const signInUidOf = async (call: typeof manager) => {
    const [card] = await call(listReportInCards, { query: { signInMethod: 'Email' } })
    return card?.Warden_Sign_In_UID as never
  }
  const warden = await signInUidOf(await signIn(product, organisation.floor1))
  const sender = await signInUidOf(manager)
  await manager(sendReportInLinks, { body: { warden_sign_in_uids: [warden], sender_warden_sign_in_uid: sender } })
  const page = await phone()
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))

  await tapNewestLink(page, organisation.floor1Mobile)
  await page.waitForURL('**/reportinlist')
  const toSignIn = ['/api/v2/auth/verify-login-report-in', '/api/user']
  expect(asked.filter((path) => toSignIn.includes(path))).toEqual(toSignIn)
  await reportInOn(page)
  await expect(page.getByText('Connected', { exact: true })).toBeVisible()

  const { data } = await manager(listEventSites, {})
  const buildings = data.sites[0]?.buildings.map(({ id }) => id) ?? []
  const eventType = data.activeEvent?.eventType as never
  await manager(endEvent, { body: { buildings, eventType, message: 'It is over', broadcastMessage: 'no' } })
  // the session of a link goes with its event, once its warden has read so
  await expect(page.getByText('The event has been concluded. All wardens will be signed out.')).toBeVisible()
  await page.getByRole('button', { name: 'OK' }).click()
  await page.waitForURL('**/login')
  await tapNewestLink(page, organisation.floor1Mobile)
  await expect(page.getByText('This event has concluded.')).toBeVisible()
  expect(page.url()).not.toContain('oken')
})
