import type { Page } from '@playwright/test'
import {
  getReportData,
  listReportInCards,
  logSignIn,
  markNotAvailable,
  type ReportData,
  reportIn,
  type SignInRecord,
} from '#features/duty/calls/report-in.ts'
import { startEvent } from '../rig/api.ts'
import { answer, obstruct, picture, rewrite } from './support/pictures.ts'
import { expect, press, reportInOn, signInOn, test } from './support/test.ts'

/** In the page itself: its title may be the same words. */
const sees = (page: Page, text: string) => expect(page.getByRole('main').getByText(text, { exact: true })).toBeVisible()

async function openReport(page: Page, warden: string) {
  await signInOn(page, warden)
  await press(page, 'Report In - Available')
  await page.waitForURL('**/reportin')
  return page
}

test("LIST-12 UI a floor warden's card in every state and size", { tag: '@long' }, async ({
  organisation,
  phone,
  product,
}) => {
  test.slow()
  const page = await phone()
  await signInOn(page, organisation.floor1)
  await sees(page, 'Current Assignment')
  await picture(page, 'list-current')

  await startEvent(product, organisation)
  await page.reload()
  await sees(page, 'Event In Progress')
  await picture(page, 'list-event')
  await press(page, 'Not Available')
  await expect(page.getByRole('alertdialog', { name: 'Warning' })).toBeVisible()
  await picture(page, 'list-not-available-notice')
  await press(page, 'OK')
  await expect(page.getByRole('button', { name: 'Not Available' })).toBeDisabled()
  await picture(page, 'list-not-available')

  await reportInOn(page)
  await page.goto('/reportinlist')
  await expect(page.getByRole('button', { name: 'Rejoin Event' })).toBeVisible()
  await picture(page, 'list-on-duty')
  await press(page, 'Menu')
  await press(page, 'Go Off Duty')
  await press(page, 'Logout')
  await page.waitForURL('**/login')
  await signInOn(page, organisation.floor1)
  await expect(page.getByRole('button', { name: 'Not Available' })).toBeEnabled()
  await picture(page, 'list-off-duty')

  await answer(page, markNotAvailable, { error: 'no_current_event', message: 'There is no current event.' })
  await press(page, 'Not Available')
  await expect(page.getByRole('alertdialog', { name: 'no current event' })).toBeVisible()
  await picture(page, 'list-turned-down')
})

test('LIST-01 UI the list of a manager, of a newcomer, empty and unread, in every size', { tag: '@long' }, async ({
  organisation,
  phone,
}) => {
  test.slow()
  const chief = await phone()
  await signInOn(chief, organisation.chief)
  await expect(chief.getByRole('button', { name: 'Start Event' })).toBeVisible()
  await picture(chief, 'list-manager')

  const page = await phone()
  await signInOn(page, organisation.newcomer)
  await sees(page, 'Assignment Offered')
  await picture(page, 'list-offered')
  await rewrite(page, listReportInCards, (cards) =>
    cards.map((card) => ({ ...card, Header: 'Upcoming Assignment', Button1_Display: 'Hidden' })),
  )
  await page.reload()
  await sees(page, 'Upcoming Assignment')
  await picture(page, 'list-upcoming')
  await rewrite(page, listReportInCards, () => [])
  await page.reload()
  await sees(page, 'No report in found')
  await picture(page, 'list-empty')

  const release = await obstruct(page, listReportInCards, 'hold')
  await page.evaluate(() =>
    indexedDB.databases().then((all) => all.map(({ name }) => indexedDB.deleteDatabase(name ?? ''))),
  )
  await page.reload()
  await expect(page.getByRole('main').getByText('Loading...')).toBeVisible()
  await picture(page, 'list-loading')
  await release()
})

type Standing = Partial<SignInRecord>
const combinations = [
  ['report', 'Report In', true, false, {}],
  ['report-manager', 'Manage Event', true, true, {}],
  ['report-not-available', 'Not Avail', true, true, { not_available: true, reported_in: true }],
  ['report-on-duty', 'On Duty', true, false, { on_duty: true, reported_in: true }],
  ['report-on-duty-manager', 'Manage Event', true, true, { on_duty: true, reported_in: true }],
  ['report-no-event', 'Sign Out', false, false, {}],
  ['report-no-event-manager', 'Sign Out', false, true, {}],
] as const satisfies [string, string, boolean, boolean, Standing][]

test('REPORT-13 UI the report screen with every set of buttons, in every size', { tag: '@long' }, async ({
  manager: _running,
  organisation,
  phone,
}) => {
  test.slow()
  const page = await openReport(await phone(), organisation.floor1)
  for (const [name, shows, runs, manages, standing] of combinations) {
    await rewrite(page, getReportData, ({ data }) => ({
      data: {
        ...data,
        ...(!runs && { event: null, active_event: false }),
        role: { ...data.role, Module_Event_Management: manages },
      } satisfies ReportData['data'],
    }))
    await rewrite(page, logSignIn, (record) => ({ ...record, ...standing }))
    await page.reload()
    await sees(page, shows)
    await picture(page, name)
  }
})

test('REPORT-19 UI what the report screen answers, in every size', { tag: '@long' }, async ({
  manager: _running,
  organisation,
  phone,
}) => {
  test.slow()
  const page = await openReport(await phone(), organisation.floor1)
  await answer(page, reportIn, { error: 'no_current_event', message: 'There is no current event.' })
  await press(page, 'Report In')
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await picture(page, 'report-turned-down')
  await page.goto('/reportin')
  await press(page, 'Not Avail')
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await picture(page, 'report-not-avail-popup')

  await page.goto('/reportin')
  await obstruct(page, getReportData, 'cut off')
  await page.reload()
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  await picture(page, 'report-try-again')
  await obstruct(page, getReportData, 'hold')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByText('Loading...').first()).toBeVisible()
  await picture(page, 'report-loading')
})
