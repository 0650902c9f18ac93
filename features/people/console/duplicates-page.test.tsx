import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { BuildingUid, FloorUid } from '#kernel/ids.ts'
import type { CallReply } from '#kernel/route.ts'
import { Console } from '#web/app/console/console.tsx'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { givenConsole, listPage, personRow, serveConsole, somePerson } from '#web/testing/console.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { listDuplicates, mergePeople } from '../calls/duplicates.ts'
import { getPerson, type Person } from '../calls/people.ts'

const server = serverForEachTest()
const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = page.getByRole('dialog', { name: 'Merge two people' })
const choose = (legend: string, name: string) =>
  dialog.getByRole('group', { name: legend, exact: true }).getByRole('radio', { name, exact: true }).click()
const [kim, kimberly] = [personRow(1).uid, personRow(2).uid]
const building = { uid: '00000000-0000-4000-8000-00000000fb01' as BuildingUid, name: 'Tower A' }
const floor = { uid: '00000000-0000-4000-8000-00000000fb02' as FloorUid, name: 'Level 3' }

type Pair = CallReply<typeof listDuplicates>['rows'][number]
const pair: Pair = {
  one: { uid: kim, first_name: 'Kim', last_name: 'Lee', code: 'P-000001', place: 'Tower A - Level 3' },
  other: { uid: kimberly, first_name: 'Kimberly', last_name: 'Lee', code: 'HR-7', place: null },
  reasons: ['email', 'mobile'],
}
const people: Record<string, Person> = {
  [kim]: somePerson({ uid: kim, building, floor, mobile: null }),
  [kimberly]: somePerson({
    uid: kimberly,
    version: 'v7',
    first_name: 'Kimberly',
    code: 'HR-7',
    mobile: '+61491000001',
  }),
}
const serve = (over: Partial<Person> = {}) =>
  server.answer(getPerson, ({ input }) => ({ ...(people[input.params.uid] as Person), ...over }))
const open = (at: '/console/people' | '/console/people/duplicates' = '/console/people/duplicates') =>
  renderScreen(<Console />, { at, auth: null })

beforeEach(async () => {
  await page.viewport(1440, 900)
  givenConsole('a token')
  serveConsole(server)
  server.answer(listDuplicates, listPage([pair]))
  serve()
})

afterEach(() => page.viewport(390, 844))

test('PPL-09 the list of people leads to its duplicates', async () => {
  const screen = await open('/console/people')
  await button('Duplicates (1)').click()

  await expect.poll(() => screen.address()).toBe('/console/people/duplicates')
  await expect.element(page.getByText('Email, Mobile')).toBeVisible()
  await expectNoAxeViolations()
})

test('PPL-09 the list of people says that there are over 200 pairs', async () => {
  server.answer(listDuplicates, listPage([pair], { total: 201 }))
  await open('/console/people')

  await expect.element(button('Duplicates (200+)')).toBeVisible()
})

test('PPL-09 where no one is in the directory twice, the list of people has no button for it', async () => {
  server.answer(listDuplicates, listPage([]))
  await open('/console/people')

  await expect.element(button('Add a person')).toBeVisible()
  await expect.poll(() => server.received(listDuplicates).length).toBe(1)
  expect(page.getByRole('button', { name: /Duplicates/ }).query()).toBeNull()
})

test('PPL-09 field by field: what both have differs, what one has alone is not asked', async () => {
  server.answer(mergePeople, () => {
    server.answer(listDuplicates, listPage([]))
    return { status: 'merged' as const }
  })
  await open()
  await button('Merge Lee, Kim').click()
  await expect.element(dialog.getByRole('group', { name: 'Who to keep' })).toBeVisible()
  const asked = dialog
    .getByRole('group')
    .elements()
    .map((group) => group.querySelector('legend')?.textContent)
  expect(asked).toEqual(['Who to keep', 'First name', 'Code'])
  await expectNoAxeViolations()
  await choose('Code', 'HR-7')
  await button('Merge').click()

  await expect.element(page.getByText('Merged.')).toBeVisible()
  expect(server.received(mergePeople).map(({ input }) => input.body)).toEqual([
    { stays: kim, goes: kimberly, stays_version: 'v1', goes_version: 'v7', take: ['code'] },
  ])
  await expect.element(page.getByText(/^No two people in the directory share/)).toBeVisible()
})

test('NUM-06 who has one name stands by it alone, and a first name may be the one to go', async () => {
  server.answer(listDuplicates, listPage([{ ...pair, one: { ...pair.one, first_name: '' } }]))
  server.answer(getPerson, ({ input }) => {
    const person = people[input.params.uid] as Person
    return { ...person, first_name: person.uid === kim ? '' : person.first_name }
  })
  server.answer(mergePeople, { status: 'merged' })
  await open()
  await button('Merge Lee').click()

  await expect.element(dialog.getByRole('radio', { name: 'Lee, P-000001', exact: true })).toBeVisible()
  await expect.element(dialog.getByRole('radio', { name: 'None', exact: true })).toBeChecked()
  await choose('First name', 'Kimberly')
  await button('Merge').click()
  await expect.poll(() => server.received(mergePeople)[0]?.input.body.take).toEqual(['first_name'])
})

test('PPL-09 the other one may stay, with a field of the one who goes', async () => {
  server.answer(mergePeople, { status: 'merged' })
  await open()
  await button('Merge Lee, Kim').click()
  await choose('Who to keep', 'Kimberly Lee, HR-7')
  await choose('First name', 'Kim')
  await button('Merge').click()

  await expect.element(page.getByText('Merged.')).toBeVisible()
  expect(server.received(mergePeople)[0]?.input.body).toMatchObject({
    stays: kimberly,
    goes: kim,
    stays_version: 'v7',
    goes_version: 'v1',
    take: ['first_name'],
  })
})

test('ORG-33 what someone else saved meanwhile stands in the dialog, and is merged as chosen', async () => {
  let isFirst = true
  server.answer(mergePeople, () => {
    if (!isFirst) return { status: 'merged' as const }
    isFirst = false
    serve({ version: 'v8', last_name: 'Leeds' })
    return refused('changed_since', 'Someone else changed this at 10:42.')
  })
  await open()
  await button('Merge Lee, Kim').click()
  await choose('Code', 'HR-7')
  await button('Merge').click()

  await expect.element(dialog.getByText('Someone else changed this at 10:42.')).toBeVisible()
  await expect.element(dialog.getByRole('radio', { name: 'Kim Leeds, P-000001' })).toBeChecked()
  await expectNoAxeViolations()
  await button('Merge').click()
  await expect.element(page.getByText('Merged.')).toBeVisible()
  expect(server.received(mergePeople)[1]?.input.body).toMatchObject({ stays_version: 'v8', take: ['code'] })
})

test('ORG-42 no one in a running event is merged: the button says so beforehand', async () => {
  serve({ in_event_at: 'Harbour Quarter' })
  await open()
  await button('Merge Lee, Kim').click()

  const words = 'An event is running at Harbour Quarter. This can be changed when it has ended.'
  await expect.element(dialog.getByText(words)).toBeVisible()
  await expect.element(button('Merge')).toBeDisabled()
})

test('ORG-35 on a phone pairs are cards, and the dialog is clean', async () => {
  await page.viewport(390, 844)
  await open()
  await expect.element(page.getByText('Email, Mobile')).toBeVisible()
  await expectNoAxeViolations()
  await button('Merge Lee, Kim').click()
  await expect.element(dialog.getByRole('group', { name: 'Who to keep' })).toBeVisible()
  await expectNoAxeViolations()
})
