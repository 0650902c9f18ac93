import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { listPeople } from '#features/people/calls/people.ts'
import { Console } from '#web/app/console/console.tsx'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { givenConsole, listPage, personRow, serveConsole } from '#web/testing/console.ts'
import { serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { type AuditEntry, listAudit } from '../../calls/audit.ts'

const server = serverForEachTest()
const entry = (n: number, over: Partial<AuditEntry> = {}): AuditEntry => ({
  position: String(n),
  at: '2026-11-22T23:42:07.000Z',
  who: 'Nora Lind',
  action: 'plan_viewed',
  subject: 'Ada Zuse',
  changes: [],
  ...over,
})
const open = () => renderScreen(<Console />, { at: '/console/audit', auth: null })

beforeEach(async () => {
  await page.viewport(1440, 900)
  givenConsole('a token')
  serveConsole(server)
})

afterEach(() => page.viewport(390, 844))

test('ORG-39 entries stand newest first with who, what and on whom; a row unfolds to its fields', async () => {
  const changes = [{ field: 'days_of_events', before: '800', after: '400' }]
  const rows = [entry(2), entry(1, { who: null, action: 'settings_changed', subject: 'Harbour', changes })]
  server.answer(listAudit, listPage(rows))
  await open()

  await expect
    .element(page.getByRole('row', { name: '23 Nov 2026, 10:42 AEDT Nora Lind Plan viewed Ada Zuse' }))
    .toBeVisible()
  await expect.element(page.getByRole('columnheader', { name: 'Time' })).toBeVisible()
  await expect.element(page.getByRole('cell', { name: 'Operator' })).toBeVisible()
  await expect.element(page.getByText('Days of events')).not.toBeVisible()
  await page.getByText('Settings changed').click()
  await expect.element(page.getByText('Days of events')).toBeVisible()
  await expect.element(page.getByRole('deletion')).toHaveTextContent('800')
  await expectNoAxeViolations()
})

test('ORG-39 kind, days, who and on whom narrow the list and stand in the address', async () => {
  server.answer(listAudit, listPage([entry(1)]))
  server.answer(listPeople, listPage([personRow(7)]))
  const screen = await open()
  await page.getByRole('combobox', { name: 'Kind' }).selectOptions('Plans')
  await page.getByLabelText('From').fill('2026-11-01')
  await page.getByRole('button', { name: 'On whom: anyone' }).click()
  await page.getByRole('searchbox', { name: 'Person' }).fill('person')
  await page.getByRole('button', { name: /Person 0007/ }).click()

  await expect.element(page.getByRole('button', { name: 'On whom: Person 0007' })).toBeVisible()
  const person = personRow(7).uid
  expect(screen.address()).toBe(`/console/audit?kind=plans&from=2026-11-01&person=${person}`)
  await expect
    .poll(() => server.received(listAudit).at(-1)?.input.query)
    .toEqual({ kind: 'plans', from: '2026-11-01', person })
})

test('ORG-39 nothing found says so, on a phone in one column without sideways scroll', async () => {
  await page.viewport(320, 640)
  server.answer(listAudit, ({ input: { query } }) => (query.kind ? listPage([]) : listPage([entry(1)])))
  await open()
  await expect.element(page.getByText('Ada Zuse')).toBeVisible()
  expect(document.documentElement.scrollWidth).toBe(320)
  await page.getByRole('button', { name: 'Filters (0)' }).click()
  await page.getByRole('combobox', { name: 'Kind' }).selectOptions('Plans')
  await page.getByRole('button', { name: 'Show' }).click()

  await expect.element(page.getByText('Nothing found with these filters.')).toBeVisible()
  await expectNoAxeViolations()
})
