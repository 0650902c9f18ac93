import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { countAsked } from '#features/accounting/calls.ts'
import { changeFloor } from '#features/evacuation/calls/evacuation.ts'
import { chooseTheme } from '#web/lib/look/theme.ts'
import { tellNews } from '#web/live/feed-news.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { cutOff, refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { flags } from '#web/testing/stored-auth.ts'
import { type Board, getBoard, getBoardPlaces } from '../calls/board.ts'
import { getBoardFloor } from '../calls/board-panel.ts'
import { chooseBoardSound } from './alert/board-sound.ts'
import { floorId, makeAnswer, makeBoard, somePanel } from './board.fixture.ts'
import { BoardScreen } from './board-screen.tsx'

const server = serverForEachTest()
afterEach(async () => {
  vi.useRealTimers()
  chooseBoardSound(false)
  await page.viewport(390, 844)
})

const command = { turn: 't' as never, name: 'Grace Okafor', role: 'Chief Warden', since: 0 }
const instruction = {
  uid: 'i' as never,
  kind: 'evacuate' as const,
  by: 'Grace Okafor',
  at: 30,
  understood: 91,
  meant: 96,
}
const desk = [1440, 900] as const
const phone = [390, 844] as const
type Made = ReturnType<typeof makeBoard>

async function open(made: Made | Parameters<typeof makeBoard>[0] = {}, size: readonly [number, number] = desk) {
  const { board, places } = 'board' in made ? made : makeBoard(made)
  await page.viewport(...size)
  server.answer(getBoard, () => board)
  server.answer(getBoardPlaces, () => places)
  server.answer(getBoardFloor, somePanel(0))
  server.answer(countAsked, {
    count: 9,
    text: 'Are you safe?',
    segments: 9,
    asked_lately: 0,
    without_mobile: 0,
    sms_refused: 0,
  })
  const screen = await renderScreen(<BoardScreen />, { at: '/event/board' })
  await expect.element(page.getByRole('region', { name: 'Totals' })).toBeVisible()
  return { ...screen, board, places }
}
const cell = (name: RegExp) => page.getByRole('gridcell', { name })
const focused = () => document.activeElement?.querySelector('.bd-said')?.textContent
const needs = () => page.getByRole('region', { name: /^Needs you/ })
/** A later answer with these floors, and news of it. */
function change({ places }: Made, floors: Board['floors'], more: Partial<Board> = {}) {
  server.answer(getBoard, () => ({ ...makeAnswer(places, floors), ...more }))
  tellNews([{ topic: 'floor', ids: [] }], 7)
}

test('BOARD-02 BOARD-05 BOARD-06 BOARD-07 BOARD-11 totals in their order, each split adding up, and each floor with its words', async () => {
  const { board } = await open()
  const titles = page.getByRole('region', { name: 'Totals' }).getByRole('heading').elements()
  expect(titles.map(({ textContent }) => textContent)).toEqual([
    ...['In danger', 'Unknown', 'Safe', 'Floors cleared', 'PEEPs inside', 'No warden', 'Unanswered', 'Refused'],
  ])
  const { unknown } = board.totals.people
  for (const split of ['Unknown by place', 'Unknown by cause']) {
    const counts = page.getByRole('list', { name: split }).getByRole('listitem').elements()
    const told = counts.map(({ textContent }) => Number(textContent?.replace(/\D/g, '')))
    expect(told.reduce((sum, count) => sum + count)).toBe(unknown)
  }
  await expect.element(cell(/^Tower A, Level 27: Assistance Required.*2 in danger, 7 unknown/)).toBeVisible()
  expect(cell(/./).elements()).toHaveLength(120)
  const shown = cell(/^Tower A, Level 27/).element()
  expect(shown.querySelector('.bd-word')?.textContent).toBe('Assistance')
  expect(shown.getAttribute('title')).toBe('Level 27: Assistance Required')
})

