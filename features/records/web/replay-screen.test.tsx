import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { BuildingUid, FloorUid } from '#kernel/ids.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { refused, serverForEachTest } from '#web/testing/fake-server.ts'
import { renderScreen } from '#web/testing/render-screen.tsx'
import { getRecord } from '../calls/records.ts'
import { getReplay, type RecordReplay } from '../calls/replay.ts'
import { answerWith, someEvent, someRecord } from './records.fixture.tsx'
import { ReplayScreen } from './replay-screen.tsx'

const server = serverForEachTest()
afterEach(() => page.viewport(390, 844))

const [tower, other] = someRecord.buildings.map(({ id }) => [id, id.replace('3', '4') as BuildingUid])[0] ?? []
const place = (name: string | null, building = tower as BuildingUid, building_name = 'Tower A') => ({
  id: crypto.randomUUID() as FloorUid,
  name,
  building,
  building_name,
})
/** 86 steps of 10 s: people of Level 2 become safe, Level 1 is reported clear in step 25, and one is in danger from 30 to 40. */
const replay: RecordReplay = {
  stepSeconds: 10,
  steps: 87,
  statuses: [
    { name: 'Not Started', colour: 'grey' },
    { name: 'Evacuated', colour: 'green' },
  ],
  places: [place('Level 2'), place('Level 1'), place(null), place('Ground', other, 'Tower B')],
  cells: [
    [0, 0, 0, 20, 0, 0, 0],
    [0, 1, 0, 10, 0, 0, 0],
    [0, 2, 0, 2, 0, -1, 0],
    [0, 3, 0, 3, 0, 0, 0],
    [4, 0, 0, 20, 0, 0, 1],
    [25, 1, 10, 0, 0, 1, 0],
    [30, 0, 10, 9, 1, 0, 1],
    [40, 0, 20, 0, 0, 0, 1],
    [86, 3, 3, 0, 0, 1, 0],
  ],
}

async function open({ size = [390, 844], answer = replay as RecordReplay | 'none', record = someRecord } = {}) {
  await page.viewport(size[0] ?? 390, size[1] ?? 844)
  server.answer(getRecord, answerWith(record))
  if (answer === 'none') server.answer(getReplay, refused('not_found'))
  else server.answer(getReplay, answer)
  return renderScreen(<ReplayScreen />, {
    at: `/event/records/${someEvent}/replay`,
    route: '/event/records/:eventUid/replay',
  })
}
const slider = () => page.getByRole('slider', { name: 'Time' })
const at = (step: string) => expect.element(slider()).toHaveValue(step)
const tower1 = () => page.getByRole('region', { name: 'Tower A' })

test('RPL-01 a board: buildings, floors from the top down, status in word and colour, bar, warden, and the bar that it is a replay', async () => {
  await open()
  await expect.element(page.getByText('REPLAY of Record 14', { exact: true })).toBeVisible()
  const rows = tower1().getByRole('listitem')
  await expect
    .poll(() => rows.elements().map((row) => row.textContent))
    .toEqual([
      'Level 2Not StartedNo warden0 safe, 20 unknown, 0 in danger',
      'Level 1Not StartedNo warden0 safe, 10 unknown, 0 in danger',
      'Without a floor0 safe, 2 unknown, 0 in danger',
    ])
  // only time can be pressed
  expect(
    page
      .getByRole('button')
      .elements()
      .map((button) => button.textContent),
  ).toEqual(['Play', '1x', '5x', '20x', '60x'])
  for (const control of page.getByRole('button').elements())
    expect(control.getBoundingClientRect().height).toBeGreaterThanOrEqual(48)
  const speeds = page.getByRole('group', { name: 'Speed' }).getByRole('button').elements()
  expect(new Set(speeds.map((speed) => speed.getBoundingClientRect().top)).size).toBe(1)
})

test('RPL-02 RPL-03 by keyboard: arrows 1 step, Page 10, Home, End; the moment at hand is read out, and nothing is invented between steps', async () => {
  await open()
  const live = () => document.querySelector('[aria-live=polite].rpl-moment')?.textContent
  await at('0')
  await expect.poll(live).toBe('10:00:00 The event began.')
  slider().element().focus()
  await userEvent.keyboard('{PageUp}{PageUp}{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}')
  await at('24')
  await expect.element(tower1().getByText('0 safe, 10 unknown, 0 in danger')).toBeVisible()
  await expect.poll(live).toBe('10:00:50 Tower A, Level 2: a warden is on duty.')
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(tower1().getByText('10 safe, 0 unknown, 0 in danger')).toBeVisible()
  await expect.poll(live).toBe('10:04:20 Tower A, Level 1: Evacuated.')
  await userEvent.keyboard('{End}')
  await at('86')
  await expect.element(slider()).toHaveAttribute('aria-valuetext', '10:14:20')
  await userEvent.keyboard('{PageDown}{ArrowLeft}{Home}')
  await at('0')
  // a tick at each key moment
  expect(document.querySelectorAll('.rpl-slider path')).toHaveLength(5)
})

