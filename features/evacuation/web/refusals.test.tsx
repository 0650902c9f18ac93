import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { cutOff } from '#web/testing/fake-server.ts'
import { level3, occupant, occupants } from '#web/testing/floor-data.ts'
import { listOccupants, toggleRefusal } from '../calls/evacuation.ts'
import { floorOnScreen, record, sheet, shows, statusButton } from './floor.fixture.tsx'

const { server, open } = floorOnScreen()
const refusals = (n: number) => expect.element(page.getByText(`Refusal to evacuate: ${n}`)).toBeVisible()

test('FLOOR-15 FLOOR-23 FLOOR-24 FLOOR-41 FLOOR-50 a refusal shows at once; the count rises when the server has it', async () => {
  await open(occupants(1), { refusal_to_evacuate: 4 })
  const held = Promise.withResolvers<void>()
  server.answer(toggleRefusal, async () => {
    await held.promise
    return { status: 'success', action: 'add' } as const
  })
  await record(1, 'Record refusal to evacuate')

  await expect.element(page.getByText('Refuses to evacuate (waiting)')).toBeVisible()
  await refusals(4)
  held.resolve()

  await expect.element(page.getByText('Refuses to evacuate', { exact: true })).toBeVisible()
  await refusals(5)
  await shows(1, 'Unknown')
  expect(server.received(toggleRefusal).map(({ input }) => input.body)).toEqual([
    { person: occupant(1).id, floorId: level3 },
  ])
})

test('FLOOR-15 FLOOR-25 taking a refusal back lowers the count', async () => {
  await open([occupant(1, { reported: true })], { refusal_to_evacuate: 4 })
  await record(1, 'Take back refusal to evacuate')

  await refusals(3)
  await expect.element(page.getByText('Refuses to evacuate')).not.toBeInTheDocument()
})

test('FLOOR-50 two taps on the choice, as fast as they come, leave the refusal noted', async () => {
  await open()
  let refuses = false
  server.answer(toggleRefusal, () => {
    refuses = !refuses
    return { status: 'success', action: refuses ? 'add' : 'sub' } as const
  })
  await statusButton(1).click()
  const choice = sheet().getByRole('button', { name: 'Record refusal to evacuate' })
  await expect.element(choice).toBeVisible()

  const button = choice.element() as HTMLButtonElement
  button.click()
  button.click()

  await expect.element(page.getByText('Refuses to evacuate', { exact: true })).toBeVisible()
  await expect.poll(() => refuses).toBe(true)
  await expect.element(page.getByText('(waiting)')).not.toBeInTheDocument()
  expect(server.received(toggleRefusal).length % 2).toBe(1)
  expect(refuses).toBe(true)
})

test('FLOOR-50 a refusal whose answer was lost is sent again under the same key, so that it is not flipped back', async () => {
  const { change } = await open()
  const answers = new Map<string | null, 'add' | 'sub'>()
  let refuses = false
  server.answer(toggleRefusal, ({ headers, input: { body } }) => {
    const key = headers.get('idempotency-key')
    const isFirst = !answers.has(key)
    if (isFirst) refuses = !refuses
    change(body.person, { reported: refuses })
    answers.set(key, refuses ? 'add' : 'sub')
    return isFirst ? cutOff : ({ status: 'success', action: 'add' } as const)
  })
  await record(1, 'Record refusal to evacuate')

  await expect.element(page.getByText('Refuses to evacuate', { exact: true })).toBeVisible()
  expect(server.received(toggleRefusal)).toHaveLength(2)
  expect([refuses, answers.size]).toEqual([true, 1])
})

test('FLOOR-26 CONST-11 the lists are read again half a second after a refusal', async () => {
  await open()
  const timers = vi.spyOn(window, 'setTimeout')
  const reads = server.received(listOccupants).length
  await record(1, 'Record refusal to evacuate')

  await expect.poll(() => timers.mock.calls.map(([, delay]) => delay)).toContain(500)
  await expect.poll(() => server.received(listOccupants).length, { timeout: 1500 }).toBe(reads + 1)
})

test('FLOOR-27 an unexpected answer to a refusal is only logged', async () => {
  const logged = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  await open()
  server.answer(toggleRefusal, { status: 'odd' } as never)
  await record(1, 'Record refusal to evacuate')

  await expect.poll(() => logged.mock.calls.length).toBeGreaterThan(0)
  await expect.element(page.getByText('Refuses to evacuate')).not.toBeInTheDocument()
  expect(document.querySelector('[role=alert]:not(:empty)')).toBeNull()
})
