import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { countAsked } from '#features/accounting/calls.ts'
import type { SelfReportUid } from '#kernel/ids.ts'
import { tellNews } from '#web/live/feed-news.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { flags } from '#web/testing/stored-auth.ts'
import { type Board, type BoardCalls, getBoard, getBoardPlaces } from '../calls/board.ts'
import { getBoardFloor } from '../calls/board-panel.ts'
import { DangerWatch } from './alert/danger-watch.ts'
import { floorId, makeAnswer, makeBoard, someCalls, somePanel } from './board.fixture.ts'
import { BoardScreen } from './board-screen.tsx'

const server = serverForEachTest()
afterEach(() => page.viewport(390, 844))

const places = makeBoard({ buildings: 1, floors: 8 }).places
const quiet = places.buildings.flatMap(({ floors }) => floors.map(() => ({ status: 2, safe: 9, wardens: 1 })))
const boardOf = (calls: BoardCalls[], floors: Board['floors'] = quiet) => makeAnswer(places, floors, new Date(), calls)

async function open(board: Board, size: readonly [number, number] = [1440, 900], auth = {}) {
  await page.viewport(...size)
  server.answer(getBoard, board)
  server.answer(getBoardPlaces, places)
  server.answer(getBoardFloor, somePanel(2))
  server.answer(countAsked, {
    count: 0,
    text: '',
    segments: 0,
    asked_lately: 0,
    without_mobile: 0,
    sms_refused: 0,
  })
  const screen = await renderScreen(<BoardScreen />, { at: '/event/board', auth })
  await expect.element(page.getByRole('region', { name: 'Totals' })).toBeVisible()
  return screen
}
const needs = () => page.getByRole('region', { name: /^Needs you/ })
const total = () => page.getByRole('region', { name: 'Totals' }).element().querySelector('.bd-total')?.textContent

test.for([
  ['desk', [1440, 900]],
  ['phone', [390, 844]],
] as const)(
  'BOARD-05 BOARD-13 REC-26 on a %s calls for help stand beside the people in danger, are a need, and lead to the reports',
  async ([, size]) => {
    const { address } = await open(boardOf([someCalls(2, 3), someCalls(undefined)]), size)
    expect(total()).toBe('In danger0+ 4 calls for help')
    await expect.element(needs().getByText(/^3 calls for help, newest \d\d:\d\d$/)).toBeVisible()
    await expect.element(needs().getByText('Place not known')).toBeVisible()
    await expect.element(needs().getByText(/^Call for help, \d\d:\d\d$/)).toBeVisible()
    await expectNoAxeViolations()
    await needs().getByRole('link', { name: 'Answer' }).first().click()
    await expect.poll(address).toMatch(/^\/event\/people\?tab=reports&open=/)
  },
)

test('BOARD-05 one call, and none', async () => {
  await open(boardOf([someCalls(2)]))
  expect(total()).toBe('In danger0+ 1 call for help')
  server.answer(getBoard, () => boardOf([]))
  tellNews([{ topic: 'report', ids: [] }], 7)
  await expect.poll(total).toBe('In danger0on 0 floors')
})

test('REC-26 a cleared floor with a call for help is not drawn quiet, and says so', async () => {
  await open(boardOf([someCalls(2)]))
  const floor = page.getByRole('gridcell', { name: /^Tower A, Level 5: .* 1 call for help/ })
  await expect.element(floor).toBeVisible()
  expect(floor.element().className).not.toContain('bd-calm')
  const other = page.getByRole('gridcell', { name: /^Tower A, Level 4/ })
  expect(other.element().className).toContain('bd-calm')
})

