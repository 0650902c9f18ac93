import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { listAudit } from '#features/organisation/calls/audit.ts'
import type { BuildingUid, FloorUid, GroupUid } from '#kernel/ids.ts'
import { Console } from '#web/app/console/console.tsx'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { givenConsole, listPage, personRow, quay, serveConsole, someMe, somePerson } from '#web/testing/console.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { addPerson, getPerson, listFloorChoices, listPeopleChoices } from '../calls/people.ts'

const server = serverForEachTest()
const button = (name: string) => page.getByRole('button', { name, exact: true })
const field = (name: string) => page.getByLabelText(name, { exact: true })
const open = () => renderScreen(<Console />, { at: '/console/people/new', auth: null })
const tower = { uid: '00000000-0000-4000-8000-00000000fb01' as BuildingUid, name: 'Tower A', site: quay.uid }
const level = { uid: '00000000-0000-4000-8000-00000000fb02' as FloorUid, name: 'Level 3' }
const dental = { uid: '00000000-0000-4000-8000-00000000fb03' as GroupUid, name: 'Dental' }
const sent = () => server.received(addPerson).map(({ input }) => input.body)

beforeEach(async () => {
  await page.viewport(1440, 900)
  givenConsole('a token')
  serveConsole(server)
  server.answer(listPeopleChoices, { sites: [quay], buildings: [tower], groups: [dental] })
  server.answer(listFloorChoices, [level])
  server.answer(addPerson, { uid: personRow(1).uid })
  server.answer(getPerson, somePerson())
  server.answer(listAudit, listPage([]))
})

afterEach(() => page.viewport(390, 844))

test("PPL-95 'Add and next' saves and begins the next person at the same place and in the same groups", async () => {
  const screen = await open()
  await field('First name').fill('Kim')
  await field('Last name').fill('Lee')
  await field('Building').selectOptions('Harbour Quarter - Tower A')
  await field('Floor').selectOptions('Level 3')
  await field('Add to a group').selectOptions('Dental')
  await field('Email').fill('kim@a.test')
  await field('Second number').fill('+61 3 9100 0001')
  await expectNoAxeViolations()

  await button('Add and next').click()

  await expect.element(page.getByText('Added Kim Lee.')).toBeVisible()
  await expect.element(field('First name')).toHaveFocus()
  for (const name of ['First name', 'Last name', 'Email', 'Second number'])
    await expect.element(field(name)).toHaveValue('')
  await expect.element(field('Floor')).toHaveValue(level.uid)
  await expect.element(button('Remove from Dental')).toBeVisible()
  expect(screen.address()).toBe('/console/people/new')
  await userEvent.keyboard('Ann{Tab}Poe{Enter}')
  await expect.element(page.getByText('Added Ann Poe.')).toBeVisible()
  const same = { place: level.uid, groups: [dental.uid] }
  expect(sent()).toEqual([
    { first_name: 'Kim', last_name: 'Lee', email: 'kim@a.test', second_mobile: '+61 3 9100 0001', ...same },
    { first_name: 'Ann', last_name: 'Poe', ...same },
  ])
})

test('NUM-06 one name is enough, and without any the form says so', async () => {
  const message = 'Enter a first name or a last name.'
  server.answer(addPerson, refused('invalid_request', message, [{ field: 'first_name', row: 1, message }]))
  await open()
  await button('Add and next').click()
  await expect.element(field('First name')).toHaveAccessibleDescription(message)

  server.answer(addPerson, { uid: personRow(1).uid })
  await field('Last name').fill('Suharto')
  await button('Add and next').click()

  await expect.element(page.getByText('Added Suharto.', { exact: true })).toBeVisible()
})

test('PPL-95 what is refused stays in the form, and nothing begins anew', async () => {
  const problems = [{ field: 'last_name', row: 1, message: 'Last name is empty' }]
  server.answer(addPerson, refused('invalid_request', 'Last name is empty', problems))
  await open()
  await field('First name').fill('Kim')

  await button('Add and next').click()

  await expect.element(field('Last name')).toHaveAccessibleDescription('Last name is empty')
  await expect.element(field('First name')).toHaveValue('Kim')
})

test('PPL-18 who administers a part of the organisation chooses no group', async () => {
  serveConsole(server, someMe({ rights: ['people'], reach: { kind: 'group', name: 'Dental' } }))
  server.answer(listPeopleChoices, { sites: [quay], buildings: [tower], groups: [dental] })
  await open()

  await expect.element(button('Add and next')).toBeVisible()
  expect(field('Add to a group').query()).toBeNull()
})
