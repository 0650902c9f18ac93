import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { GroupUid } from '#kernel/ids.ts'
import { Console } from '#web/app/console/console.tsx'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { givenConsole, listPage, personRow, quay, serveConsole } from '#web/testing/console.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { listPeople, listPeopleChoices } from '../calls/people.ts'

const server = serverForEachTest()
const open = (search = '') => renderScreen(<Console />, { at: { pathname: '/console/people', search }, auth: null })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const field = page.getByRole('searchbox', { name: 'Search people' })
const queries = () => server.received(listPeople).map(({ input }) => input.query)

beforeEach(async () => {
  await page.viewport(1440, 900)
  givenConsole('a token')
  serveConsole(server)
})

afterEach(() => page.viewport(390, 844))

test('PPL-04 ORG-30 ORG-35 people stand in a table with headers, their count and the time of the organisation', async () => {
  const rows = [
    personRow(1, { roles: ['Floor Warden'], groups: ['Dental'], sign_in: 'cannot' }),
    personRow(2, { kind: 'visitor', visit_date: '2026-11-23', place: null }),
    personRow(3, { active: false }),
  ]
  server.answer(listPeople, listPage(rows, { total: 10_001, after: 'next' }))
  await open()

  await expect.element(page.getByRole('rowheader', { name: '0001, Person' })).toBeVisible()
  for (const head of ['Name', 'Floor', 'Kind', 'Groups', 'Warden', 'Sign-in'])
    await expect.element(page.getByRole('columnheader', { name: head, exact: true })).toBeVisible()
  for (const text of ['Floor Warden', 'Dental', 'Visitor, 23 Nov 2026', 'No floor', 'Inactive'])
    await expect.element(page.getByRole('table').getByText(text)).toBeVisible()
  await expect.element(page.getByRole('cell', { name: 'Cannot sign in' })).toBeVisible()
  await expect.element(page.getByText('10,000+, as of 10:42:07')).toBeVisible()
  await expect.element(button('Previous')).toBeDisabled()
  await expectNoAxeViolations()
})

test('ORG-30 filters and place stand in the address, and back leads to the page before', async () => {
  server.answer(listPeople, ({ input: { query } }) =>
    query.after
      ? listPage([personRow(51)], { before: 'back' })
      : listPage([personRow(1)], { after: 'next', total: 51 }),
  )
  const screen = await open('?kind=staff')
  await expect.element(page.getByText('0001, Person')).toBeVisible()
  await page.getByRole('combobox', { name: 'Place' }).selectOptions('Harbour Quarter')
  await button('Next').click()

  await expect.element(page.getByText('0051, Person')).toBeVisible()
  expect(screen.address()).toBe(`/console/people?place=${quay.uid}&kind=staff&after=next`)
  history.back()
  await expect.element(page.getByText('0001, Person')).toBeVisible()
  expect(queries()[0]).toEqual({ kind: 'staff' })
  expect(queries()).toContainEqual({ kind: 'staff', place: quay.uid, after: 'next' })
})

test('ORG-35 PPL-05 / leads to the search, Esc drops it; too many matches say so', async () => {
  server.answer(listPeople, ({ input: { query } }) =>
    query.q ? listPage([], { total: 201 }) : listPage([personRow(1)]),
  )
  const screen = await open()
  await expect.element(page.getByText('0001, Person')).toBeVisible()
  await userEvent.keyboard('/')
  await expect.element(field).toHaveFocus()
  await userEvent.keyboard('mu')

  await expect.element(page.getByText('More than 200 people match. Type more letters.')).toBeVisible()
  expect(screen.address()).toBe('/console/people?q=mu')
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByText('0001, Person')).toBeVisible()
  expect(screen.address()).toBe('/console/people')
})

test('ORG-31 what cannot be read says so, with the former rows greyed, and is tried again', async () => {
  server.answer(listPeople, listPage([personRow(1)], { after: 'next' }))
  await open()
  await expect.element(page.getByText('0001, Person')).toBeVisible()
  server.answer(listPeople, refused('forbidden'))
  await button('Next').click()

  await expect.element(page.getByText('The list could not be loaded.')).toBeVisible()
  await expectNoAxeViolations()
  server.answer(listPeople, listPage([personRow(2)]))
  await button('Try again').click()
  await expect.element(page.getByText('0002, Person')).toBeVisible()
  expect(page.getByText('The list could not be loaded.').query()).toBeNull()
})

test('ORG-31 while the list is read its shape stands there', async () => {
  server.answer(listPeople, () => new Promise<never>(() => undefined))
  await open()

  await expect.poll(() => document.querySelectorAll('.skeleton').length).toBeGreaterThan(8)
  await expect.element(page.getByRole('status').filter({ hasText: 'Loading...' })).toBeInTheDocument()
  await expectNoAxeViolations()
})

test('ORG-31 no one within the filters, and no one at all', async () => {
  const screen = await open('?kind=visitor')
  await expect.element(page.getByText('No one found with these filters.')).toBeVisible()
  await button('Clear filters').click()

  await expect.element(page.getByText(/^There are no people yet\./)).toBeVisible()
  expect(screen.address()).toBe('/console/people')
})

test('ORG-35 below 900 px rows are cards, the filters are behind a button, and nothing scrolls sideways', async () => {
  await page.viewport(320, 800)
  const group = { uid: '00000000-0000-4000-8000-00000000fa00' as GroupUid, name: 'Dental' }
  server.answer(listPeopleChoices, { sites: [quay], buildings: [], groups: [group] })
  server.answer(listPeople, listPage([personRow(1, { last_name: 'Wolfeschlegelsteinhausenbergerdorff' })]))
  const screen = await open('?kind=staff')

  await expect.element(page.getByText(/^Wolfeschlegelsteinhausenbergerdorff/)).toBeVisible()
  expect(page.getByRole('table').query()).toBeNull()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320)
  await expectNoAxeViolations()
  await button('Filters (1)').click()
  await page.getByRole('dialog', { name: 'Filters' }).getByRole('combobox', { name: 'Group' }).selectOptions('Dental')
  await expectNoAxeViolations()
  await button('Show').click()
  await expect.element(button('Filters (2)')).toBeVisible()
  expect(screen.address()).toContain(`group=${group.uid}`)
})