test('BOARD-12 a tablet of 1,024 px has list and floors beside each other, and nothing of totals, bar and legend is cut', async () => {
  await open({}, [1024, 768])
  const [list, floors] = ['.bd-needs', '.bd-matrix'].map((part) =>
    (document.querySelector(part) as HTMLElement).getBoundingClientRect(),
  )
  expect(floors?.left).toBeGreaterThan(list?.right as number)
  for (const part of document.querySelectorAll<HTMLElement>(
    '.bd-total h2, .bd-below, .bd-split span, .bd-top, .bd-legend',
  ))
    expect(part.scrollWidth, part.textContent ?? '').toBeLessThanOrEqual(part.clientWidth + 1)
})

test('CMD-26 where current instructions differ a row carries the first letter of its own', async () => {
  const made = makeBoard()
  const floors = made.board.floors.map((floor, nth) => ({
    ...floor,
    told: nth < 3 ? ('stay' as const) : ('evacuate' as const),
  }))
  await open({ ...made, board: { ...made.board, floors } })

  const letters = [...document.querySelectorAll('.bd-letter')].map(({ textContent }) => textContent)
  expect(letters.slice(0, 5)).toEqual(['S', 'S', 'S', 'E', 'E'])
  await expect.element(cell(/instruction: Stay$/).first()).toBeVisible()
})

test('CMD-02 CMD-05 CMD-24 the bar tells who is in command and who has understood; a silent leader and a late instruction are needs', async () => {
  const made = makeBoard()
  await open({ ...made, board: { ...made.board, command: { ...command, silent_since: 60 }, instruction } })

  await expect.element(page.getByRole('link', { name: /^In command: Grace Okafor No contact for/ })).toBeVisible()
  await expect.element(page.getByRole('link', { name: /^Evacuate, .*91 of 96 understood$/ })).toBeVisible()
  await expect.element(needs().getByRole('button', { name: /^Command.*Grace Okafor: no contact for/ })).toBeVisible()
  await expect
    .element(needs().getByRole('button', { name: /^Instruction.*5 wardens have not confirmed/ }))
    .toBeVisible()
  await expectNoAxeViolations()
  await page.getByRole('button', { name: 'More' }).click()
  const entries = page.getByRole('dialog', { name: 'More' }).getByRole('link').elements()
  expect(entries.map(({ textContent }) => textContent)).toEqual([
    ...['Command', 'Instructions', 'Who has answered', 'Accounting', 'Floors without a warden', 'Hazards'],
    'Who opened plans',
    ...['Wall screens', 'Self-report poster'],
  ])
})

test('LADDER-07 wardens who were not reached are a need, which leads to who has answered', async () => {
  const made = makeBoard()
  await open({ ...made, board: { ...made.board, reach: { wardens: 2, since: 60 } } })

  const need = needs().getByRole('button', { name: /^Wardens.*2 wardens not reached/ })
  await expect.element(need).toBeVisible()
  await expectNoAxeViolations()
})

test('CMD-05 a command that no one has is told', async () => {
  const made = makeBoard()
  await open({ ...made, board: { ...made.board, command: { ...command, name: null, role: null } } })

  await expect.element(page.getByRole('link', { name: 'No one is in command.' })).toBeVisible()
})

test.for(['dark', 'light'] as const)(
  'BOARD-12 axe finds nothing in %s at 320, 390, 1440 and 1920, rows and cells',
  async (theme) => {
    chooseTheme(theme)
    await open()
    for (const width of [1920, 1440, 390, 320]) {
      // so high a phone that its foot lies over no entry, wherever the list ends
      await page.viewport(width, width < 1000 ? 3000 : 900)
      await expect.poll(() => document.querySelectorAll('[data-nth]').length).toBeGreaterThan(0)
      await expectNoAxeViolations()
      expect(document.documentElement.scrollWidth, `${width}`).toBe(width)
    }
  },
)

