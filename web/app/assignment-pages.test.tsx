import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { listAssignmentPeeps, listDocuments, updateAssignmentStatus } from '#features/assignments/calls/assignments.ts'
import { listReportInCards, type ReportInCard } from '#features/duty/calls/report-in.ts'
import { renderApp } from '../testing/render-app.tsx'
import { type CardState, otherCard, reportInCard } from '../testing/report-in-cards.ts'
import { someAssignment } from '../testing/stored-auth.ts'
import { screens } from './screens.ts'

const details = {
  clientSite: 'Harbour Property Group - Harbour Quarter',
  role: 'Floor Warden',
  area: 'Tower A - Level 3',
  dateFrom: '2026-01-01',
  dateTo: '2026-09-05',
}

/** The real pages, with a list of one card in this state, and of further ones. */
const open = (at: string, state: CardState = 'offered', ...others: ReportInCard[]) =>
  renderApp(at, {
    screens,
    auth: {
      on_duty: false,
      reportInDetails: at === '/reportinlist' ? null : details,
      reportInDetailsOf: someAssignment,
    },
    given: (server) => {
      server.answer(listReportInCards, [reportInCard(state), ...others])
      server.answer(listAssignmentPeeps, [])
      server.answer(listDocuments, { documents: [] })
      server.answer(updateAssignmentStatus, { success: true })
    },
  })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const title = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })

const ways = [
  [
    'LIST-22 ROUTE-06 SESSION-07',
    'offered',
    'Review to Accept / Decline',
    'warden-assignment',
    'Accept / Decline Warden Assignment',
  ],
  ['LIST-23 ROUTE-08 SESSION-07', 'current', 'Withdraw', 'withdraw', 'Withdraw from Warden Assignment'],
  ['LIST-26 ROUTE-10', 'current', 'Documents', 'documents', 'Documents'],
] as const
test.each(ways)(
  "%s the button of a card that is %s, '%s', opens its page %s",
  async (_, state, press, path, heading) => {
    const app = await open('/reportinlist', state)

    await button(press).click()

    await expect.element(title(heading)).toBeVisible()
    expect(app.address()).toBe(`/${path}/${someAssignment}`)
    if (path !== 'documents') await expect.element(page.getByText(details.area, { exact: true })).toBeVisible()
  },
)

test.each([
  ['SHELL-02', '/warden-assignment', 'Accept / Decline Warden Assignment'],
  ['SHELL-03', '/withdraw', 'Withdraw from Warden Assignment'],
])('%s on %s only its own bar is drawn', async (_, path, heading) => {
  await open(`${path}/${someAssignment}`)

  await expect.element(title(heading)).toBeVisible()
  expect(page.getByRole('heading', { level: 1 }).elements()).toHaveLength(1)
  expect(page.getByRole('banner').elements()).toHaveLength(1)
  expect(page.getByRole('link', { name: 'Report In List' }).query()).toBeNull()
})

test('SHELL-04 ROUTE-10 the documents page has the shared header with Back to the list, and no side menu', async () => {
  const app = await open(`/documents/${someAssignment}`)

  await expect.element(title('Documents')).toBeVisible()
  await expect.element(page.getByText('No Documents')).toBeVisible()
  expect(button('Menu').query()).toBeNull()
  await button('Back').click()
  expect(app.address()).toBe('/reportinlist')
})

test('LIST-34 after accepting, OK leads to a list that has been read anew', async () => {
  const app = await open('/reportinlist')
  await button('Review to Accept / Decline').click()
  await button('Accept').click()
  await expect.element(button('OK')).toBeVisible()
  app.server.answer(listReportInCards, [reportInCard('upcoming')])

  await button('OK').click()

  await expect.element(page.getByText('Upcoming Assignment', { exact: true })).toBeVisible()
  expect(app.address()).toBe('/reportinlist')
})

const chiefWarden = { ...otherCard, Warden_Role: 'Chief Warden' }

test("ASSIGN-01 ASSIGN-09 back at an offer after another card's button the list opens, and the other card works", async () => {
  const app = await open('/reportinlist', 'offered', reportInCard('current', chiefWarden))
  await button('Review to Accept / Decline').click()
  await button('Report In List').click()
  await button('Documents').nth(1).click()
  await expect.element(title('Documents')).toBeVisible()

  app.back(2)

  await expect.poll(app.address).toBe('/reportinlist')
  await button('Withdraw').click()
  await expect.element(title('Withdraw from Warden Assignment')).toBeVisible()
  await expect.element(page.getByText('Chief Warden', { exact: true })).toBeVisible()
  expect(app.address()).toBe(`/withdraw/${otherCard.Warden_Assignment_UID}`)
})
