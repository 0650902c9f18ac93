import { StrictMode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { chooseTheme } from '#web/lib/look/theme.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { cutOff, refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { readWall, type WallBoard } from '../../calls/walls.ts'
import { deviceZone, makeAnswer, makeBoard, someCalls } from '../board.fixture.ts'
import '../styles/styles.ts'
import looks from '../styles/wall.css?inline'
import { Wall } from './wall.tsx'

const sheet = new CSSStyleSheet()
sheet.replaceSync(looks)
document.adoptedStyleSheets.push(sheet)

const server = serverForEachTest()
afterEach(async () => {
  await page.viewport(390, 844)
})

const some = (given: Partial<WallBoard> = {}): WallBoard => ({
  version: 'v1',
  place: 'team',
  site: 'Harbour Quarter',
  timezone: deviceZone,
  ...makeBoard(),
  ...given,
})
const idle = some({ version: 'v0', board: null })
async function open(size: readonly [number, number] = [1920, 1080]) {
  await page.viewport(...size)
  return render(
    <StrictMode>
      <Wall token="a-token" drillBar={(isDrill) => isDrill && <p>DRILL. This is an exercise.</p>} />
    </StrictMode>,
  )
}
const totals = () => page.getByRole('region', { name: 'Totals' })
const pixels = (selector: string) =>
  [...document.querySelectorAll(selector)].map((one) => Number.parseFloat(getComputedStyle(one).fontSize))

test.for(['dark', 'light'] as const)(
  'BOARD-35 %s: list titles of 27 px, totals of 72 px, nine needs and the rest as a number, nothing to press',
  async (theme) => {
    chooseTheme(theme)
    server.answer(readWall, some())
    await open()
    await expect.element(totals()).toBeVisible()
    expect(Math.min(...pixels('.bd-entry b'))).toBeGreaterThanOrEqual(27)
    expect(Math.min(...pixels('.bd-count'))).toBeGreaterThanOrEqual(72)
    expect(document.querySelectorAll('.bd-needs li')).toHaveLength(9)
    await expect.element(page.getByText(/^and \d+ more$/)).toBeVisible()
    expect(document.querySelectorAll('button, a, select, input, [tabindex="0"]')).toHaveLength(0)
    for (const part of document.querySelectorAll<HTMLElement>('.bd-count, .bd-total h2, .bd-entry'))
      expect(part.scrollWidth, part.textContent ?? '').toBeLessThanOrEqual(part.clientWidth + 1)
    expect([document.documentElement.scrollWidth, document.documentElement.scrollHeight]).toEqual([1920, 1080])
    await expectNoAxeViolations()
  },
)

test.for([
  [1080, 1920],
  [768, 1366],
] as const)('BOARD-35 upright, at %s × %s, the list stands above the floors and nothing is cut', async (size) => {
  server.answer(readWall, some())
  await open(size)
  await expect.element(totals()).toBeVisible()
  const [list, floors] = ['.bd-needs', '.bd-matrix'].map((part) =>
    (document.querySelector(part) as HTMLElement).getBoundingClientRect(),
  )
  expect(floors?.top).toBeGreaterThan(list?.bottom as number)
  for (const part of document.querySelectorAll<HTMLElement>('.bd-count, .bd-total h2, .bd-entry'))
    expect(part.scrollWidth, part.textContent ?? '').toBeLessThanOrEqual(part.clientWidth + 1)
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(size[0])
  await expectNoAxeViolations()
})

test('BOARD-34 BOARD-36 it asks with what it has, comes alive with an event, and is cleared when its link ends', async () => {
  server.answer(readWall, idle)
  await open()
  await expect.element(page.getByText('No Current Events')).toBeVisible()
  await expect.element(page.getByText('Connected')).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'Harbour Quarter' })).toBeVisible()
  await expectNoAxeViolations()

  server.answer(readWall, some())
  await expect.element(totals(), { timeout: 4000 }).toBeVisible()
  const { at } = makeBoard().board
  server.answer(readWall, { unchanged: true, at, slow_at: at })
  await expect
    .poll(() => server.received(readWall).at(-1)?.input.body, { timeout: 4000 })
    .toEqual({ token: 'a-token', seen: 'v1', places: '3x40' })
  await expect.element(totals()).toBeVisible()
  expect(server.received(readWall)[0]?.headers.get('authorization')).toBeNull()

  server.answer(readWall, refused('link_ended'))
  await expect.element(page.getByText('This screen link no longer works.'), { timeout: 4000 }).toBeVisible()
  expect(document.body.textContent).not.toMatch(/Harbour|\d/)
  await expectNoAxeViolations()
})

test('BOARD-36 BOARD-20 a lost connection keeps the figures under a yellow bar, and the screen goes on asking', async () => {
  server.answer(readWall, some())
  await open()
  await expect.element(totals()).toBeVisible()
  server.answer(readWall, cutOff)
  const realNow = Date.now
  const skew = vi.spyOn(Date, 'now').mockImplementation(() => realNow() + 20_000)
  await expect.element(page.getByText(/^Not up to date, as of /)).toBeVisible()
  await expect.element(totals()).toBeVisible()
  skew.mockRestore()
  server.answer(readWall, some({ version: 'v2' }))
  await expect.element(page.getByText(/^Not up to date, as of /)).not.toBeInTheDocument()
})

test('BOARD-33 a screen where others can see it leaves out what the server leaves out', async () => {
  const made = makeBoard()
  const {
    unknown_by_cause: _causes,
    own_word: _word,
    plans: _plans,
    unanswered: _messages,
    calls: _calls,
    ...left
  } = made.board.totals
  server.answer(readWall, some({ place: 'public', board: { ...made.board, totals: left, contradictions: [] } }))
  await open([390, 844])
  await expect.element(totals()).toBeVisible()
  const titles = totals().getByRole('heading').elements()
  expect(titles.map(({ textContent }) => textContent)).toEqual([
    ...['In danger', 'Unknown', 'Safe', 'Floors cleared', 'No warden', 'Refused'],
  ])
  expect(document.body.textContent).not.toMatch(/calls? for help/i)
  await expectNoAxeViolations()
})

test('REC-26 BOARD-33 a screen of the emergency team shows calls for help, without a way to answer them', async () => {
  const { places, board } = makeBoard()
  server.answer(readWall, some({ board: makeAnswer(places, board.floors, new Date(), [someCalls(13)]) }))
  await open()
  await expect.element(page.getByText('+ 1 call for help')).toBeVisible()
  await expect.element(page.getByText(/^Call for help, \d\d:\d\d$/)).toBeVisible()
  expect(page.getByRole('link').elements()).toEqual([])
  await expectNoAxeViolations()
})

test('KIND-07 a drill is told on the wall', async () => {
  const made = makeBoard()
  const board = { ...made.board, event: { ...made.board.event, kind: 'drill' as const } }
  server.answer(readWall, some({ board }))
  await open()
  await expect.element(page.getByText('DRILL. This is an exercise.')).toBeVisible()
})