test.for([
  [1, 4, 'rows'],
  [3, 40, 'rows'],
  [25, 40, 'cells'],
  [100, 10, 'cells'],
] as const)(
  'BOARD-12 %s buildings of %s floors are drawn as %s, 25 of 40 on 1440x900 without scrolling',
  async ([buildings, floors, form]) => {
    await open({ buildings, floors })
    await expect.poll(() => document.querySelector('.bd-matrix')?.getAttribute('data-form')).toBe(form)
    expect(cell(/./).elements()).toHaveLength(buildings * floors)
    const matrix = document.querySelector('.bd-matrix') as HTMLElement
    const smallest = Math.min(
      ...[...matrix.querySelectorAll('[data-nth]')].map((one) => one.getBoundingClientRect().height),
    )
    expect(smallest).toBeGreaterThanOrEqual(form === 'rows' ? 16 : 15)
    if (buildings <= 25) expect(matrix.scrollHeight).toBe(matrix.clientHeight)
    expect(document.documentElement.scrollHeight).toBe(900)
  },
)

test('BOARD-17 any of 1,000 floors in at most 12 presses; one stop, arrows, pages, Home, End, Enter, Esc, G and ?', async () => {
  await open({ buildings: 25, floors: 40 })
  expect(document.querySelectorAll('[data-nth][tabindex="0"]')).toHaveLength(1)
  cell(/^Block 1, Level 39/)
    .element()
    .focus()
  const press = (keys: string) => userEvent.keyboard(keys)
  await press('{ArrowDown}{ArrowRight}')
  expect(focused()).toContain('Block 2, Level 38')
  await press('{PageDown}{End}')
  expect(focused()).toContain('Block 25, Level 28')
  await press('{Home}{Control>}{End}{/Control}')
  expect(focused()).toContain('Block 1, Ground')
  // the farthest by count: the 13th building, the 26th floor
  await press('{Control>}{Home}{/Control}')
  await press(
    '{Control>}{ArrowRight}{ArrowRight}{/Control}{ArrowRight}{ArrowRight}{PageDown}{PageDown}{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}',
  )
  expect(focused()).toContain('Block 13, Level 14')
  expect(document.querySelectorAll('[data-nth][tabindex="0"]')).toHaveLength(1)
  await press('{Enter}')
  await expect.element(page.getByRole('heading', { name: 'Block 13 · Level 14' })).toHaveFocus()
  await press('{Escape}')
  expect(focused()).toContain('Block 13, Level 14')
  await press('g')
  expect(focused()).toContain('Block 1, Level 27')
  await press('?')
  await expect.element(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
})

test('BOARD-15 BOARD-16 a press or the list of floors fills the panel; what the reader has no module for is left out', async () => {
  server.answer(changeFloor, { peep: [], status: floorId(0) as never, refusal_to_evacuate: 0 })
  const { address } = await open()
  await cell(/^Tower A, Level 27/).click()
  const panel = page.getByRole('region', { name: 'Tower A · Level 27' })
  await expect.element(panel.getByText('9: 4 asked, no answer · 3 not asked · 2 text failed')).toBeVisible()
  await expect.element(panel.getByText(/Assistance Required, 1 min, by A. Haddad \(Floor Warden\)/)).toBeVisible()
  await expectNoAxeViolations()
  await page.getByRole('combobox', { name: 'Choose a floor' }).selectOptions(floorId(47))
  await expect.element(page.getByRole('heading', { name: 'Tower B · Level 32' })).toBeVisible()
  await page.getByRole('button', { name: 'Open floor' }).click()
  await expect.poll(address).toBe('/floor/evacuation')
  expect(server.received(changeFloor)[0]?.input.body).toEqual({ floor: floorId(47) })
})

test('BOARD-15 CMD-26 PACK-12 the panel says who has the whole building, what the floor was told and what is dangerous', async () => {
  const made = makeBoard()
  await open({ ...made, board: { ...made.board, instruction } })
  server.answer(getBoardFloor, somePanel(0, { hazards: ['Gas in the plant room', 'Lifts are off'] }))
  await cell(/^Tower A, Level 27/).click()
  const panel = page.getByRole('region', { name: 'Tower A · Level 27' })

  const hazards = panel.getByRole('list', { name: 'Hazards' }).getByRole('listitem')
  await expect.element(hazards.first()).toHaveTextContent('Gas in the plant room')
  expect(hazards.elements().map(({ textContent }) => textContent)).toEqual(['Gas in the plant room', 'Lifts are off'])
  const factOf = (name: string) => panel.getByText(name, { exact: true }).element().nextElementSibling?.textContent
  expect(factOf('Instruction')).toBe('Evacuate')
  await expectNoAxeViolations()

  const buildings = made.board.buildings.map((one) => ({ ...one, whole: true as const }))
  const floors = made.board.floors.map((floor, nth) => ({ ...floor, told: nth < 3 ? ('stay' as const) : undefined }))
  change(made, floors as typeof made.board.floors, { buildings, instruction })
  await expect.poll(() => factOf('Wardens')).toMatch(/^A. Haddad, on duty since .*, for the whole building$/)
  expect(panel.getByText('Instruction', { exact: true }).query()).toBeNull()
})

test('BOARD-17 G passes over a need of the whole event', async () => {
  const made = makeBoard({ buildings: 1, floors: 8, seed: 3 })
  const floors = made.board.floors.map(({ status }, nth) => ({
    status: status ?? 0,
    wardens: 1,
    ...(nth === 2 && { danger: 1, danger_at: 1400 }),
    ...(nth === 4 && { danger: 1, danger_at: 1300 }),
  }))
  await open({
    ...made,
    board: { ...makeAnswer(made.places, floors), command: { ...command, name: null, role: null } },
  })
  await expect.element(needs().getByRole('button', { name: /^Command/ })).toBeVisible()
  cell(/^Tower A, Level 7/)
    .element()
    .focus()

  const visited = []
  for (const _ of [1, 2, 3]) {
    await userEvent.keyboard('g')
    visited.push(/Level \d/.exec(focused() ?? '')?.[0])
  }
  expect(visited).toEqual(['Level 5', 'Level 3', 'Level 5'])
})

test('BOARD-02 BOARD-15 a row of people on no floor has causes, Ask and Who, and nothing that is of a floor', async () => {
  const made = makeBoard({ buildings: 2, floors: 3 })
  const { board, places } = made
  const [building] = places.buildings
  building?.floors.push({ id: building.id, name: 'No floor', level: null })
  board.floors.splice(3, 0, { unknown: 9, danger: 1 })
  await open(made)
  const panelOf = { status: null, wardens: [], floor: { id: building?.id, name: 'No floor' } }
  server.answer(getBoardFloor, somePanel(0, panelOf as never))
  await cell(new RegExp(`^${building?.name}, No floor`)).click()

  const panel = page.getByRole('region', { name: `${building?.name} · No floor` })
  await expect.element(panel.getByText('9: 4 asked, no answer', { exact: false })).toBeVisible()
  await expect.element(panel.getByText('They have no floor.', { exact: false })).toBeVisible()
  await expect.element(panel.getByRole('button', { name: 'Ask 9' })).toBeVisible()
  await expect
    .element(panel.getByRole('link', { name: 'Who' }))
    .toHaveAttribute('href', `/event/people?floor=${building?.id}`)
  expect(server.received(getBoardFloor).at(-1)?.input.params.floorId).toBe(building?.id)
  const acts = [...panel.getByRole('button').elements(), ...panel.getByRole('link').elements()]
  expect(acts.map(({ textContent }) => textContent)).toEqual(['Ask 9', 'Who'])
  expect(panel.getByText('Wardens', { exact: true }).elements()).toEqual([])
  await expectNoAxeViolations()
})

test('BOARD-15 without the modules there are no buttons, and a removed building has left the event', async () => {
  const made = makeBoard()
  await page.viewport(...desk)
  server.answer(getBoard, made.board)
  server.answer(getBoardPlaces, made.places)
  server.answer(getBoardFloor, somePanel(0))
  await renderScreen(<BoardScreen />, {
    at: '/event/board',
    auth: { module_access: flags('Module_Building_Evacuation_Status') },
  })
  await cell(/^Harbour House, Level 39/).click()
  const panel = page.getByRole('region', { name: 'Harbour House · Level 39' })
  await expect.element(panel.getByText('A. Haddad, on duty since', { exact: false })).toBeVisible()
  expect(panel.getByRole('button').elements()).toEqual([])
  const fewer = makeBoard({ buildings: 2 })
  server.answer(getBoardPlaces, fewer.places)
  server.answer(getBoard, fewer.board)
  tellNews(null)
  await expect.element(panel.getByText('This floor has left the event.')).toBeVisible()
})

test('BOARD-13 BOARD-14 a need opens its floor; while the pointer is in the list new ones wait, and what is done is struck', async () => {
  const made = await open({ buildings: 1, floors: 8, seed: 3 })
  const floors = made.board.floors.map((floor) => ({ status: floor.status ?? 0, wardens: 1 }))
  change(
    made,
    floors.map((floor, nth) => (nth === 2 ? { ...floor, danger: 1, danger_at: 1400 } : floor)),
  )
  await expect.poll(() => needs().getByRole('listitem').elements().at(0)?.textContent).toContain('1 in danger')
  await userEvent.hover(needs().getByRole('list').element())
  change(
    made,
    floors.map((floor, nth) => (nth === 5 ? { ...floor, danger: 3, danger_at: 1410 } : floor)),
  )
  await expect.element(needs().getByRole('button', { name: '1 new, show' })).toBeVisible()
  await expect.poll(() => needs().getByRole('listitem').elements()[0]?.dataset.done).toBe('true')
  await needs().getByRole('button', { name: '1 new, show' }).click()
  await expect
    .poll(() =>
      needs()
        .getByRole('listitem')
        .elements()
        .map(({ textContent }) => textContent),
    )
    .toHaveLength(1)
  await needs()
    .getByRole('button', { name: /3 in danger/ })
    .click()
  await expect.element(page.getByRole('heading', { name: 'Tower A · Level 2' })).toBeVisible()
})

test('BOARD-14 after new entries were shown by the keyboard the list moves again', async () => {
  const made = await open({ buildings: 1, floors: 8, seed: 3 })
  const floors = made.board.floors.map((floor) => ({ status: floor.status ?? 0, wardens: 1 }))
  const inDanger = (...which: number[]) =>
    change(
      made,
      floors.map((floor, nth) => (which.includes(nth) ? { ...floor, danger: 1, danger_at: 1400 + nth } : floor)),
    )
  const entries = () => needs().getByRole('button', { name: /1 in danger/ })
  const waiting = needs().getByRole('button', { name: '1 new, show' })
  inDanger(2)
  await expect.poll(() => entries().length).toBe(1)
  entries().element().focus()
  inDanger(2, 5)
  await expect.element(waiting).toBeVisible()
  waiting.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => entries().length).toBe(2)

  inDanger(2, 5, 6)

  await expect.poll(() => entries().length).toBe(3)
  expect(waiting.query()).toBeNull()
})

