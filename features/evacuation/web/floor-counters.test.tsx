import { onlineManager } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { formatMoment } from '#web/lib/time/server-clock.ts'
import { TopBar } from '#web/live/top-bar.tsx'
import { createTopicRefresh } from '#web/live/topic-refresh.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { evacuated, floorData, notStarted, occupant, occupants, peepPerson, withPeep } from '#web/testing/floor-data.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { listOccupants, setFloorStatus } from '../calls/evacuation.ts'
import { floorOnScreen, record, shows } from './floor.fixture.tsx'
import { FloorEvacuationScreen } from './floor-evacuation-screen.tsx'

const { server, open, serve } = floorOnScreen()
afterEach(() => onlineManager.setOnline(true))
const counter = (name: string) => page.getByRole('button', { name: new RegExp(`^[0-9–]+ ?${name}$`) })
const names = () =>
  page
    .getByRole('list', { name: 'All Occupants' })
    .getByRole('heading')
    .elements()
    .map((one) => one.textContent)
const statusSelect = () => page.getByRole('combobox', { name: 'Floor status' })
const asked = () => page.getByRole('alertdialog')

const mixed = () => [
  occupant(1, { status: 'danger' }),
  withPeep(occupant(2)),
  occupant(3),
  occupant(4),
  occupant(5, { status: 'safe' }),
]

test('UX-11 the counters of a floor are read out when a record changes them', async () => {
  await open(mixed())
  await expect.element(counter('Unknown')).toHaveTextContent('3Unknown')
  await record(3, 'Safe on floor')

  await expect.poll(() => document.querySelector('[data-counters]')?.textContent).toBe('Unknown 2, In danger 1, Safe 2')
})

test('UX-80 what the keyboard reaches on a long floor is not hidden behind the counters', async () => {
  await open(Array.from({ length: 20 }, (_, n) => occupant(n + 1)))
  const buttons = () => [...document.querySelectorAll<HTMLElement>('li button')]
  await expect.poll(() => buttons().length).toBe(20)
  const last = buttons().at(-1)
  last?.focus()
  last?.scrollIntoView({ block: 'end' })
  const foot = () => document.querySelector('fieldset')?.getBoundingClientRect().bottom ?? 0

  for (let n = 0; n < 20; n++) {
    await userEvent.keyboard('{Shift>}{Tab}{/Shift}')
    expect(document.activeElement?.getBoundingClientRect().top).toBeGreaterThanOrEqual(foot())
  }
})

test('UX-30 the counters count the floor and show only those who are pressed', async () => {
  await open(mixed(), { peep: [peepPerson(2)] })

  await expect.element(counter('Unknown')).toHaveTextContent('3Unknown')
  await expect.element(counter('PEEP')).toHaveTextContent('1PEEP')
  await counter('In danger').click()
  await expect.poll(names).toEqual(['Person 01'])
  await expect.element(counter('In danger')).toHaveAttribute('aria-pressed', 'true')
  await expectNoAxeViolations()
  await counter('PEEP').click()
  await expect.poll(names).toEqual(['Person 02'])
  await counter('PEEP').click()
  await expect.poll(() => names().length).toBe(5)
})

test('UX-30 the bar says how many are accounted for, with what waits on this phone', async () => {
  serve(mixed())
  await renderScreen(
    <>
      <TopBar title="Floor Evacuation" />
      <FloorEvacuationScreen />
    </>,
    { at: '/floor/evacuation' },
  )
  await expect.element(page.getByText('2 of 5 accounted for')).toBeVisible()

  await record(3, 'Safe on floor')

  await expect.element(page.getByText('3 of 5 accounted for')).toBeVisible()
})

