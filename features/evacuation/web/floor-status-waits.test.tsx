import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { outbox } from '#web/outbox/outbox.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { cutOff, refused } from '#web/testing/fake-server.ts'
import { evacuated, floorData, level3, level4, notStarted, occupant } from '#web/testing/floor-data.ts'
import { dismissToasts } from '#web/testing/toasts.ts'
import { changeFloor, getFloorData, setFloorStatus } from '../calls/evacuation.ts'
import { choose, floorOnScreen, sheet } from './floor.fixture.tsx'

const { server, open } = floorOnScreen()
/** A floor status that clears the floor is not asked about (UX-41). */
const safe = [occupant(1, { status: 'safe' })]
const select = () => page.getByRole('combobox', { name: 'Floor status', exact: true })
const shown = () => (select().element() as HTMLSelectElement).selectedOptions[0]?.text
const sent = () => server.received(setFloorStatus).map(({ input }) => input.body.floorStatusId)
const taken = { status: 'success', overruled: false } as const
const signalReturns = () => window.dispatchEvent(new Event('online'))

test('AAR-44 without signal a floor status waits on the phone, and is sent with the time of the tap', async () => {
  server.answer(setFloorStatus, cutOff)
  const reads = await open(safe).then(() => server.received(getFloorData).length)
  const from = Date.now()
  await select().selectOptions('Evacuated')
  await expect.poll(shown).toBe('Evacuated (waiting)')
  const until = Date.now()
  await expectNoAxeViolations()

  server.answer(setFloorStatus, taken)
  signalReturns()

  await expect.poll(shown).toBe('Evacuated')
  expect(outbox.records.get()).toEqual([])
  const headers = server.received(setFloorStatus).at(-1)?.headers
  const observedAt = Date.parse(headers?.get('x-observed-at') ?? '')
  expect([observedAt >= from, observedAt <= until]).toEqual([true, true])
  expect(headers?.get('idempotency-key')).toBe(server.received(setFloorStatus)[0]?.headers.get('idempotency-key'))
  expect(server.received(getFloorData)).toHaveLength(reads)
})

test('AAR-44 several statuses of a floor are sent in the order of the taps; the last one is shown', async () => {
  server.answer(setFloorStatus, cutOff)
  await open(safe)
  for (const name of ['Evacuating', 'Evacuated']) await select().selectOptions(name)
  await expect.poll(shown).toBe('Evacuated (waiting)')
  const before = sent().length

  server.answer(setFloorStatus, taken)
  signalReturns()

  await expect.poll(shown).toBe('Evacuated')
  const evacuating = floorData([]).floor_status.find(({ name }) => name === 'Evacuating')?.id
  expect(sent().slice(before)).toEqual([evacuating, evacuated.id])
})

test('AAR-44 a status that waits stays with its floor', async () => {
  server.answer(setFloorStatus, cutOff)
  await open(safe)
  const statusOf = (floor: string | undefined) => (floor === level4 ? evacuated.id : notStarted.id)
  server.answer(changeFloor, ({ input: { body } }) => ({
    peep: [],
    refusal_to_evacuate: 0,
    status: statusOf(body.floor),
  }))
  // the page reads the new floor once more
  const { input: first } = floorData([])
  server.answer(getFloorData, ({ input: { query } }) =>
    floorData(safe, { input: { ...first, floor: query.floor ?? first.floor, status: statusOf(query.floor) } }),
  )
  await select().selectOptions('Evacuating')
  await expect.poll(shown).toBe('Evacuating (waiting)')

  const floor = page.getByRole('combobox', { name: 'Floor', exact: true })
  await floor.selectOptions('Level 4')
  await expect.poll(shown).toBe('Evacuated')
  await floor.selectOptions('Level 3')
  await expect.poll(shown).toBe('Evacuating (waiting)')
})

test('AAR-44 a status that a newer one has overruled goes back, and the warden reads why', async () => {
  server.answer(setFloorStatus, { status: 'success', overruled: true })
  await open(safe)
  await select().selectOptions('Evacuated')

  const bar = page.getByRole('button', { name: /1 record was not accepted/ })
  await expect.element(bar).toBeVisible()
  await expect.poll(shown).toBe('Not Started')
  dismissToasts()
  await bar.click()
  await expect.element(sheet().getByRole('heading', { name: 'Tower A - Level 3' })).toBeVisible()
  await expect.element(sheet().getByText(/^Evacuated, /)).toBeVisible()
  await expect.element(sheet().getByText(/^This floor was looked at again after you noted this\./)).toBeVisible()
  await expectNoAxeViolations()
  await choose('Understood')
  await expect.poll(() => outbox.records.get()).toEqual([])
})

test('AAR-44 a status that the server turns down goes back, with its reason, and can be sent again', async () => {
  server.answer(setFloorStatus, refused('not_found'))
  await open(safe)
  await select().selectOptions('Evacuated')
  await expect
    .poll(() => outbox.records.get().map(({ setback, about }) => [setback, about.id]))
    .toEqual([['not_found', level3]])
  await expect.poll(shown).toBe('Not Started')

  server.answer(setFloorStatus, taken)
  const [record] = outbox.records.get()
  if (record) await outbox.retry(record)
  await expect.poll(shown).toBe('Evacuated')
})
