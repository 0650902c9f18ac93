import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { movePeople } from '#features/people/calls/people-bulk.ts'
import type { BuildingUid, EventUid, FloorUid, SiteUid } from '#kernel/ids.ts'
import { Console } from '#web/app/console/console.tsx'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { givenConsole, quay, serveConsole, someMe } from '#web/testing/console.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { addFloors, changePlace, listPlaces, movePlace, retirePlace } from '../calls.ts'
import type { BuildingPlace, FloorPlace, SitePlace } from './places.data.ts'

const server = serverForEachTest()
const open = (at = '/console/places') => renderScreen(<Console />, { at, auth: null })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const at = `/console/places/${quay.uid}`

const usual = { version: '1', retired_at: null, people: 0, wardens: 0, assignments: 0 }
const site = (over: Partial<SitePlace> = {}): SitePlace => ({
  ...{
    ...usual,
    ...quay,
    code: 'HQ',
    timezone: 'Australia/Sydney',
    drill_every_days: 365,
    drill_shifts: '',
    buildings: 1,
    floors: 2,
    documents: 0,
    event: null,
  },
  ...over,
})
const tower: BuildingPlace = {
  ...usual,
  uid: '00000000-0000-4000-8000-00000000fb01' as BuildingUid,
  code: 'TA',
  name: 'Tower A',
  floors: 2,
  people: 3,
}
const floor = (n: number, over: Partial<FloorPlace> = {}): FloorPlace => ({
  ...usual,
  uid: `00000000-0000-4000-8000-00000000fc0${n}` as FloorUid,
  building: tower.uid,
  code: `F${n}`,
  name: `Level ${n}`,
  level: n,
  kind: 'floor' as const,
  ...over,
})
const tree = (over: { site?: Partial<SitePlace>; floors?: FloorPlace[] } = {}) => ({
  sites: [site(over.site)],
  buildings: [tower],
  floors: over.floors ?? [
    floor(1, { people: 3, wardens: 1 }),
    floor(2),
    floor(3, { retired_at: '2026-01-01T00:00:00Z' }),
  ],
  by_building: false,
})

beforeEach(async () => {
  await page.viewport(1440, 900)
  givenConsole('a token')
  serveConsole(server)
  server.answer(listPlaces, tree())
})

afterEach(() => page.viewport(390, 844))

test('PPL-20 a site opens with its buildings, floors, people and wardens of today', async () => {
  const screen = await open()
  await expect.element(page.getByText('1 building, 2 floors, 0 people, 0 wardens today')).toBeVisible()
  await expectNoAxeViolations()
  await page.getByRole('link', { name: /^Harbour Quarter/ }).click()

  await expect.element(page.getByRole('heading', { level: 1, name: 'Harbour Quarter' })).toBeVisible()
  expect(screen.address()).toBe(at)
  await expect.element(page.getByRole('row', { name: /Level 1 F1 1 3 1/ })).toBeVisible()
  await expectNoAxeViolations()
})

test('ORG-47 on a phone the page of a site names it', async () => {
  await page.viewport(390, 844)
  await open(at)
  const heading = page.getByRole('heading', { level: 1, name: 'Harbour Quarter' })
  await expect.element(heading).toBeVisible()
  expect(heading.element().getBoundingClientRect().height).toBeGreaterThan(20)
})

test('ORG-35 on a phone each floor has its facts and buttons within the width', async () => {
  await page.viewport(390, 844)
  await open(at)
  const floor = page
    .getByRole('list', { name: 'Floors of Tower A' })
    .getByRole('listitem')
    .filter({ hasText: 'Level 1' })

  await expect.element(floor).toHaveTextContent('Level 1 F1Level 1, 3 people, 1 warden today')
  const retire = floor.getByRole('button', { name: 'Retire Level 1' }).element().getBoundingClientRect()
  expect(retire.right).toBeLessThanOrEqual(390)
  await expectNoAxeViolations()
})