test('BOARD-19 the same words of someone else are said again', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const made = await open({ buildings: 1, floors: 8 })
  const news = () => document.querySelector('[data-board-news] span')
  const floors = made.board.floors.map(({ status }) => ({ status: status ?? 0, wardens: 1 }))
  const inDanger = (danger: number) =>
    change(
      made,
      floors.map((floor, nth) => (nth === 2 ? { ...floor, danger, danger_at: 1400 } : floor)),
    )
  inDanger(1)
  await expect.poll(() => news()?.textContent).toBe('New: 1 in danger, Tower A · Level 5')
  const first = news()
  vi.setSystemTime(Date.now() + 11_000)

  inDanger(2)

  await expect.poll(() => news() !== first).toBe(true)
  expect(news()?.textContent).toBe('New: 1 in danger, Tower A · Level 5')
})

test('BOARD-19 only who is newly in danger is said, once for all that came together', async () => {
  const made = await open({ buildings: 1, floors: 8 })
  const said = () => document.querySelector('[data-board-news]')?.textContent
  expect(said()).toBe('')
  const floors = made.board.floors.map(({ status }) => ({ status: status ?? 0, wardens: 1 }))
  change(
    made,
    floors.map((floor, nth) => (nth === 2 ? { ...floor, danger: 2, danger_at: 1400 } : floor)),
  )
  await expect.poll(said).toBe('New: 2 in danger, Tower A · Level 5')
})

