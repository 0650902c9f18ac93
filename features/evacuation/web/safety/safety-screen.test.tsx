import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { cleanup } from 'vitest-browser-react'
import { createTopicRefresh } from '#web/live/topic-refresh.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { refused } from '#web/testing/fake-server.ts'
import { occupant, occupants, plan, withPeep } from '#web/testing/floor-data.ts'
import { floorId, siteBuildings } from '#web/testing/safety-data.ts'
import { filterEvacuees, getSafetyData } from '../../calls/safety.ts'
import { displayButton, filterButton, safetyOnScreen, shows } from './safety.fixture.tsx'

const { server, open, serve, asked } = safetyOnScreen()
afterEach(() => vi.useRealTimers())
const last = () => asked().at(-1)
const names = () =>
  [...page.getByRole('list', { name: 'Evacuees' }).element().querySelectorAll('h3')].map(
    ({ textContent }) => textContent,
  )
const search = () => page.getByRole('searchbox', { name: 'Search Evacuees' })
const broadcast = () => page.getByRole('button', { name: /^Broadcast/ })
/** UX-02: the panel stays until the finger is lifted. */
const restFinger = (panel: { element: () => Element }) =>
  panel.element().dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
const nobody = 'No Evacuees found with the selected filters'

test('SAFE-01 SAFE-06 SAFE-07 SAFE-29 filters, counters, search and people, without a second call for the first page', async () => {
  await open([occupant(1, { status: 'safe' }), occupant(2), withPeep(occupant(3, { status: 'danger' }))])

  await shows(3, 'In Danger')
  expect(
    page
      .getByRole('group', { name: 'Filters' })
      .getByRole('button')
      .elements()
      .map(({ textContent }) => textContent),
  ).toEqual(['Areas', 'Assist', 'Visitor', 'Messages: show all'])
  expect(
    page
      .getByRole('group', { name: 'Display' })
      .getByRole('button')
      .elements()
      .map(({ textContent }) => textContent),
  ).toEqual(['1Safe', '1Unknown', '1Danger', '3All'])
  await expect.element(search()).toBeVisible()
  expect(names()).toEqual(['Person 01', 'Person 02', 'Person 03'])
  expect(server.received(getSafetyData).map(({ input }) => input)).toMatchObject([{ body: null }])
  expect(asked()).toEqual([])
  await expectNoAxeViolations()
})

test('SAFE-02 the message filter cycles show all, unread, no reply and back', async () => {
  await open()
  for (const [from, to] of [
    ['show all', 'unread'],
    ['unread', 'no reply'],
    ['no reply', 'show all'],
  ] as const) {
    await filterButton(`Messages: ${from}`).click()
    await expect.element(filterButton(`Messages: ${to}`)).toBeVisible()
    if (to !== 'show all') await expect.poll(() => last()?.message).toBe(to)
  }
})

test('SAFE-27 MENU-16 AMB-015 the unread banner opens the screen with the message filter unread', async () => {
  await open(occupants(2), {}, { at: '/evacuee/safety?message=unread' })

  await expect.element(filterButton('Messages: unread')).toBeVisible()
  await expect
    .poll(() => last())
    .toEqual({
      area: 'my area',
      floors: ['all'],
      message: 'unread',
      display: 'all',
      assist: false,
      visitor: false,
      refusal: false,
      search: '',
    })
})

test('SAFE-01 SAFE-32 Assist and Visitor are switched on and off, together or alone', async () => {
  await open()
  await filterButton('Assist').click()
  await expect.poll(() => last()).toMatchObject({ assist: true, visitor: false, refusal: false })
  await filterButton('Visitor').click()
  await expect.poll(() => last()).toMatchObject({ assist: true, visitor: true })
  await expect.element(filterButton('Assist')).toHaveAttribute('aria-pressed', 'true')
  await filterButton('Assist').click()
  await expect.poll(() => last()).toMatchObject({ assist: false, visitor: true })
})