test('PPL-20 several floors of an empty building begin with a ground floor, unless its name is taken out', async () => {
  server.answer(addFloors, { uids: [] })
  server.answer(listPlaces, tree({ floors: [] }))
  await open(at)
  await button('Add several floors').click()
  const ground = page.getByRole('textbox', { name: 'Ground floor' })
  await expect.element(ground).toHaveValue('Ground floor')
  await expectNoAxeViolations()
  await page.getByRole('textbox', { name: 'From' }).fill('2')
  await expect.element(ground).not.toBeInTheDocument()
  await expect.element(button('Add 9')).toBeVisible()
  await page.getByRole('textbox', { name: 'From' }).fill('1')
  await page.getByRole('textbox', { name: 'To' }).fill('2')
  await button('Add 3').click()
  await expect.poll(() => server.received(addFloors).length).toBe(1)
  await button('Add several floors').click()
  await ground.fill(' ')
  await button('Add 10').click()

  await expect.poll(() => server.received(addFloors).length).toBe(2)
  const [first, second] = server.received(addFloors).map(({ input }) => input.body.floors)
  const levels = [1, 2].map((level) => ({ name: `Level ${level}`, level }))
  expect(first).toEqual([{ name: 'Ground floor', level: 0 }, ...levels])
  expect(second?.[0]).toEqual({ name: 'Level 1', level: 1 })
})

test('PPL-20 a floor that is added later gets its place: the lowest, in a gap, or behind another one', async () => {
  const made = floor(9).uid
  server.answer(addFloors, { uids: [made] })
  server.answer(movePlace, refused('busy', 'Another change is being saved. Try again.'))
  server.answer(listPlaces, tree({ floors: [floor(1), floor(2), floor(5)] }))
  await open(at)
  const add = async (name: string, place: string) => {
    await button('Add a floor').click()
    await page.getByRole('textbox', { name: 'Name' }).fill(name)
    await page.getByRole('combobox', { name: 'Place' }).selectOptions(place)
    await button('Add').click()
  }
  await add('Ground', 'Lowest, before Level 1')
  await add('Plant', 'After Level 2')
  await add('Roof', 'Highest, after Level 5')
  await expect.poll(() => server.received(addFloors).length).toBe(3)
  await add('Mezzanine', 'After Level 1')
  await expect.element(page.getByText('Another change is being saved. Try again.')).toBeVisible()
  await expectNoAxeViolations()
  server.answer(movePlace, { status: 'done' })
  await button('Add').click()

  await expect.poll(() => server.received(movePlace).length).toBe(2)
  expect(server.received(movePlace)[1]?.input).toMatchObject({ params: { uid: made }, body: { after: floor(1).uid } })
  expect(server.received(addFloors).map(({ input }) => input.body.floors)).toEqual([
    [{ name: 'Ground', code: '', level: 0 }],
    [{ name: 'Plant', code: '', level: 3 }],
    [{ name: 'Roof', code: '' }],
    [{ name: 'Mezzanine', code: '' }],
  ])
})

test('PPL-20 several floors are added at once, a floor is moved up, and a place is renamed', async () => {
  server.answer(addFloors, { uids: [] })
  server.answer(movePlace, { status: 'done' })
  server.answer(
    changePlace,
    refused('taken', 'This name is already in use.', [
      { field: 'name', row: 1, message: 'This name is already in use.' },
    ]),
  )
  await open(at)
  await button('Add several floors').click()
  await page.getByRole('textbox', { name: 'To' }).fill('3')
  await expectNoAxeViolations()
  await button('Add 3').click()
  await expect.element(page.getByText('Added.')).toBeVisible()
  await button('Move down the building: Level 2').click()
  await expect.poll(() => server.received(movePlace).length).toBe(1)
  await button('Rename Level 2').click()
  const name = page.getByRole('textbox', { name: 'Name' })
  await expect.element(name).toHaveValue('Level 2')
  await name.fill('Roof')
  await userEvent.keyboard('{Enter}')

  await expect.element(page.getByText('This name is already in use.')).toBeVisible()
  await expect.element(name).toHaveAttribute('aria-invalid', 'true')
  expect(server.received(addFloors)[0]?.input.body.floors).toEqual(
    [1, 2, 3].map((level) => ({ name: `Level ${level}`, level })),
  )
  expect(server.received(movePlace)[0]?.input).toMatchObject({ params: { uid: floor(2).uid }, body: { after: null } })
  expect(server.received(changePlace)[0]?.input.body).toMatchObject({
    version: '1',
    name: 'Roof',
    code: 'F2',
    kind: 'floor',
  })
})

