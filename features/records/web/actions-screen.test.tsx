import { expect, onTestFinished, test } from 'vitest'
import { type Locator, page } from 'vitest/browser'
import type { EventUid } from '#kernel/ids.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { flags } from '#web/testing/stored-auth.ts'
import { addToRecord, listActions, type RecordAction } from '../calls/additions.ts'
import { ActionsScreen } from './actions-screen.tsx'
import { OpenActions } from './open-actions.tsx'
import { added, site, someEvent } from './records.fixture.tsx'

const server = serverForEachTest()
const action = (n: number, more: Partial<RecordAction> = {}): RecordAction => ({
  uid: added(n, 'action', {}).uid,
  event: someEvent as EventUid,
  number: 14,
  no: n,
  site: site.name,
  timezone: 'Australia/Sydney',
  what: `Repair door ${n}`,
  priority: 'High',
  owner: { name: 'Facilities' },
  due: '2026-12-05',
  state: 'open',
  base: added(n, 'action', {}).uid,
  done_by_me: false,
  mine: false,
  due_in: 12,
  ...more,
})
const answer = (...actions: RecordAction[]) =>
  server.answer(listActions, { actions, open: actions.length, overdue: 0, next: null })
const open = () => renderScreen(<ActionsScreen />, { at: '/event/records/actions' })
const rowsOf = (table: Locator) =>
  [...(table.query()?.querySelectorAll('tr') ?? [])].map((row) => [...row.children].map((cell) => cell.textContent))
const lastQuery = () => server.received(listActions).at(-1)?.input.query

test('AAR-33 actions of all records with their due day in words', async () => {
  answer(action(1, { due_in: -3 }), action(2, { due_in: 0 }), action(3, { due_in: 1 }), action(4, { mine: true }))
  await open()

  for (const words of ['Overdue by 3 days', 'Due today', 'Due tomorrow', 'Due in 12 days'])
    await expect.element(page.getByText(`${words}, 05 Dec 2026`)).toBeVisible()
  await expect.element(page.getByText('Facilities (you)')).toBeVisible()
  expect(lastQuery()).toEqual({ state: 'open' })
  await expectNoAxeViolations()
})

test.for([
  ['Overdue', { state: 'overdue' }],
  ['Mine', { mine: 'yes', state: 'open' }],
  ['Done', { state: 'done' }],
  ['Verified', { state: 'verified' }],
] as const)('AAR-33 %s are asked for', async ([name, query]) => {
  answer()
  await open()
  await expect.element(page.getByText('No actions.')).toBeVisible()
  await page.getByText(name, { exact: true }).click()
  await expect.poll(lastQuery).toEqual(query)
})

test('REC2-24 from 900 px the actions are a table, sorted by the server as its heads are pressed, and open from it', async () => {
  answer(action(1, { due_in: -3, what: 'Repair door 1' }), action(2, { no: null }))
  await page.viewport(1440, 900)
  onTestFinished(() => page.viewport(390, 844))
  await open()
  const table = page.getByRole('table', { name: 'Actions' })
  await expect
    .poll(() => rowsOf(table))
    .toEqual([
      ['No.', 'What', 'Record', 'Site', 'Priority', 'Owner', 'Due', 'State'],
      [
        '1',
        'Repair door 1',
        'Record 14',
        'Harbour Quarter',
        'High',
        'Facilities',
        '05 Dec 2026Overdue by 3 days',
        'Open',
      ],
      ['–', 'Repair door 2', 'Record 14', 'Harbour Quarter', 'High', 'Facilities', '05 Dec 2026Due in 12 days', 'Open'],
    ])
  await expectNoAxeViolations()
  expect(lastQuery()).toEqual({ state: 'open' })
  await table.getByRole('button', { name: 'Priority' }).click()
  await expect.poll(lastQuery).toEqual({ state: 'open', sort: 'priority', direction: 'up' })
  await expect.element(table.getByRole('columnheader', { name: 'Priority' })).toHaveAttribute('aria-sort', 'ascending')
  await table.getByRole('button', { name: 'Priority' }).click()
  await expect.poll(lastQuery).toEqual({ state: 'open', sort: 'priority', direction: 'down' })

  await table.getByRole('button', { name: 'Repair door 1' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Repair door 1' })).toBeVisible()
})

test('AAR-31 someone else verifies what is done', async () => {
  answer(action(1, { state: 'done', base: added(5, 'action_step', {}).uid }))
  server.answer(addToRecord, ({ input: { body } }) => ({ entry: added(6, body.kind, body.body) }))
  await open()
  await page.getByRole('button', { name: 'Repair door 1' }).click()
  await expectNoAxeViolations()
  answer(action(1, { state: 'verified' }))
  await page.getByRole('button', { name: 'Verify' }).click()

  await expect.element(page.getByText('The action is verified.')).toBeVisible()
  expect(server.received(addToRecord)[0]?.input.body).toEqual({
    kind: 'action_step',
    body: { target: action(1).uid, base: added(5, 'action_step', {}).uid, step: 'verified' },
  })
})

test('AAR-33 before a start: how many actions of earlier drills are open, for those who may read records', async () => {
  answer(action(1), action(2))
  const { address, unmount } = await renderScreen(<OpenActions />, { at: '/event/management' })
  await page.getByRole('link', { name: '2 actions of earlier drills are open.' }).click()
  expect(address()).toBe('/event/records/actions')
  await unmount()

  await renderScreen(<OpenActions />, { auth: { module_access: flags('Module_Event_Management') } })
  expect(server.received(listActions)).toHaveLength(1)
})
