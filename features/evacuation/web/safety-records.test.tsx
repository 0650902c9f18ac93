import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { floorStatusLabel, type SafetyStatus } from '#kernel/vocabulary.ts'
import { createTopicRefresh } from '#web/live/topic-refresh.ts'
import { outbox } from '#web/outbox/outbox.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { cutOff } from '#web/testing/fake-server.ts'
import { floorData, level3, level4, occupant, occupants, peepPerson } from '#web/testing/floor-data.ts'
import { getFloorData, listOccupants, type PeepPerson, setPersonStatus } from '../calls/evacuation.ts'
import { choose, floorOnScreen, record, sheet, shows, statusButton } from './floor.fixture.tsx'

const { server, open, serve } = floorOnScreen()
const choices = () =>
  sheet()
    .getByRole('button')
    .elements()
    .map(({ textContent }) => textContent)
    .filter(Boolean)
const signalReturns = () => window.dispatchEvent(new Event('online'))

const offers: [SafetyStatus, string[]][] = [
  ['safe', ['Unknown', 'Danger on floor']],
  ['unknown', ['Safe on floor', 'Danger on floor']],
  ['danger', ['Safe on floor', 'Unknown']],
]
test.for(offers)('FLOOR-21 a person who is %s is offered the two other statuses only', async ([status, others]) => {
  await open([occupant(1, { status })])
  await shows(1, floorStatusLabel[status])
  await statusButton(1).click()

  expect(choices()).toEqual([...others, 'Record refusal to evacuate'])
  for (const choice of sheet()
    .getByRole('button', { name: /on floor|Unknown/ })
    .elements())
    expect(choice.getBoundingClientRect().height).toBeGreaterThanOrEqual(64)
  await expectNoAxeViolations()
})

test('FLOOR-21 an open menu follows what another warden records, says so and holds the focus', async () => {
  const { change, queryClient } = await open([occupant(1, { status: 'safe', on_floor: true })])
  await statusButton(1).click()
  await expect.element(sheet().getByRole('button', { name: 'Unknown' })).toHaveFocus()

  change(occupant(1).id, { status: 'unknown', on_floor: false, reported: true })
  const refresh = createTopicRefresh(queryClient)
  refresh.note([{ topic: 'evacuee', ids: [] }])

  const news = sheet().getByText('Recorded in the meantime: Unknown, refuses to evacuate')
  await expect.element(news).toHaveFocus()
  await expect.element(news).toHaveRole('status')
  expect(choices()).toEqual(['Safe on floor', 'Danger on floor', 'Take back refusal to evacuate'])
  await expectNoAxeViolations()
  refresh.stop()
})

test('FLOOR-21 FLOOR-03 the menu of someone with a plan follows the floor, and stays open when they leave it', async () => {
  const { queryClient } = await open([], { peep: [peepPerson(1)] })
  await page.getByRole('button', { name: /People with Disability/ }).click()
  await statusButton(1).click()
  const refresh = createTopicRefresh(queryClient)
  const read = (peep: PeepPerson[]) => {
    server.answer(getFloorData, floorData([], { peep }))
    refresh.note([{ topic: 'floor', ids: [] }])
  }

  read([{ ...peepPerson(1), status: 'danger', on_floor: true }])
  await expect.poll(choices).toEqual(['Safe on floor', 'Unknown'])
  read([])
  await expect.element(page.getByText('No PEEPs on this floor')).toBeInTheDocument()
  expect(choices()).toEqual(['Safe on floor', 'Unknown'])
  refresh.stop()
})

test('FLOOR-17 FLOOR-20 a status is recorded for the person on this floor; danger travels as in danger', async () => {
  await open()
  await record(2, 'Danger on floor')

  await shows(2, 'Danger on floor')
  expect(server.received(setPersonStatus).map(({ input }) => input.body)).toEqual([
    { personId: occupant(2).id, status: 'in danger', floorId: level3 },
  ])
  await expectNoAxeViolations()
})

test('FLOOR-22 CONST-11 the lists are read again one second after a status change', async () => {
  await open()
  const timers = vi.spyOn(window, 'setTimeout')
  const reads = () => [server.received(listOccupants).length, server.received(getFloorData).length]
  const [lists = 0, floors = 0] = reads()
  await record(1, 'Safe on floor')
  await expect.poll(() => timers.mock.calls.map(([, delay]) => delay)).toContain(1000)
  expect(reads()).toEqual([lists, floors])

  await expect.poll(reads, { timeout: 2000 }).toEqual([lists + 1, floors + 1])
})

test('KIND-14 a status that waits takes the place of what the drill knew', async () => {
  await open([occupant(1, { in_drill: { status: 'safe', at: new Date(2026, 0, 5, 10, 12).toISOString() } })])
  await expect.element(page.getByText('In the drill: Safe, 10:12')).toBeVisible()
  server.answer(setPersonStatus, cutOff)
  await record(1, 'Danger on floor')
  await shows(1, 'Danger on floor (waiting)')

  await expect.element(page.getByText(/In the drill/)).not.toBeInTheDocument()
})

test('FLOOR-17 a tap without signal is shown as waiting, survives what is read meanwhile, and is sent later', async () => {
  await open()
  server.answer(setPersonStatus, cutOff)
  await record(1, 'Safe on floor')
  await shows(1, 'Safe on floor (waiting)')
  await expectNoAxeViolations()

  const reads = server.received(listOccupants).length
  await page.getByRole('button', { name: 'Refresh' }).last().click()
  await expect.poll(() => server.received(listOccupants).length).toBe(reads + 1)
  await shows(1, 'Safe on floor (waiting)')

  serve()
  signalReturns()
  await shows(1, 'Safe on floor')
})

