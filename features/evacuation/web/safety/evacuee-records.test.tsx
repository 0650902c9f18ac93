import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { createTopicRefresh } from '#web/live/topic-refresh.ts'
import { expectNoAxeViolations } from '#web/testing/axe.ts'
import { cutOff, refused } from '#web/testing/fake-server.ts'
import { occupant, occupants } from '#web/testing/floor-data.ts'
import { filterEvacuees, setEvacueeStatus } from '../../calls/safety.ts'
import { safetyOnScreen, sheet, shows, statusButton } from './safety.fixture.tsx'

const { server, open, serve } = safetyOnScreen()
const sent = () => server.received(setEvacueeStatus).map(({ input }) => input.body)
const choose = (text: string) => sheet().getByRole('button', { name: text }).click()
async function record(n: number, text: string) {
  await statusButton(n).click()
  await choose(text)
}

test.for([
  ['Safe', 'safe'],
  ['In Danger', 'in danger'],
] as const)('SAFE-16 two taps: %s is sent as %s', async ([text, value]) => {
  await open()
  await record(2, text)

  await shows(2, text)
  await expect.poll(sent).toEqual([{ evacueeId: occupant(2).id, status: value }])
  await expectNoAxeViolations()
})

test('FLOOR-21 SAFE-15 an open menu follows what another warden records', async () => {
  const { change, queryClient } = await open(occupants(2))
  await statusButton(1).click()
  change(occupant(1).id, { status: 'danger' })
  const refresh = createTopicRefresh(queryClient)
  refresh.note([{ topic: 'evacuee', ids: [] }])

  await expect.element(sheet().getByText('Recorded in the meantime: In Danger')).toHaveRole('status')
  await expect.element(sheet().getByRole('button', { name: 'In Danger' })).not.toBeInTheDocument()
  await choose('Unknown')
  await expect.poll(sent).toEqual([{ evacueeId: occupant(1).id, status: 'unknown' }])
  refresh.stop()
})

test('SAFE-17 the list is read again one second after a status change', async () => {
  await open()
  const timers = vi.spyOn(window, 'setTimeout')
  const before = server.received(filterEvacuees).length
  await record(1, 'Safe')
  await expect.poll(() => timers.mock.calls.map(([, delay]) => delay)).toContain(1000)
  expect(server.received(filterEvacuees)).toHaveLength(before)

  await expect.poll(() => server.received(filterEvacuees).length, { timeout: 2000 }).toBe(before + 1)
})

test('PROD-13 AMB-066 a tap can be undone, back to where the person was seen', async () => {
  await open([occupant(1, { status: 'safe', on_floor: true })])
  await shows(1, 'Safe on floor')
  await record(1, 'In Danger')
  await page.getByRole('button', { name: 'Undo' }).click()

  await shows(1, 'Safe on floor')
  await expect.poll(() => sent().map(({ status }) => status)).toEqual(['in danger', 'safe on floor'])
})

test('FLOOR-17 PROD-13 without signal a tap waits, is shown as waiting, and is sent later', async () => {
  await open()
  server.answer(setEvacueeStatus, cutOff)
  await record(1, 'Safe')
  await shows(1, 'Safe (waiting)')

  serve()
  window.dispatchEvent(new Event('online'))
  await shows(1, 'Safe')
  expect(statusButton(1).element().textContent).not.toContain('waiting')
})

test('FLOOR-17 a refused record says why and stays until it has been read', async () => {
  await open()
  server.answer(setEvacueeStatus, refused('not_found'))
  await record(1, 'Safe')

  await page.getByRole('button', { name: /Show/ }).click()
  expect(statusButton(1).last().element().textContent).toContain('Unknown')
  await expect.element(sheet().getByText('This is no longer available. Please refresh.')).toBeVisible()
})
