import { beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { listLimits } from '#kernel/limits.ts'
import { createTopicRefresh } from '#web/live/topic-refresh.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { cutOff, refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { level3, occupant, occupants, plan, towerB, withPeep } from '#web/testing/floor-data.ts'
import { drawAs } from '#web/testing/media.ts'
import { emptyOutbox } from '#web/testing/outbox.ts'
import { serveOverview, towerA } from '#web/testing/overview-data.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import {
  getFloorOverview,
  listFloorlessPeople,
  listFloorPeople,
  searchEventPeople,
  setStatusOnFloor,
} from '../calls/floor-overview.ts'
import { OverviewScreen } from './overview-screen.tsx'

const server = serverForEachTest()
beforeEach(emptyOutbox)

async function open(people = occupants(2), overrides = {}) {
  serveOverview(server, people, overrides)
  const screen = await renderScreen(<OverviewScreen />, { at: '/floor/evacstatus' })
  await expect.element(page.getByRole('heading', { name: 'Fire' })).toBeVisible()
  return screen
}
const floorButton = (name: RegExp) => page.getByRole('button', { name, expanded: undefined })
const level3Button = () => floorButton(/^Level 3/)
const statusButton = (n: number) => page.getByRole('button', { name: new RegExp(`^Person 0${n}: `) })
const names = () => [...document.querySelectorAll('ul li h3')].map(({ textContent }) => textContent)
async function record(n: number, text: string) {
  await statusButton(n).click()
  await page.getByRole('dialog').getByRole('button', { name: text }).click()
}

test('FES-01 FES-07 floors of every building with status, Safe, Unknown, Danger, Total and refusals', async () => {
  await open()

  expect(level3Button().element().textContent).toBe('Level 3Not StartedSafe 4Unknown 70Danger 1Total 75Refusals 2')
  expect(floorButton(/^Level 4/).element().textContent).toBe('Level 4EvacuatedSafe 12Unknown 0Danger 0Total 12')
  await expect.element(page.getByText('Not on a floor')).toBeVisible()
  const legend = page.getByRole('region', { name: 'Floors by status' }).getByRole('listitem')
  expect(legend.elements().map(({ textContent }) => textContent)).toEqual(['Not Started 2', 'Evacuated 1'])
  await expectNoAxeViolations()
})

test('UX-81 in forced colours the bar of floors and the dots of its legend keep their colours', async () => {
  await open()
  const bar = page.getByRole('region', { name: 'Floors by status' }).element()
  const marks = () => [...bar.querySelectorAll('span')].map((mark) => getComputedStyle(mark).backgroundColor)
  const before = marks()
  expect(before).toHaveLength(4)
  expect(new Set(before).size).toBe(2)

  await drawAs('forced colours')
  expect(matchMedia('(forced-colors: active)').matches).toBe(true)
  expect(marks()).toEqual(before)
})

test('UX-40 an evacuated floor with someone in danger or unknown says so, in the bar of floors too', async () => {
  await open(occupants(2), { clear: [12, 3, 1] })

  expect(floorButton(/^Level 4/).element().textContent).toContain('Evacuated, 1 in danger, 3 unknown')
  expect(
    getComputedStyle(
      floorButton(/^Level 4/)
        .element()
        .closest('li') as Element,
    ).borderLeftColor,
  ).toBe(getComputedStyle(page.getByText('Danger 1').first().element()).backgroundColor)
  await expect.element(page.getByText('Evacuated 1(1 not clear)')).toBeVisible()
  await expectNoAxeViolations()
})

test('FES-01 AMB-116 one building can be chosen', async () => {
  await open()
  await page.getByRole('combobox', { name: 'Building' }).selectOptions('Tower B')

  await expect.poll(() => level3Button().elements().length).toBe(0)
  await expect.element(floorButton(/^Ground/)).toBeVisible()
  expect(server.received(getFloorOverview).at(-1)?.input.query).toEqual({ building_id: towerB.id })
})

test('FES-01 EVENT-61 a chosen building that leaves the event gives way to all of them', async () => {
  const { queryClient } = await open()
  const select = page.getByRole('combobox', { name: 'Building' })
  await select.selectOptions('Tower B')
  await expect.poll(() => level3Button().elements().length).toBe(0)

  serveOverview(server, occupants(2), { without: towerB.id })
  const refresh = createTopicRefresh(queryClient)
  refresh.note([{ topic: 'event', ids: [] }])

  await expect.element(level3Button()).toBeVisible()
  expect(floorButton(/^Ground/).elements()).toEqual([])
  await expect.element(select).toHaveDisplayValue('All buildings')
  refresh.stop()
})