test('SAFE-06 SAFE-35 a display narrows the list and leaves the counters as they are', async () => {
  await open([occupant(1, { status: 'danger' }), occupant(2), occupant(3)])
  await displayButton(/Danger/).click()

  await expect.poll(names).toEqual(['Person 01'])
  expect(last()).toMatchObject({ display: 'danger' })
  await expect.element(displayButton(/All/)).toHaveTextContent('3All')
  await expect.element(displayButton(/Danger/)).toHaveAttribute('aria-pressed', 'true')
  await expectNoAxeViolations()
})

test('SAFE-08 SAFE-26 with no_evacuees the list is empty and says so', async () => {
  await open()
  await displayButton(/Danger/).click()

  await expect.element(page.getByText(nobody)).toBeVisible()
  expect(names()).toEqual([])
  await expect.element(broadcast()).toBeDisabled()
})

test('SAFE-24 SAFE-25 CONST-12 a search runs on the server from three characters; clearing brings the list back', async () => {
  await open([occupant(1), occupant(2)])
  await shows(2, 'Unknown')
  await search().fill('02')
  await expect.element(page.getByText('Type at least 3 characters to search.')).toBeVisible()
  expect(asked().map((filters) => filters.search)).not.toContain('02')

  await search().fill('n 02')
  await expect.poll(names).toEqual(['Person 02'])
  expect(last()?.search).toBe('n 02')
  const before = server.received(filterEvacuees).length
  await search().fill('')

  await expect.poll(names).toEqual(['Person 01', 'Person 02'])
  expect(
    asked()
      .slice(before)
      .every((filters) => filters.search === ''),
  ).toBe(true)
})

test('SAFE-03 SAFE-30 Broadcast takes the filters, the search and the permission along', async () => {
  const { address, state } = await open()
  await filterButton('Assist').click()
  await search().fill('person')
  await expect.poll(() => last()?.search).toBe('person')
  await shows(1, 'Unknown')
  await broadcast().click()

  await expect.poll(address).toBe('/message/evacueegroup')
  expect(state()).toEqual({ filters: last(), searchText: 'person', sms_allowed: true })
})

test('SAFE-30 a search typed right before Broadcast is in force', async () => {
  const { address, state } = await open()
  await shows(1, 'Unknown')
  await search().fill('person')
  broadcast()
    .element()
    .dispatchEvent(new MouseEvent('click', { bubbles: true }))

  await expect.poll(address).toBe('/message/evacueegroup')
  expect(state()).toMatchObject({ filters: { search: 'person' }, searchText: 'person' })
})

test('SAFE-04 SAFE-05 Broadcast is disabled without evacuees and without SMS permission', async () => {
  await open(occupants(1), { sms_allowed: false })
  await shows(1, 'Unknown')
  await expect.element(broadcast()).toBeDisabled()

  serve([])
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect.element(page.getByText(nobody)).toBeVisible()
  await expect.element(broadcast()).toBeDisabled()
})

test('SAFE-31 CONST-10 the next page comes within 150 px of the page bottom, with the same filters', async () => {
  await open(occupants(45))
  await filterButton('Visitor').click()
  await expect.poll(() => last()?.visitor).toBe(true)
  await expect.poll(() => names().length).toBe(20)
  await expect
    .poll(async () => {
      window.scrollTo(0, document.documentElement.scrollHeight)
      await new Promise(requestAnimationFrame)
      return names().length
    })
    .toBe(45)

  const pages = server.received(filterEvacuees).slice(-2)
  expect(pages.map(({ input }) => [input.query.page, input.body.visitor])).toEqual([
    ['2', true],
    ['3', true],
  ])
})

test('RT-17 a change elsewhere, and a message, is read again without a touch', async () => {
  const { change, queryClient } = await open(occupants(1))
  await shows(1, 'Unknown')
  const refresh = createTopicRefresh(queryClient)
  change(occupant(1).id, { status: 'danger' })
  refresh.note([{ topic: 'evacuee', ids: [] }])
  await shows(1, 'In Danger')

  const before = asked().length
  refresh.note([{ topic: 'message', ids: [] }])
  await expect.poll(() => asked().length).toBe(before + 1)
  refresh.stop()
})