test('BOARD-12 BOARD-13 of 25 buildings each has its short name above it, and the list draws 20 of its needs', async () => {
  const made = makeBoard({ buildings: 25, floors: 40 })
  for (const floor of made.board.floors) floor.danger = 1
  await open(made)
  const building = page.getByRole('region', { name: 'Block 25', exact: true })
  await expect.element(building.getByText('B25', { exact: true })).toBeVisible()
  await expect.element(building.getByRole('heading')).toHaveAccessibleName('Block 25')
  await expect.element(needs().getByText(/^1,\d{3}, worst first$/)).toBeVisible()
  expect(needs().getByRole('listitem').length).toBe(20)
  await needs()
    .getByRole('button', { name: /^Show all 1,\d{3}$/ })
    .click()
  await expect.poll(() => needs().getByRole('listitem').length).toBeGreaterThan(999)
})

test('BOARD-03 a reading that changes each of 1,000 floors is drawn whole, and so is the next after a building has left', async () => {
  const made = makeBoard({ buildings: 25, floors: 40 })
  await open(made)
  const drawn = (danger: number) => {
    const marks = [...document.querySelectorAll('.bd-cell .bd-danger')]
    return marks.filter(({ textContent }) => textContent === String(danger)).length
  }
  const endanger = (of: Made, danger: number) =>
    change(
      of,
      of.board.floors.map((floor) => ({ ...floor, danger })),
    )

  endanger(made, 3)
  await expect.poll(() => drawn(3), { timeout: 5000 }).toBe(1000)

  const fewer = makeBoard({ buildings: 24, floors: 40 })
  server.answer(getBoardPlaces, () => fewer.places)
  endanger(fewer, 4)
  await expect.poll(() => drawn(4), { timeout: 5000 }).toBe(960)
  endanger(fewer, 5)
  await expect.poll(() => drawn(5), { timeout: 5000 }).toBe(960)
})