test('FES-02 opening a floor brings its people, page by page; another floor takes its place', async () => {
  await open([withPeep(occupant(1)), ...occupants(30).slice(1)])
  await level3Button().click()

  await expect.poll(() => names().length).toBe(20)
  expect(server.received(listFloorPeople).map(({ input }) => input.params)).toEqual([{ floorId: level3 }])
  await expect.element(page.getByRole('button', { name: 'PEEP of Person 01' })).toBeVisible()
  await expectNoAxeViolations()
  await page.getByRole('button', { name: 'Show more people' }).click()
  await expect.poll(() => names().length).toBe(30)

  await floorButton(/^Level 4/).click()
  await expect.element(page.getByText('No Occupant Found..')).toBeVisible()
  expect(names()).toEqual([])
})

test('FES-08 people who are on no floor are seen by name, and recorded where they are', async () => {
  const visitors = occupants(21).map((one) => ({ ...one, location: 'Tower A', floor: null, visitor: true }))
  const { unmount } = await open(visitors)
  await floorButton(/^Not on a floor/).click()

  const list = page.getByRole('list', { name: 'Not on a floor of Tower A' })
  await expect.poll(() => list.getByRole('listitem').elements().length).toBe(20)
  expect(server.received(listFloorlessPeople).map(({ input }) => input.params)).toEqual([{ buildingId: towerA.id }])
  await expect.element(list.getByText('Tower A · Visitor').first()).toBeVisible()
  await expectNoAxeViolations()
  await page.getByRole('button', { name: 'Show more people' }).click()
  await expect.poll(() => names().length).toBe(21)

  await record(1, 'Danger on floor')
  await expect
    .poll(() => server.received(setStatusOnFloor).map(({ input }) => input.body))
    .toEqual([{ id: occupant(1).id, status: 'in danger', floor: null }])
  await unmount()
  await open(visitors)
  await expect.poll(() => names().length).toBeGreaterThan(0)

  await level3Button().click()
  await expect.element(list).not.toBeInTheDocument()
})

test('UX-20 an opened floor is still open after a visit to a thread', async () => {
  const { unmount } = await open()
  await level3Button().click()
  await expect.poll(names).toEqual(['Person 01', 'Person 02'])
  await unmount()

  await open()

  await expect.poll(names).toEqual(['Person 01', 'Person 02'])
})

test('UX-20 the building and the search are still there after a visit to a thread', async () => {
  const { unmount } = await open()
  await page.getByRole('combobox', { name: 'Building' }).selectOptions('Tower B')
  await page.getByRole('searchbox', { name: 'Search Occupants' }).fill('02')
  await expect.poll(names).toEqual(['Person 02'])
  await unmount()

  await open()

  await expect.element(page.getByRole('combobox', { name: 'Building' })).toHaveValue(towerB.id)
  await expect.element(page.getByRole('searchbox', { name: 'Search Occupants' })).toHaveValue('02')
  await expect.poll(names).toEqual(['Person 02'])
})

test('UX-11 the number of floors in each status is read out when it changes', async () => {
  const { queryClient } = await open()
  serveOverview(server, occupants(2), { without: towerB.id })

  await queryClient.refetchQueries()

  await expect.poll(() => document.querySelector('[data-counters]')?.textContent).toBe('Not Started 1, Evacuated 1')
})

test('FES-03 a search lists everyone in the event with that name', async () => {
  await open([occupant(1), occupant(2)])
  await page.getByRole('searchbox', { name: 'Search Occupants' }).fill('02')

  await expect.poll(names).toEqual(['Person 02'])
  expect(server.received(searchEventPeople).map(({ input }) => input.params.text)).toEqual(['02'])
})

test('FES-02 FES-03 refresh reads the counts, and with them the people on screen', async () => {
  await open()
  const reads = () => [getFloorOverview, listFloorPeople, searchEventPeople].map((call) => server.received(call).length)
  const refresh = () => page.getByRole('button', { name: 'Refresh' }).click()
  await level3Button().click()
  await expect.poll(reads).toEqual([1, 1, 0])
  await refresh()
  await expect.poll(reads).toEqual([2, 2, 0])

  await page.getByRole('searchbox', { name: 'Search Occupants' }).fill('02')
  await expect.poll(reads).toEqual([2, 2, 1])
  await refresh()
  await expect.poll(reads).toEqual([3, 2, 2])
})