test('RPL-02 at 60x it plays to its end, from the keyboard alone, and the end has the figures of the record', async () => {
  await open()
  await at('0')
  const fast = page.getByRole('button', { name: '60x' })
  fast.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(fast).toHaveAttribute('aria-pressed', 'true')
  slider().element().focus()
  await userEvent.keyboard(' ')
  await expect.element(page.getByRole('button', { name: 'Pause' })).toBeVisible()
  await userEvent.keyboard(' ')
  await expect.element(page.getByRole('button', { name: 'Play' })).toBeVisible()
  await userEvent.keyboard(' ')
  await expect.element(slider(), { timeout: 20_000 }).toHaveValue('86')
  // with the 3 of Tower B: 33 safe and 2 unknown, as in the record
  await expect.element(tower1().getByText('30 safe, 2 unknown, 0 in danger')).toBeVisible()
  await expect
    .element(page.getByRole('region', { name: 'Tower B' }).getByText('3 safe, 0 unknown, 0 in danger').first())
    .toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Play' })).toBeVisible()
})

test('RPL-01 axe finds nothing at 320 and 1440, and at 1440 all buildings stand side by side', async () => {
  await open({ size: [320, 640] })
  await expect.element(tower1()).toBeVisible()
  expect(document.documentElement.scrollWidth).toBe(320)
  await expectNoAxeViolations()
  await page.viewport(1440, 900)
  const tops = () =>
    page
      .getByRole('region')
      .elements()
      .map((one) => one.getBoundingClientRect().top)
  await expect.poll(() => new Set(tops()).size).toBe(1)
  await expectNoAxeViolations()
})

test('RPL-03 a record of an earlier version says that it has no replay', async () => {
  await open({ answer: 'none' })
  await expect.element(page.getByText('This record has no replay.')).toBeVisible()
})

test('REC2-25 a building that is not in the event yet, or has left it, is grey and hatched with its last counts, and both have a tick', async () => {
  const [first] = someRecord.buildings
  if (!first) throw new Error('no building')
  const joins = { ...first, id: other as BuildingUid, name: 'Tower B', joined: 45, left: 605 }
  const ground = replay.places[3]
  if (!ground) throw new Error('no place')
  const cells = [
    [0, 0, 0, 3, 0, -1, 0],
    [0, 1, 0, 2, 0, -1, 0],
    [4, 0, 0, 3, 0, 0, 0],
    [20, 0, 2, 1, 0, 1, 1],
    [60, 0, 2, 1, 0, -1, 0],
  ]
  await open({
    record: {
      ...someRecord,
      buildings: [first, joins],
      outages: { server: [{ from: 300, to: 340 }], feed: [{ from: 400, to: 420 }] },
    },
    answer: { ...replay, places: [ground, { ...ground, id: crypto.randomUUID() as FloorUid, name: null }], cells },
  })
  const rows = () =>
    page
      .getByRole('region', { name: 'Tower B' })
      .getByRole('listitem')
      .elements()
      .map((row) => row.textContent)
  await expect
    .poll(rows)
    .toEqual([
      'GroundNot in the event yet0 safe, 3 unknown, 0 in danger',
      'Without a floorNot in the event yet0 safe, 2 unknown, 0 in danger',
    ])
  await expectNoAxeViolations()
  const live = () => document.querySelector('[aria-live=polite].rpl-moment')?.textContent
  slider().element().focus()
  await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}')
  await expect.poll(live).toBe('10:00:50 Tower B joined the event.')
  await expect
    .poll(rows)
    .toEqual([
      'GroundNot StartedNo warden0 safe, 3 unknown, 0 in danger',
      'Without a floor0 safe, 2 unknown, 0 in danger',
    ])
  await userEvent.keyboard('{PageUp}{PageUp}{PageUp}')
  await expect.poll(live).toBe('10:05:10 The server was unavailable.')
  await userEvent.keyboard('{PageUp}')
  await expect.poll(live).toBe('10:06:50 Live updates were delayed.')
  await userEvent.keyboard('{PageUp}{PageUp}')
  await expect.poll(live).toBe('10:10:10 Tower B left the event. Tower B, Ground: no warden is on duty.')
  await expect
    .poll(rows)
    .toEqual([
      'GroundLeft the event2 safe, 1 unknown, 0 in danger',
      'Without a floorLeft the event0 safe, 2 unknown, 0 in danger',
    ])
  await expectNoAxeViolations()
})