test('BOARD-12 rows of more buildings than fit keep their height, and the matrix scrolls', async () => {
  await open({ buildings: 25, floors: 40 })
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('radio', { name: 'Rows' }).click()
  const floor = () =>
    cell(/^Block 25, Ground/)
      .element()
      .getBoundingClientRect().bottom
  const building = () =>
    page.getByRole('region', { name: 'Block 25', exact: true }).element().getBoundingClientRect().bottom
  await expect.poll(() => document.querySelector('.bd-matrix')?.getAttribute('data-form')).toBe('rows')
  expect(floor()).toBeLessThanOrEqual(building())
})

test('BOARD-18 sound is off until it is asked for, and kept in this browser', async () => {
  await open({ buildings: 1, floors: 4 })
  await page.getByRole('button', { name: 'Sound off' }).click()
  await expect.element(page.getByRole('button', { name: 'Sound on' })).toBeVisible()
  expect(localStorage.getItem('boardSound')).toBe('on')
  await page.getByRole('button', { name: 'Sound on' }).click()
  expect(localStorage.getItem('boardSound')).toBeNull()
})

test('BOARD-20 after 15 s without an answer a yellow bar with the time, after 60 s the figures are hatched; nothing is blanked', async () => {
  const at = new Date(Date.now() - 16_000)
  const made = await open({ at })
  server.answer(getBoard, cutOff)
  const realNow = Date.now
  const later = (ms: number) => vi.spyOn(Date, 'now').mockImplementation(() => realNow() + ms)
  later(16_000)
  await expect.element(page.getByText(/^Not up to date, as of \d\d:\d\d:\d\d\.$/)).toBeVisible()
  await expectNoAxeViolations()
  later(61_000)
  await expect.poll(() => document.querySelector('.bd')?.getAttribute('data-freshness')).toBe('old')
  expect(getComputedStyle(document.querySelector('.bd-totals') as Element, '::after').content).toBe('"Old"')
  expect(cell(/./).elements()).toHaveLength(made.board.floors.length)
})

