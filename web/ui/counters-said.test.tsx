import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { CountersSaid } from './counters-said.tsx'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const counters = (danger?: number) =>
  danger === undefined
    ? undefined
    : ([
        ['Safe', 1200],
        ['Danger', danger],
      ] as const)
const said = () => document.querySelector('[role=status]')?.textContent

/** React draws by messages, which are not faked. */
async function drawn() {
  const { port1, port2 } = new MessageChannel()
  for (let n = 0; n < 3; n++) {
    const arrived = new Promise((resolve) => {
      port1.onmessage = resolve
    })
    port2.postMessage(null)
    await arrived
  }
}

async function page() {
  const view = await render(<CountersSaid counters={counters()} />)
  return {
    show: (danger: number) => view.rerender(<CountersSaid counters={counters(danger)} />),
    async pass(ms: number) {
      await vi.advanceTimersByTimeAsync(ms)
      await drawn()
    },
  }
}

test('UX-11 counters are read out politely when they change, and not when the page opens', async () => {
  const { show, pass } = await page()
  await show(0)
  await pass(60_000)
  expect(said()).toBe('')

  await show(1)
  await pass(0)
  expect(said()).toBe('Safe 1,200, Danger 1')
})

test('UX-11 counters are read out at most every 10 s, the latest ones', async () => {
  const { show, pass } = await page()
  await show(0)
  await show(1)
  await pass(0)

  await show(2)
  await pass(5000)
  await show(3)
  await pass(4999)
  expect(said()).toBe('Safe 1,200, Danger 1')
  await pass(1)
  expect(said()).toBe('Safe 1,200, Danger 3')
})

test('UX-11 counters that are back where they were are not read out', async () => {
  const { show, pass } = await page()
  await show(0)
  await show(1)
  await pass(0)
  await show(2)
  await show(1)
  await pass(60_000)
  expect(said()).toBe('Safe 1,200, Danger 1')
})