test('FLOOR-17 a read that began before the record was taken does not bring the old status back', async () => {
  await open()
  const late = Promise.withResolvers<void>()
  server.answer(listOccupants, async () => {
    await late.promise
    return {
      persons: occupants(2),
      pagination: { next_page_url: null, total: 2, from: 1, current_page: 1, total_pages: 1 },
      counts: { safe: 0, unknown: 2, danger: 0, total: 2 },
    }
  })
  await page.getByRole('button', { name: 'Refresh' }).last().click()
  await record(1, 'Danger on floor')
  await shows(1, 'Danger on floor')

  late.resolve()
  await new Promise(requestAnimationFrame)
  await shows(1, 'Danger on floor')
})

test('FLOOR-17 one record does not make the rest of the list look newer than it is', async () => {
  await open()
  const readAt = page.getByText(/^as of/)
  const before = readAt.element().querySelector('time')?.dateTime
  await record(1, 'Safe on floor')
  await shows(1, 'Safe on floor')
  await expect.poll(() => outbox.records.get()).toEqual([])

  expect(readAt.element().querySelector('time')?.dateTime).toBe(before)
})

test('FLOOR-17 for five seconds a tap can be undone, which records the status before it', async () => {
  await open([occupant(1, { status: 'danger' })])
  const timers = vi.spyOn(window, 'setTimeout')
  await record(1, 'Safe on floor')
  await shows(1, 'Safe on floor')
  expect(timers.mock.calls.map(([, delay]) => delay)).toContain(5000)

  await page.getByRole('button', { name: 'Undo' }).last().click()

  await shows(1, 'Danger on floor')
  await expect
    .poll(() => server.received(setPersonStatus).map(({ input }) => input.body.status))
    .toEqual(['safe on floor', 'in danger'])
})

const bodies = () => server.received(setPersonStatus).map(({ input }) => input.body)
const undo = () => page.getByRole('button', { name: 'Undo' }).last().click()

test('FLOOR-17 AMB-106 undone, a tap on someone from another floor leaves them on theirs', async () => {
  await open([occupant(1, { location: 'Tower A - Level 4', floor: level4 })])
  await record(1, 'Safe on floor')
  await shows(1, 'Safe on floor')
  await undo()

  await shows(1, 'Unknown')
  const personId = occupant(1).id
  await expect.poll(bodies).toEqual([
    { personId, status: 'safe on floor', floorId: level3 },
    { personId, status: 'unknown', floorId: level4 },
  ])
})

test.for([
  ['safe', false, 'safe'],
  ['safe', true, 'safe on floor'],
  ['danger', true, 'danger on floor'],
] as const)('FLOOR-17 AMB-066 undone, %s (on a floor: %s) is recorded as %s', async ([status, on_floor, word]) => {
  await open([occupant(1, { status, on_floor })], { peep: [{ ...peepPerson(5), status, on_floor }] })
  await record(1, 'Unknown')
  await shows(1, 'Unknown')
  await undo()
  await page.getByRole('button', { name: /People with Disability/ }).click()
  await record(5, 'Unknown')
  await shows(5, 'Unknown')
  await undo()

  const persons = [occupant(1), peepPerson(5)].flatMap(({ id }) => [
    { personId: id, status: 'unknown', floorId: level3 },
    { personId: id, status: word, floorId: level3 },
  ])
  await expect.poll(bodies).toEqual(persons)
})

test('FLOOR-17 AMB-106 undone, a second tap goes back to the floor of the first, sent or still waiting', async () => {
  await open([occupant(1, { floor: level4 }), occupant(2, { floor: level4 })])
  server.answer(listOccupants, () => new Promise(() => {}))
  await record(1, 'Safe on floor')
  await expect.poll(bodies).toHaveLength(1)
  await expect.poll(() => outbox.records.get()).toEqual([])
  server.answer(setPersonStatus, cutOff)
  await record(2, 'Safe on floor')
  await shows(2, 'Safe on floor (waiting)')
  for (const n of [1, 2]) {
    await record(n, 'Danger on floor')
    await shows(n, 'Danger on floor (waiting)')
    await undo()
    await shows(n, 'Safe on floor (waiting)')
  }

  const kept = outbox.records.get().map(({ body }) => body)
  const back = (n: number) => ({ personId: occupant(n).id, status: 'safe on floor', floorId: level3 })
  expect([kept.at(-3), kept.at(-1)]).toEqual([back(1), back(2)])
})

test('FLOOR-17 undone without signal, a tap leaves nothing behind that could take back what others saw meanwhile', async () => {
  const { change } = await open()
  server.answer(setPersonStatus, cutOff)
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  await record(1, 'Safe on floor')
  await shows(1, 'Safe on floor (waiting)')
  change(occupant(1).id, { status: 'danger' })
  await undo()
  await shows(1, 'Unknown')
  expect(outbox.records.get()).toEqual([])

  await page.getByRole('button', { name: 'Refresh' }).last().click()
  await shows(1, 'Danger on floor')
})

test('FLOOR-18 a person with a plan is recorded from that list too', async () => {
  await open(occupants(1), { peep: [peepPerson(5)] })
  await page.getByRole('button', { name: /People with Disability/ }).click()
  await statusButton(5).click()
  expect(choices()).toEqual(['Safe on floor', 'Danger on floor'])
  await choose('Safe on floor')

  await shows(5, 'Safe on floor')
})