test('FES-04 API-48 two taps on a card record a status on that floor, found by name where they were', async () => {
  await open([occupant(1), occupant(2)])
  await level3Button().click()
  await record(1, 'Danger on floor')
  await expect.element(statusButton(1)).toHaveTextContent('Person 01: Danger on floor')
  await page.getByRole('searchbox', { name: 'Search Occupants' }).fill('02')
  await expect.poll(names).toEqual(['Person 02'])
  await record(2, 'Safe on floor')

  await expect
    .poll(() => server.received(setStatusOnFloor).map(({ input }) => input.body))
    .toEqual([
      { id: occupant(1).id, status: 'in danger', floor: level3 },
      { id: occupant(2).id, status: 'safe on floor', floor: null },
    ])
})

test('FES-04 AMB-066 undone, a tap leaves someone safe as they were: not on the floor', async () => {
  await open([occupant(1, { status: 'safe', on_floor: false })])
  await level3Button().click()
  await record(1, 'Danger on floor')
  await page.getByRole('button', { name: 'Undo' }).click()

  await expect
    .poll(() => server.received(setStatusOnFloor).map(({ input }) => input.body.status))
    .toEqual(['in danger', 'safe'])
})

test('FES-05 floors and people are read again two seconds after a status change', async () => {
  await open()
  await level3Button().click()
  await expect.element(statusButton(1)).toBeVisible()
  const timers = vi.spyOn(window, 'setTimeout')
  const reads = () => [server.received(getFloorOverview).length, server.received(listFloorPeople).length]
  const [floors = 0, people = 0] = reads()
  await record(1, 'Safe on floor')
  await expect.poll(() => timers.mock.calls.map(([, delay]) => delay)).toContain(listLimits.refetchAfterWardenStatus)
  expect(listLimits.refetchAfterWardenStatus).toBe(2000)

  await expect.poll(reads, { timeout: 4000 }).toEqual([floors + 1, people + 1])
})

test('FES-04 FLOOR-17 without signal a tap waits and is shown as waiting', async () => {
  await open()
  server.answer(setStatusOnFloor, cutOff)
  await level3Button().click()
  await record(1, 'Safe on floor')
  await expect.element(statusButton(1)).toHaveTextContent('Person 01: Safe on floor (waiting)')
})

test.for(['no_event', 'not_on_duty'] as const)("FES-06 the error %s shows 'No Current Events'", async (error) => {
  server.answer(getFloorOverview, { error, message: 'No event' })
  await renderScreen(<OverviewScreen />, { at: '/floor/evacstatus' })

  await expect.element(page.getByText('No Current Events')).toBeVisible()
  const reason = page.getByText('You are not on duty in this event. Please report in first.')
  expect(reason.elements()).toHaveLength(error === 'not_on_duty' ? 1 : 0)
  await expectNoAxeViolations()
})

test('UI an overview that cannot be loaded says so and can be tried again', async () => {
  server.answer(getFloorOverview, refused('unavailable'))
  await renderScreen(<OverviewScreen />, { at: '/floor/evacstatus' })
  await expect.element(page.getByText('The service is busy. Please try again in a moment.')).toBeVisible()

  serveOverview(server, [])
  await page.getByRole('button', { name: 'Try again' }).click()

  await expect.element(level3Button()).toBeVisible()
})

test('RT-17 a change elsewhere is read again: floors by floor, people and event', async () => {
  const { queryClient } = await open()
  const refresh = createTopicRefresh(queryClient)
  for (const topic of ['floor', 'evacuee', 'event'] as const) {
    const before = server.received(getFloorOverview).length
    refresh.note([{ topic, ids: [] }])
    await expect.poll(() => server.received(getFloorOverview).length).toBe(before + 1)
  }
  refresh.stop()
})

test('UI the plans of people are kept in memory only', async () => {
  const { overviewPeopleQuery, withoutPlans } = await import('./floor-overview.data.ts')
  const pagination = { next_page_url: null, total: 1, from: 1, current_page: 1, total_pages: 1 }
  const kept = JSON.stringify(
    withoutPlans({ pages: [{ peeps: [withPeep(occupant(1))], pagination }], pageParams: [null] }),
  )

  for (const text of Object.values(plan)) expect(kept).not.toContain(text)
  expect(overviewPeopleQuery({ floor: level3 }).meta?.redact).toBe(withoutPlans)
})

test('FLOOR-21 FES-04 an open menu follows what another warden records', async () => {
  const { queryClient } = await open(occupants(1))
  await level3Button().click()
  await statusButton(1).click()
  serveOverview(server, [occupant(1, { status: 'danger' })])
  const refresh = createTopicRefresh(queryClient)
  refresh.note([{ topic: 'evacuee', ids: [] }])

  const sheet = page.getByRole('dialog')
  await expect.element(sheet.getByText('Recorded in the meantime: Danger on floor')).toHaveRole('status')
  await expect.element(sheet.getByRole('button', { name: 'Danger on floor' })).not.toBeInTheDocument()
  refresh.stop()
})