test('UX-31 a card stays where it is until the list is read by hand or a filter is pressed', async () => {
  const { change, queryClient } = await open(mixed())
  const refresh = createTopicRefresh(queryClient)
  await counter('Unknown').click()
  await expect.poll(names).toEqual(['Person 02', 'Person 03', 'Person 04'])

  change(occupant(3).id, { status: 'safe' })
  refresh.note([{ topic: 'evacuee', ids: [] }])
  await shows(3, 'Safe on floor')
  expect(names()).toEqual(['Person 02', 'Person 03', 'Person 04'])
  expect(server.received(listOccupants).at(-1)?.input.query).toMatchObject({
    rows: [2, 3, 4].map((n) => occupant(n).evacuee_list_uid).join(','),
  })
  refresh.stop()

  await page.getByRole('button', { name: 'Refresh' }).last().click()
  await expect.poll(names).toEqual(['Person 02', 'Person 04'])
})

test('UX-30 without signal a counter shows who is meant among the people on this phone', async () => {
  await open(mixed())
  onlineManager.setOnline(false)

  await counter('In danger').click()

  await expect.poll(names).toEqual(['Person 01'])
})

test('UX-30 a record moves the counters at once, and they stay when it is acknowledged', async () => {
  const { queryClient } = await open(mixed())
  await record(3, 'Safe on floor')
  await expect.element(counter('Unknown')).toHaveTextContent('2Unknown')

  await expect.element(page.getByText('(waiting)')).not.toBeInTheDocument()
  expect(counter('Unknown').element()).toHaveTextContent('2Unknown')
  expect(queryClient.isFetching()).toBe(0)
})

test('UX-31 those in danger who are on a later page are not taken for missing', async () => {
  await open(occupants(30).map((person, n) => (n < 25 ? { ...person, status: 'danger' } : person)))

  await expect.element(counter('In danger')).toHaveTextContent('25In danger')
  expect(page.getByRole('button', { name: /Refresh the list/ }).elements()).toEqual([])
})

test('UX-31 someone in danger who is not in the list is told of', async () => {
  await open(occupants(3), { counts: { safe: 0, unknown: 3, danger: 1, total: 4 } })

  const more = page.getByRole('button', { name: '1 more in danger. Refresh the list' })
  await more.click()

  await expect.element(more).not.toBeInTheDocument()
})

test('UX-32 the place of the page is left out of its cards', async () => {
  await open([occupant(1), occupant(2, { location: 'Tower A - Level 4' })])

  await expect.element(page.getByText('Tower A - Level 4')).toBeVisible()
  expect(page.getByText('Tower A - Level 3').elements()).toEqual([])
})

test('UX-33 at 320 px the buttons of a card stay in one row', async () => {
  await page.viewport(320, 568)
  await open([occupant(1, { status: 'danger' })])

  const tops = page
    .getByRole('listitem')
    .first()
    .getByRole('button')
    .elements()
    .concat(page.getByRole('link', { name: /Person 01/ }).elements())
    .map((one) => one.getBoundingClientRect().top)
  expect(new Set(tops).size).toBe(1)
  await page.viewport(414, 896)
})

test('UX-40 a floor that is evacuated with someone in danger says so', async () => {
  const { input } = floorData([])
  await open(mixed(), { input: { ...input, status: evacuated.id } })

  await expect.element(page.getByText('Evacuated, 1 in danger, 3 unknown')).toBeVisible()
})

test('UX-41 a clearing status with people unknown or in danger is asked for once', async () => {
  server.answer(setFloorStatus, { status: 'success', overruled: false })
  await open(mixed())
  await statusSelect().selectOptions('Evacuated')

  await expect
    .element(asked().getByText('3 people of this floor are unknown, 1 is in danger. Set it anyway?'))
    .toBeVisible()
  await expectNoAxeViolations()
  await asked().getByRole('button', { name: 'Show them' }).click()
  await expect.poll(names).toEqual(['Person 01', 'Person 02', 'Person 03', 'Person 04'])
  expect(server.received(setFloorStatus)).toEqual([])
  await expect.element(statusSelect()).toHaveValue(notStarted.id)

  await statusSelect().selectOptions('Evacuated')
  await asked().getByRole('button', { name: 'Set it' }).click()
  await expect.element(statusSelect()).toHaveValue(evacuated.id)
})