test('BOARD-21 loading is the shape without numbers; then the board', async () => {
  await page.viewport(...desk)
  const held = Promise.withResolvers<Board>()
  server.answer(getBoard, () => held.promise)
  const { board, places } = makeBoard()
  server.answer(getBoardPlaces, places)
  await renderScreen(<BoardScreen />, { at: '/event/board' })
  await expect.element(page.getByText('Loading...')).toBeInTheDocument()
  expect(document.querySelector('main')?.textContent).not.toMatch(/\d/)
  await expectNoAxeViolations()
  held.resolve(board)
  await expect.element(page.getByRole('region', { name: 'Totals' })).toBeVisible()
})

test.for([
  ['refused', refused('unavailable'), 'The board could not be loaded. Try again.'],
  ['no event', { status: 'error', message: 'No Current Events' }, 'No Current Events'],
  [
    'off duty',
    { status: 'error', message: 'You are not on duty in this event.' },
    'You are not on duty in this event.',
  ],
] as const)('BOARD-21 %s: the reason, no numbers', async ([, answer, words]) => {
  server.answer(getBoard, answer as never)
  await renderScreen(<BoardScreen />, { at: '/event/board' })
  await expect.element(page.getByText(words)).toBeVisible()
  await expectNoAxeViolations()
  if (words !== 'The board could not be loaded. Try again.') return
  const { board, places } = makeBoard({ buildings: 1, floors: 4 })
  server.answer(getBoard, board)
  server.answer(getBoardPlaces, places)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByRole('region', { name: 'Totals' })).toBeVisible()
})

test('BOARD-12 BOARD-23 More has Rows and Cells, the theme, and Wall screens for an event manager alone', async () => {
  await open()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('dialog', { name: 'More' }).getByText('Cells').click()
  await expect.poll(() => document.querySelector('.bd-matrix')?.getAttribute('data-form')).toBe('cells')
  await expectNoAxeViolations()
  await page.getByRole('link', { name: 'Wall screens' }).click()
  expect(location.pathname).toBe('/event/walls')
})

test('BOARD-15 BOARD-13 a phone: totals, five needs, skylines, floors with something to do; a floor opens as a sheet', async () => {
  await open({}, phone)
  expect(needs().getByRole('listitem').elements()).toHaveLength(5)
  await needs()
    .getByRole('button', { name: /^Show all/ })
    .click()
  expect(needs().getByRole('listitem').elements().length).toBeGreaterThan(5)
  const tower = page.getByRole('region', { name: 'Tower A' })
  await tower.getByRole('button', { name: /^Level 27/ }).click()
  const sheet = (name: string) => page.getByRole('dialog', { name })
  await expect.element(sheet('Tower A · Level 27').getByText('A. Haddad', { exact: false }).first()).toBeVisible()
  await expectNoAxeViolations()
  // BOARD-16: a floor with nothing to do has no button of its own
  await page.getByRole('combobox', { name: 'Choose a floor' }).selectOptions(floorId(47))
  await expect.element(sheet('Tower B · Level 32')).toBeVisible()
})
