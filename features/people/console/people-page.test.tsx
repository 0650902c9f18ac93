import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { GroupUid } from '#kernel/ids.ts'
import { Console } from '#web/app/console/console.tsx'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { givenConsole, listPage, personRow, quay, serveConsole } from '#web/testing/console.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { downloadPeople, listPeople, listPeopleChoices } from '../calls/people.ts'

const server = serverForEachTest()
const open = (search = '') => renderScreen(<Console />, { at: { pathname: '/console/people', search }, auth: null })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const field = page.getByRole('searchbox', { name: 'Search people' })
const queries = () => server.received(listPeople).map(({ input }) => input.query)

beforeEach(async () => {
  await page.viewport(1440, 900)
  givenConsole('a token')
  localStorage.removeItem('columns people')
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

test('NUM-06 who has one name stands by it alone, in the table and beside its tick', async () => {
  server.answer(listPeople, listPage([personRow(1, { first_name: '', last_name: 'Suharto' })]))
  await open()

  await expect.element(page.getByRole('rowheader', { name: 'Suharto', exact: true })).toBeVisible()
  expect(page.getByRole('rowheader', { name: 'Suharto' }).element().textContent).toBe('Suharto')
  await expect.element(page.getByRole('checkbox', { name: /Suharto/ })).toHaveAccessibleName(/^(\S+ )*Suharto$/)
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

test('ORG-50 a header sorts, and sorts the other way; the order stands in the address and is no filter', async () => {
  server.answer(listPeople, listPage([personRow(1)], { after: 'next', total: 51 }))
  const screen = await open('?kind=staff&after=next')
  const head = (name: string) => page.getByRole('columnheader', { name, exact: true })
  await expect.element(head('Name')).toHaveAttribute('aria-sort', 'ascending')

  await button('Floor').click()
  await expect.element(head('Floor')).toHaveAttribute('aria-sort', 'ascending')
  expect(screen.address()).toBe('/console/people?kind=staff&sort=place')
  await button('Floor').click()
  await expect.element(head('Floor')).toHaveAttribute('aria-sort', 'descending')
  await expect.element(head('Name')).not.toHaveAttribute('aria-sort')
  await expectNoAxeViolations()
  await expect.poll(() => queries().at(-1)).toEqual({ kind: 'staff', sort: '-place' })
  await button('Name').click()
  expect(screen.address()).toBe('/console/people?kind=staff')
})

test('ORG-50 a long list has headers that do not sort; an order that is too long says so and leads back', async () => {
  const message = 'More than 10,000 people match. Choose filters to sort them by this column.'
  server.answer(listPeople, ({ input: { query } }) =>
    query.sort
      ? refused('invalid_request', message, [{ field: 'sort', row: 1, message }])
      : listPage([personRow(1)], { total: 10_001 }),
  )
  const screen = await open('?sort=email')
  await expect.element(page.getByText(message)).toBeVisible()
  await expectNoAxeViolations()
  await button('Sort by name').click()

  await expect.element(page.getByText('0001, Person')).toBeVisible()
  expect(screen.address()).toBe('/console/people')
  await expect.element(button('Name')).toBeVisible()
  expect(button('Floor').query()).toBeNull()
})

test('ORG-50 columns are chosen and kept; emails and mobiles are asked for only then', async () => {
  server.answer(listPeople, ({ input: { query } }) =>
    listPage([personRow(1, query.contact ? { email: 'one@a.test', mobile: '+61491000001' } : {})]),
  )
  const first = await open()
  await button('Columns').click()
  const box = (name: string) => page.getByRole('dialog').getByRole('checkbox', { name, exact: true })
  await expect.element(box('Email')).not.toBeChecked()
  await box('Email').click()
  await box('Groups').click()
  await expectNoAxeViolations()
  await button('Done').click()

  await expect.element(page.getByRole('cell', { name: 'one@a.test' })).toBeVisible()
  expect(page.getByRole('columnheader', { name: 'Groups' }).query()).toBeNull()
  expect(queries()[0]).toEqual({})
  expect(queries().at(-1)).toEqual({ contact: 'yes' })
  await first.unmount()
  await open()
  await expect.element(page.getByRole('columnheader', { name: 'Email' })).toBeVisible()
})

test('ORG-51 the list is downloaded with its search, filters, order and columns; a failure is told', async () => {
  server.answer(listPeople, listPage([personRow(1)]))
  server.answer(downloadPeople, { csv: '\ufeffLast name,First name\r\n' })
  const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue()
  await open('?q=per&kind=staff&sort=-name&after=next')
  await button('Download this list').click()

  await expect
    .poll(() => saved.mock.instances.map((link) => (link as HTMLAnchorElement).download))
    .toEqual(['people.csv'])
  expect(server.received(downloadPeople)[0]?.input.body).toEqual({
    q: 'per',
    kind: 'staff',
    sort: '-name',
    columns: ['place', 'kind', 'groups', 'wardens', 'sign_in'],
  })
  const message = 'This list is too long for a file. Choose filters, or use Export everything.'
  server.answer(downloadPeople, refused('invalid_request', message))
  await button('Download this list').click()
  await expect.element(page.getByRole('alert').getByText(message)).toBeVisible()
})

test('ORG-50 on a phone the order is chosen with the filters', async () => {
  await page.viewport(320, 800)
  server.answer(listPeople, listPage([personRow(1)]))
  const screen = await open()
  await button('Filters (0)').click()
  await page.getByRole('dialog').getByRole('combobox', { name: 'Sort by' }).selectOptions('Floor, descending')
  await expectNoAxeViolations()
  await button('Show').click()

  await expect.element(button('Filters (0)')).toBeVisible()
  expect(screen.address()).toBe('/console/people?sort=-place')
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320)
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
