import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { GroupUid } from '#kernel/ids.ts'
import { Console } from '#web/app/console/console.tsx'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { givenConsole, listPage, personRow, serveConsole, someMe } from '#web/testing/console.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { addGroup, changeGroup, changeMembers, type GroupRow, getGroup, listGroups } from '../../calls/groups.ts'
import { listPeople } from '../../calls/people.ts'

const server = serverForEachTest()
const button = (name: string) => page.getByRole('button', { name, exact: true })
const group = (over: Partial<GroupRow> = {}): GroupRow => ({
  uid: '00000000-0000-4000-8000-00000000fa00' as GroupUid,
  version: 'v1',
  name: 'Dental',
  code: 'G-001',
  in_use: true,
  members: 2,
  kept_by: [],
  ...over,
})
const shown = (over: Partial<GroupRow> = {}) => ({ ...group(over), changed_at: '2026-11-22T23:42:07.000Z' })
const open = (at = '', search = '') =>
  renderScreen(<Console />, { at: { pathname: `/console/groups${at}`, search }, auth: null })
const openOne = () => open(`/${group().uid}`)

beforeEach(async () => {
  await page.viewport(1440, 900)
  givenConsole('a token')
  serveConsole(server)
  server.answer(listGroups, listPage([group({ kept_by: ['Ann Berg'] })]))
  server.answer(getGroup, shown())
  server.answer(listPeople, listPage([personRow(1), personRow(2, { active: false })]))
})

afterEach(() => page.viewport(390, 844))

test.each([[1440], [320]])('PPL-18 groups stand with members and who keeps them, at %i px', async (width) => {
  await page.viewport(width, 900)
  const rows = [
    group({ kept_by: ['Ann Berg'], members: 1 }),
    group({
      uid: '00000000-0000-4000-8000-00000000fa01' as GroupUid,
      name: 'Wolfeschlegelsteinhausenbergerdorff',
      in_use: false,
    }),
  ]
  server.answer(listGroups, listPage(rows))
  await open('', '?state=all')

  for (const text of ['1 member', '2 members', 'Ann Berg', 'The organisation', 'Out of use'])
    await expect.element(page.getByText(text, { exact: true }).last()).toBeVisible()
  await expectNoAxeViolations()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
})

test('PPL-18 a group is added, and a name that is taken says so below its field', async () => {
  const problems = [{ field: 'name', row: 1, message: 'This name is already in use.' }]
  server.answer(addGroup, refused('taken', 'This name is already in use.', problems))
  const screen = await open()
  await button('Add a group').click()
  await expect.element(page.getByLabelText('Name', { exact: true })).toHaveFocus()
  await page.getByLabelText('Name', { exact: true }).fill('Dental')
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
  await expect
    .element(page.getByLabelText('Name', { exact: true }))
    .toHaveAccessibleDescription('This name is already in use.')
  await expectNoAxeViolations()
  server.answer(addGroup, { uid: group().uid })
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()

  await expect.element(page.getByText('Added.')).toBeVisible()
  await expect.poll(() => screen.address()).toBe(`/console/groups/${group().uid}`)
})

test('PPL-18 members are searched for and added', async () => {
  server.answer(changeMembers, { added: 1, removed: 0 })
  await openOne()
  await expect.element(page.getByRole('rowheader', { name: '0001, Person' })).toBeVisible()
  await expect.element(page.getByText('Inactive')).toBeVisible()
  await expectNoAxeViolations()
  await button('Add members').click()
  const dialog = page.getByRole('dialog', { name: 'Add members' })
  await expect.element(dialog.getByRole('button', { name: 'Add', exact: true })).toBeDisabled()
  await dialog.getByRole('searchbox', { name: 'Search people' }).fill('per')
  await dialog.getByRole('button', { name: /^Person 0002/ }).click()
  await expectNoAxeViolations()
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()

  await expect.element(page.getByText('Added.')).toBeVisible()
  expect(server.received(changeMembers)[0]?.input.body).toEqual({ add: [personRow(2).uid], remove: [] })
})

test('PPL-18 a member is searched for among the members, and taken out', async () => {
  server.answer(changeMembers, { added: 0, removed: 1 })
  await openOne()
  await page.getByRole('searchbox', { name: 'Search members' }).fill('per')
  await expect
    .poll(() => server.received(listPeople).map(({ input }) => input.query))
    .toContainEqual({ q: 'per', group: group().uid, state: 'all' })
  await button('Remove Person 0001').click()

  await expect.element(page.getByText('Person 0001 is no longer a member.')).toBeVisible()
  expect(server.received(changeMembers)[0]?.input.body).toEqual({ add: [], remove: [personRow(1).uid] })
})

test('ORG-33 PPL-18 two who change one group: both names stand side by side', async () => {
  server.answer(changeGroup, () => {
    server.answer(getGroup, shown({ version: 'v2', name: 'Theirs' }))
    return refused('changed_since', 'Someone else changed this at 10:42.')
  })
  await openOne()
  await button('Change').click()
  await page.getByLabelText('Name', { exact: true }).fill('Mine')
  await button('Save').click()
  await button('Keep mine: Name').click()
  await expectNoAxeViolations()
  server.answer(changeGroup, { version: 'v3' })
  await button('Save').click()

  await expect.element(page.getByText('Saved.')).toBeVisible()
  expect(server.received(changeGroup)[1]?.input.body).toEqual({
    version: 'v2',
    name: 'Mine',
    code: 'G-001',
    in_use: true,
  })
})

test('PPL-18 ORG-10 who administers a site has no page of groups', async () => {
  serveConsole(server, someMe({ rights: ['people'], reach: { kind: 'site', name: 'Quay' } }))
  await open()

  await expect.element(page.getByText('You do not have access to this page.')).toBeVisible()
  expect(page.getByRole('link', { name: 'Groups' }).query()).toBeNull()
  expect(server.received(listGroups)).toEqual([])
})