test('RT-17 the people follow the server also after the buildings could not be read again', async () => {
  const { change, queryClient } = await open(occupants(1))
  await shows(1, 'Unknown')
  server.answer(getSafetyData, refused('not_found'))
  const refresh = createTopicRefresh(queryClient)
  refresh.note([{ topic: 'event', ids: [] }])
  await expect.element(page.getByText(/^Not up to date, as of/)).toBeVisible()

  change(occupant(1).id, { status: 'danger' })
  refresh.note([{ topic: 'evacuee', ids: [] }])

  await shows(1, 'In Danger')
  refresh.stop()
})

test.for(['no_event', 'not_on_duty'] as const)(
  'SAFE-08 without a part in an event (%s) there are no current events',
  async (error) => {
    await open([], { error, buildings: [] })

    await expect.element(page.getByText('No Current Events')).toBeVisible()
    const reason = page.getByText('You are not on duty in this event. Please report in first.')
    expect(reason.elements()).toHaveLength(error === 'not_on_duty' ? 1 : 0)
    await expect.element(broadcast()).toBeDisabled()
    await expectNoAxeViolations()
  },
)

test('UI a list that cannot be loaded says so and can be tried again', async () => {
  serve()
  server.answer(getSafetyData, refused('unavailable'))
  server.answer(filterEvacuees, refused('unavailable'))
  const { renderScreen } = await import('#web/testing/render-screen.tsx')
  const { SafetyScreen } = await import('./safety-screen.tsx')
  await renderScreen(<SafetyScreen />, { at: '/evacuee/safety' })
  await expect.element(page.getByText('The people could not be loaded.')).toBeVisible()

  serve(occupants(1))
  await page.getByRole('button', { name: 'Try again' }).click()

  await shows(1, 'Unknown')
})

test('UI the plans of people are kept in memory only', async () => {
  const { evacueesQuery, safetyQuery, withoutPlans } = await import('./safety.data.ts')
  const { defaultFilters } = await import('#kernel/kinds.ts')
  const page = {
    evacuees: [withPeep(occupant(1))],
    pagination: { next_page_url: null, total: 1, from: 1, current_page: 1, total_pages: 1 },
    filterCounts: { safe: 0, unknown: 1, danger: 0, total: 1 },
  }
  const kept = JSON.stringify(withoutPlans({ pages: [page], pageParams: [null] }))

  for (const text of Object.values(plan)) expect(kept).not.toContain(text)
  expect(kept).toContain('assist')
  expect(evacueesQuery(defaultFilters).meta?.redact).toBe(withoutPlans)
  serve([withPeep(occupant(1))])
  const { QueryClient } = await import('@tanstack/react-query')
  const client = new QueryClient()
  expect(JSON.stringify(await client.fetchQuery(safetyQuery))).not.toContain(plan.other)
  // the list came with the site; a phone may store it before the page shows it
  const list = client.getQueryCache().find({ queryKey: evacueesQuery(defaultFilters).queryKey })
  expect(list?.state.data).toBeDefined()
  expect(list?.meta?.redact).toBe(withoutPlans)
})

test('SAFE-09 SAFE-10 SAFE-11 SAFE-12 SAFE-13 SAFE-14 the areas panel: My Area, hidden All Buildings, buildings and their floors', async () => {
  await open()
  await filterButton('Areas').click()
  const panel = page.getByRole('region', { name: 'Select Building/Floors' })

  await expect.element(panel.getByRole('checkbox', { name: 'My Area' })).toBeChecked()
  expect(panel.getByRole('checkbox', { name: 'All Buildings' }).elements()).toEqual([])
  expect(panel.element().textContent).toContain('All Buildings')
  const popup = panel.element().querySelector('dialog')
  expect(popup?.textContent).toContain('Level 3')
  expect(popup?.checkVisibility()).toBe(false)
  await expect.element(panel.getByRole('checkbox', { name: 'Tower A [...]' })).toBePartiallyChecked()
  await panel.getByRole('button', { name: 'Floors of Tower A' }).click()
  await expect.element(panel.getByRole('checkbox', { name: 'Level 1' })).toBeChecked()
  await expect.element(panel.getByRole('checkbox', { name: 'Level 2' })).not.toBeChecked()
  await expectNoAxeViolations()

  await panel.getByRole('checkbox', { name: 'Level 2' }).click()
  restFinger(panel)
  await expect.poll(() => last()).toMatchObject({ area: 'building', floors: [floorId(2)] })
  await expect.element(panel.getByRole('checkbox', { name: 'Tower A [...]' })).toBePartiallyChecked()
  await panel.getByRole('checkbox', { name: 'Level 1' }).click()
  restFinger(panel)
  await expect.poll(() => last()).toMatchObject({ area: 'building', floors: [floorId(1), floorId(2)] })
  await expect.element(panel.getByRole('checkbox', { name: 'Tower A', exact: true })).toBeChecked()
  await panel.getByRole('checkbox', { name: 'Tower B' }).click()
  await expect.poll(() => last()).toMatchObject({ area: 'everyone', floors: ['all'] })
})