test('PPL-21 a place in use names each reason with its way out; an empty one is retired after a question', async () => {
  server.answer(retirePlace, { status: 'done' })
  await open(at)
  await button('Retire Level 1').click()
  await expect.element(button('Move 3 people to…')).toBeVisible()
  await expectNoAxeViolations()
  await button('Cancel').click()
  await button('Retire Level 2').click()
  const question = page.getByRole('alertdialog', { name: 'Retire Level 2?' })
  await expect.element(question.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  await question.getByRole('button', { name: 'Retire' }).click()

  await expect.element(page.getByText('Retired.', { exact: true })).toBeVisible()
  expect(server.received(retirePlace)[0]?.input).toMatchObject({ params: { uid: floor(2).uid } })
})

test('PPL-21 everyone on a floor moves to another one, as often as it takes', async () => {
  let remaining = 20
  server.answer(movePeople, () => {
    remaining -= 10
    return { moved: 10, remaining }
  })
  await open(at)
  await button('Retire Level 1').click()
  await button('Move 3 people to…').click()
  const dialog = page.getByRole('dialog', { name: 'Move 3 people to…' })
  await expect.element(dialog.getByRole('option', { name: /Level 1/ })).not.toBeInTheDocument()
  await dialog.getByRole('combobox', { name: 'Floor' }).selectOptions('Tower A - Level 2')
  await expectNoAxeViolations()
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()

  await expect.element(page.getByText('Moved.', { exact: true })).toBeVisible()
  expect(server.received(movePeople).map(({ input }) => input.body)).toEqual(
    Array(2).fill({ from: floor(1).uid, to: floor(2).uid }),
  )
})

test("PPL-22 'Retired (n)' unfolds what is out of use, with 'Restore'", async () => {
  await open(at)
  await page.getByText('Retired (1)').click()

  await expect.element(button('Restore Level 3')).toBeVisible()
  await expectNoAxeViolations()
})

test('ORG-42 while an event runs at the site nothing is retired, and the reason stands beside the button', async () => {
  server.answer(listPlaces, tree({ site: { event: '00000000-0000-4000-8000-00000000f009' as EventUid } }))
  await open(at)

  await expect.element(button('Retire Level 2')).toBeDisabled()
  await expect.element(button('Retire').first()).toBeDisabled()
  const why = page.getByText('An event is running at Harbour Quarter. This can be changed when it has ended.')
  await expect.element(why.first()).toBeVisible()
})

test('ORG-10 a group only reads places; at 320 px nothing scrolls sideways', async () => {
  await page.viewport(320, 800)
  serveConsole(server, someMe({ reach: { kind: 'group', name: 'Dental' } }))
  server.answer(listPlaces, tree())
  await open(at)

  await expect.element(page.getByText('Level 1', { exact: true })).toBeVisible()
  expect(page.getByRole('button', { name: /Retire|Rename|Add/ }).query()).toBeNull()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320)
})

test('ORG-31 places that cannot be read say so, and are tried again', async () => {
  server.answer(listPlaces, refused('forbidden'))
  await open()
  await expect.element(page.getByText('The list could not be loaded.')).toBeVisible()
  server.answer(listPlaces, {
    sites: [site({ uid: quay.uid as SiteUid })],
    buildings: [],
    floors: [],
    by_building: false,
  })
  await button('Try again').click()

  await expect.element(page.getByRole('link', { name: /^Harbour Quarter/ })).toBeVisible()
})

test('AAR-38: a site says how often it drills and when its shifts begin, and what is wrong stands at its field', async () => {
  server.answer(changePlace, () =>
    refused('invalid_request', 'Some fields are not right.', [
      { field: 'drill_every_days', row: 1, message: 'This is not a whole number from 7 to 1825.' },
    ]),
  )
  await open(at)
  await button('Drills').click()
  const days = page.getByLabelText('Days between drills')
  await expect.element(days).toHaveValue(365)
  await days.fill('5')
  await button('Save').click()
  await expect.element(page.getByText('This is not a whole number from 7 to 1825.')).toBeVisible()
  await expectNoAxeViolations()
  server.answer(changePlace, { status: 'done' })
  await days.fill('90')
  await page.getByLabelText('Shifts begin at').fill('07:00;15:00;23:00')
  await button('Save').click()

  await expect.element(page.getByText('Saved.')).toBeVisible()
  expect(server.received(changePlace).at(-1)?.input).toEqual(
    expect.objectContaining({
      params: { uid: quay.uid },
      body: { version: '1', name: quay.name, code: 'HQ', drill_every_days: 90, drill_shifts: '07:00;15:00;23:00' },
    }),
  )
})