test("UX-41 'Show them' shows all whom the question counts, page after page, with both counters pressed", async () => {
  const statusOf = (n: number) => (n < 5 ? 'danger' : n < 45 ? 'unknown' : 'safe')
  const people = occupants(50).map((person, n) => ({ ...person, status: statusOf(n) }) as const)
  await open(people)
  await statusSelect().selectOptions('Evacuated')
  await expect
    .element(asked().getByText('40 people of this floor are unknown, 5 are in danger. Set it anyway?'))
    .toBeVisible()

  await asked().getByRole('button', { name: 'Show them' }).click()

  await expect.element(page.getByRole('heading', { name: 'All Occupants 45' })).toBeVisible()
  for (const name of ['Unknown', 'In danger'])
    await expect.element(counter(name)).toHaveAttribute('aria-pressed', 'true')
  const end = page.getByText('You have reached the end.')
  const readOn = () => {
    window.scrollTo(0, document.documentElement.scrollHeight)
    return end.elements().length
  }
  await expect.poll(readOn).toBe(1)
  expect(names()).toEqual(people.slice(0, 45).map(({ name }) => name))
  await counter('Unknown').click()
  await expect.poll(() => names().length).toBe(5)
  await expect.element(counter('In danger')).toHaveAttribute('aria-pressed', 'true')
})

test("UX-41 without signal 'Show them' shows also whom only this phone knows in danger", async () => {
  await open(mixed())
  onlineManager.setOnline(false)
  await record(5, 'Danger on floor')
  await expect.element(counter('In danger')).toHaveTextContent('2In danger')
  await statusSelect().selectOptions('Evacuated')

  await asked().getByRole('button', { name: 'Show them' }).click()

  await expect.poll(() => names().toSorted()).toEqual(['Person 01', 'Person 02', 'Person 03', 'Person 04', 'Person 05'])
})

test('UX-41 without signal the question says what the phone knows, and since when', async () => {
  server.answer(setFloorStatus, { status: 'success', overruled: false })
  await open(mixed())
  await record(1, 'Safe on floor')
  const age = document.querySelector('time')?.dateTime ?? ''
  onlineManager.setOnline(false)

  await statusSelect().selectOptions('Evacuated')

  await expect.element(asked().getByText('3 people of this floor are unknown. Set it anyway?')).toBeVisible()
  await expect
    .element(
      asked().getByText(
        `This phone has no live connection. It last loaded the floor at ${formatMoment(Date.parse(age))}.`,
      ),
    )
    .toBeVisible()
  await expectNoAxeViolations()
  expect(server.received(setFloorStatus)).toEqual([])
})

test('UX-41 PPL-41 the organisation says which status clears, whatever its colour', async () => {
  server.answer(setFloorStatus, { status: 'success', overruled: false })
  const { floor_status } = floorData([])
  const swapped = floor_status.map((one) => ({ ...one, means_clear: one.id === notStarted.id }))
  await open(mixed(), { floor_status: swapped })
  await expect.element(page.getByText('Not Started, 1 in danger, 3 unknown')).toBeVisible()

  await statusSelect().selectOptions('Evacuated')

  await expect.element(statusSelect()).toHaveValue(evacuated.id)
  expect(asked().elements()).toEqual([])
  await statusSelect().selectOptions('Not Started')
  await expect.element(asked()).toBeVisible()
})

test('UX-41 a status that clears nothing, or a floor where all are safe, is set without a question', async () => {
  server.answer(setFloorStatus, { status: 'success', overruled: false })
  await open([occupant(1, { status: 'safe' })])
  await statusSelect().selectOptions('Evacuated')

  await expect.element(statusSelect()).toHaveValue(evacuated.id)
  expect(asked().elements()).toEqual([])
})