test('SAFE-23 AMB-124 the panel closes a second after the last choice, not while the keyboard is in it', async () => {
  await open()
  const panel = page.getByRole('region', { name: 'Select Building/Floors' })
  await filterButton('Areas').click()
  await panel.getByRole('checkbox', { name: 'Tower B' }).click()
  await expect.element(panel).toBeVisible()
  await expect.poll(() => panel.elements().length, { timeout: 2500 }).toBe(0)

  await filterButton('Areas').click()
  for (let n = 0; n < 4; n++) await userEvent.tab()
  await userEvent.keyboard(' ')
  await expect.element(panel.getByRole('checkbox', { name: 'My Area' })).toBeChecked()
  await new Promise((resolve) => setTimeout(resolve, 1200))
  await expect.element(panel).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => panel.elements().length).toBe(0)
})

test('UX-01 UX-05 the chief of the whole site, whose boxes are all ticked, taps Tower A and lists Tower A alone', async () => {
  const { state } = await open([occupant(1), occupant(2), occupant(3, { status: 'safe' })], {
    own: [floorId(1), floorId(2), floorId(3)],
  })
  await filterButton('Areas').click()
  const panel = page.getByRole('region', { name: 'Select Building/Floors' })
  await expect.element(panel.getByRole('checkbox', { name: 'Tower A' })).toBeChecked()

  await panel.getByRole('checkbox', { name: 'Tower A' }).click()
  restFinger(panel)

  await expect.element(panel.getByRole('checkbox', { name: 'My Area' })).not.toBeChecked()
  await expect.element(panel.getByRole('checkbox', { name: 'Tower A' })).toBeChecked()
  await expect.element(panel.getByRole('checkbox', { name: 'Tower B' })).not.toBeChecked()
  await displayButton(/Unknown/).click()
  const area = { area: 'building', floors: [floorId(1), floorId(2)], display: 'unknown' }
  await expect.poll(() => last()).toMatchObject(area)
  await page.getByRole('button', { name: 'Broadcast to 2', exact: true }).click()
  expect(state()).toMatchObject({ filters: area })
})

test('UX-02 the panel lies over the list without moving it, leaves counters and Broadcast free, and a click elsewhere closes it', async () => {
  await open(occupants(12))
  await shows(1, 'Unknown')
  const top = () => page.getByRole('list', { name: 'Evacuees' }).element().getBoundingClientRect().top
  const before = top()
  await filterButton('Areas').click()
  const panel = page.getByRole('region', { name: 'Select Building/Floors' })
  await expect.element(panel).toBeVisible()

  expect(top()).toBe(before)
  const { top: panelTop } = panel.element().getBoundingClientRect()
  for (const above of [displayButton(/Unknown/), broadcast()])
    expect(above.element().getBoundingClientRect().bottom).toBeLessThanOrEqual(panelTop)
  await displayButton(/Unknown/).click()
  await expect.poll(() => panel.elements().length).toBe(0)
})

