import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { pollEvent } from '#features/live-updates/calls/realtime.ts'
import { logout } from '#features/sign-in/calls/sign-in.ts'
import type { StoredAuth } from '#web/session/stored-auth.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { reportData, signInRecord, withoutEvent } from '#web/testing/report-data.ts'
import { getReportData, logSignIn } from '../calls/report-in.ts'
import { ReportInScreen } from './report-in-screen.tsx'

const server = serverForEachTest()
beforeEach(() => {
  server.answer(pollEvent, { status: 'no_event', message: null })
  server.answer(getReportData, reportData())
  server.answer(logSignIn, signInRecord())
  server.answer(logout, { status: 'logout_success', message: 'You have been signed out.' })
})

const show = (auth: Partial<StoredAuth> = {}) =>
  renderScreen(<ReportInScreen />, { at: '/reportin', auth: { on_duty: false, ...auth } })
const button = (name: string) => page.getByRole('button', { name, exact: true })
/** The value under a label, as read. */
const shownUnder = (label: string) => page.getByText(label, { exact: true }).element().nextElementSibling

test('REPORT-01 REPORT-02 REPORT-04 REPORT-05 shows event, buildings, role and areas', async () => {
  const locations = [
    { site: 'Harbour Quarter', building: ['Tower A', 'Tower B'] },
    { site: 'Northgate Campus', building: ['Library'] },
  ]
  server.answer(getReportData, reportData({ locations }))

  await show()

  await expect.element(page.getByText('Fire - Fire in a building', { exact: true })).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'Current Event' })).toBeVisible()
  const lines = [...(shownUnder('Building(s) Included')?.children ?? [])].map((line) => line.textContent)
  expect(lines).toEqual(['Harbour Quarter - Tower A, Tower B', 'Northgate Campus - Library'])
  expect(shownUnder('Role')?.textContent).toBe('Floor Warden')
  expect(shownUnder('My Areas (Floor)')?.textContent).toBe('Tower A - Level 2, Tower A - Level 3')
})

test("REPORT-03 REPORT-06 without locations 'Not Applicable', without areas 'NA'", async () => {
  server.answer(getReportData, reportData({ locations: [], area: { domain: 'Area', locations: [] } }))

  await show()

  await expect.element(page.getByText('Not Applicable', { exact: true })).toBeVisible()
  expect(shownUnder('My Areas (Area)')?.textContent).toBe('NA')
})

test("REPORT-07 while fetching every value reads 'Loading...', and no button is drawn", async () => {
  server.answer(getReportData, () => new Promise(() => undefined))

  await show()

  await expect.poll(() => page.getByText('Loading...', { exact: true }).elements()).toHaveLength(4)
  expect(page.getByRole('button').elements()).toEqual([])
  await expectNoAxeViolations()
})

test('REPORT-08 with no active event it says so', async () => {
  server.answer(getReportData, withoutEvent())

  await show()

  const text =
    'There are no current Events at your Site. If you are not creating an Event, please sign-in again once an Event is running.'
  await expect.element(page.getByText(text, { exact: true })).toBeVisible()
  await expect.element(page.getByText('NO EVENT', { exact: true })).toBeVisible()
  await expect.element(button('Sign Out')).toBeVisible()
  expect(button('Report In').query()).toBeNull()
  await expectNoAxeViolations()
})