test('BOARD-15 REC-28 the panel of a floor lists its calls with what was said, and leads to the reports', async () => {
  await open(boardOf([someCalls(2)]))
  const at = new Date(Date.now() - 120_000).toISOString()
  const uid = floorId(77) as unknown as SelfReportUid
  server.answer(getBoardFloor, somePanel(2, { calls: [{ uid, at, name: 'Ann Lee', words: 'Stair B, door jammed' }] }))
  await needs()
    .getByRole('button', { name: /Call for help/ })
    .click()
  const calls = page.getByRole('list', { name: 'Calls for help' })
  await expect.element(calls.getByText('Ann Lee', { exact: false })).toBeVisible()
  await expect.element(calls.getByText('Stair B, door jammed', { exact: false })).toBeVisible()
  await expect
    .element(page.getByRole('region', { name: /Level 5/ }).getByRole('link', { name: 'Answer' }))
    .toBeVisible()
  await expectNoAxeViolations()
})

test('REC-28 who may not read names gets no way to the reports, and no dead button', async () => {
  await open(boardOf([someCalls(undefined)]), [1440, 900], {
    module_access: flags('Module_Building_Evacuation_Status'),
  })
  await expect.element(needs().getByText('Place not known')).toBeVisible()
  expect(needs().getByRole('link').elements()).toEqual([])
  expect(needs().getByRole('button').elements()).toEqual([])
})

const picture = (calls: BoardCalls[], danger = 0) => ({
  places,
  heardAt: Date.now(),
  board: boardOf(
    calls,
    quiet.map((floor, nth) => (nth === 4 && danger > 0 ? { ...floor, danger, danger_at: 1400 } : floor)),
  ),
})

test('BOARD-18 BOARD-19 a new call for help is said once, with its place; at most every 10 s', () => {
  const watch = new DangerWatch()
  expect(watch.read(picture([someCalls(1, 1, 100)]), 0)).toBeUndefined()
  expect(watch.read(picture([someCalls(1, 2, 200)]), 1000)).toBe('New call for help, Tower A · Level 6')
  expect(watch.read(picture([someCalls(1, 2, 200)]), 12_000)).toBeUndefined()
  // two within 10 s are told together, when they have passed
  expect(watch.read(picture([someCalls(1, 3, 300)]), 13_000)).toBe('New call for help, Tower A · Level 6')
  expect(watch.read(picture([someCalls(1, 4, 310), someCalls(2, 1, 311)]), 14_000)).toBeUndefined()
  expect(watch.read(picture([someCalls(1, 4, 310), someCalls(2, 1, 311)]), 23_000)).toMatch(
    /^New call for help, Tower A · Level [56] and 1 more$/,
  )
})

test('BOARD-19 a call that came as another was answered is news; one that was answered is none', () => {
  const watch = new DangerWatch()
  watch.read(picture([someCalls(1, 2, 200)]), 0)
  // the newer one was answered, the older stands
  expect(watch.read(picture([someCalls(1, 1, 100)]), 11_000)).toBeUndefined()
  expect(watch.read(picture([]), 22_000)).toBeUndefined()
  expect(watch.read(picture([someCalls(1, 1, 100)]), 33_000)).toBeUndefined()
  expect(watch.read(picture([someCalls(1, 1, 250)]), 44_000)).toBe('New call for help, Tower A · Level 6')
})

test('BOARD-19 danger and a call for help that come together are both said, danger first', () => {
  const watch = new DangerWatch()
  watch.read(picture([]), 0)
  expect(watch.read(picture([someCalls(undefined)], 2), 1000)).toBe(
    'New: 2 in danger, Tower A · Level 3. New call for help, Place not known',
  )
  // fewer, then as many again
  expect(watch.read(picture([someCalls(undefined)], 1), 12_000)).toBeUndefined()
  expect(watch.read(picture([someCalls(undefined)], 2), 23_000)).toBe('New: 1 in danger, Tower A · Level 3')
})

test('BOARD-19 the live region says it', async () => {
  await open(boardOf([]))
  const said = () => document.querySelector('[data-board-news]')?.textContent
  expect(said()).toBe('')
  server.answer(getBoard, () => boardOf([someCalls(2)]))
  tellNews([{ topic: 'report', ids: [] }], 7)
  await expect.poll(said).toBe('New call for help, Tower A · Level 5')
})