test('UX-02 SAFE-23 each tap starts the second again; a finger that rests inside, or floors just unfolded, hold the panel open', async () => {
  await open()
  await filterButton('Areas').click()
  const panel = page.getByRole('region', { name: 'Select Building/Floors' })
  await expect.element(panel).toBeVisible()
  // The machine may be busy between two taps: the clock goes only as far as the test lets it.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await panel.getByRole('checkbox', { name: 'Tower B' }).click()

  await vi.advanceTimersByTimeAsync(700)
  restFinger(panel)
  await vi.advanceTimersByTimeAsync(1200)
  expect(panel.elements()).toHaveLength(1)
  panel.element().dispatchEvent(new PointerEvent('pointerup', { bubbles: true }))
  await vi.advanceTimersByTimeAsync(700)
  await panel.getByRole('button', { name: 'Floors of Tower A' }).click()
  await vi.advanceTimersByTimeAsync(1200)
  expect(panel.elements()).toHaveLength(1)
  await panel.getByRole('checkbox', { name: 'Level 1' }).click()
  await vi.advanceTimersByTimeAsync(900)
  expect(panel.elements()).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(300)
  await expect.poll(() => panel.elements().length).toBe(0)
})

test('BLDG-04 SAFE-21 a count of a building opens the list with that building and status', async () => {
  const { address } = await open(
    occupants(2),
    {},
    { at: `/evacuee/safety?display=danger&building=${siteBuildings[0]?.id}` },
  )

  await expect
    .poll(() => last())
    .toMatchObject({ area: 'building', floors: [floorId(1), floorId(2)], display: 'danger' })
  await expect.element(page.getByRole('heading', { name: 'Tower A' })).toBeVisible()
  await expect.element(displayButton(/Danger/)).toHaveAttribute('aria-pressed', 'true')
  expect(address()).toBe('/evacuee/safety')
})

test('BLDG-04 a building that is not in the event leaves the list with My Area', async () => {
  await open(occupants(2), {}, { at: '/evacuee/safety?display=odd&building=nowhere' })

  await shows(1, 'Unknown')
  await expect.element(page.getByRole('heading', { name: 'My Area' })).toBeVisible()
  await expect.element(displayButton(/All/)).toHaveAttribute('aria-pressed', 'true')
})

test("UX-10 an alarm's 'Open' lists the people of its floors, whatever was filtered before, or everyone's", async () => {
  await open(occupants(3))
  await search().fill('Person')
  await filterButton('Assist').click()
  await expect.poll(() => last()).toMatchObject({ search: 'Person', assist: true })
  await cleanup()

  const { address } = await open(occupants(2), {}, { at: `/evacuee/safety?display=danger&floor=${floorId(2)}` })
  const people = { message: 'show all', assist: false, visitor: false, search: '' }
  const inDanger = { ...people, area: 'building', floors: [floorId(2)], display: 'danger', refusal: false }
  await expect.poll(() => last()).toEqual(inDanger)
  await expect.element(search()).toHaveValue('')
  expect(address()).toBe('/evacuee/safety')
  await cleanup()

  await open(occupants(2), {}, { at: '/evacuee/safety?refusal=yes&area=everyone' })
  const refusing = { ...people, area: 'everyone', floors: ['all'], display: 'all', refusal: true }
  await expect.poll(() => last()).toEqual(refusing)
})

test('UX-11 the counters of safety are read out when they change', async () => {
  const { queryClient } = await open([occupant(1)])
  await shows(1, 'Unknown')
  serve([occupant(1, { status: 'danger' })])

  await queryClient.refetchQueries()

  await expect
    .poll(() => document.querySelector('[data-counters]')?.textContent)
    .toBe('Safe 0, Unknown 0, Danger 1, All 1')
})

test('UX-20 a filter that was changed after the unread banner stays changed, here and on the way back', async () => {
  const { address, unmount } = await open(occupants(2), {}, { at: '/evacuee/safety?message=unread' })
  await expect.element(filterButton('Messages: unread')).toBeVisible()
  await filterButton('Messages: unread').click()
  await expect.element(filterButton('Messages: no reply')).toBeVisible()
  expect(address()).toBe('/evacuee/safety')
  await unmount()

  await open(occupants(2))

  await expect.element(filterButton('Messages: no reply')).toBeVisible()
})

test('UX-20 filters and search are still there after a visit to a thread', async () => {
  await open(occupants(3))
  await displayButton(/Unknown/).click()
  await search().fill('Person')
  await expect.poll(() => last()?.search).toBe('Person')
  await cleanup()

  await open(occupants(3))

  await expect.element(search()).toHaveValue('Person')
  await expect.element(displayButton(/Unknown/)).toHaveAttribute('aria-pressed', 'true')
})
