import { expect, test, vi } from 'vitest'
import { setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import { personId, statusRecord } from '../testing/outbox.ts'
import { outboxOnPhone } from './outbox.fixture.ts'

const { server, phone, openTab, arrived } = outboxOnPhone()

/** A server that answers when told to, and counts how many requests are under way at once. */
function slowServer() {
  const waiting: (() => void)[] = []
  let most = 0
  server.answer(setPersonStatus, async ({ input }) => {
    most = Math.max(most, waiting.length + 1)
    await new Promise<void>((resolve) => waiting.push(resolve))
    const person = { id: input.body.personId, status: 'safe', on_floor: true } as const
    return { status: 'success', person, superseded: false } as const
  })
  return { answerNext: () => waiting.shift()?.(), mostAtOnce: () => most, underWay: () => waiting.length }
}

test('OUTBOX two tabs share one queue and one sender; both see it empty itself', async () => {
  const slow = slowServer()
  const [left, right] = [openTab(), openTab()]
  const tabs = [left, right]
  const heard: string[] = []
  right.onSent(({ record }) => heard.push(record.about.name))

  for (let n = 1; n <= 6; n++) await tabs[n % 2]?.enqueue(statusRecord(n))
  await expect.poll(() => left.records.get().length + right.records.get().length).toBe(12)
  for (let n = 1; n <= 6; n++) {
    await expect.poll(() => arrived().length, { timeout: 4000 }).toBe(n)
    slow.answerNext()
  }

  await expect.poll(() => left.records.get().length + right.records.get().length).toBe(0)
  expect(arrived()).toEqual([1, 2, 3, 4, 5, 6].map(personId))
  expect(slow.mostAtOnce()).toBe(1)
  await expect.poll(() => heard).toEqual([1, 2, 3, 4, 5, 6].map((n) => `Person ${n}`))
})

test('OUTBOX a tab that fell asleep as the sender is replaced by the one that is looked at', async () => {
  const slow = slowServer()
  const asleep = Promise.withResolvers<void>()
  const holding = navigator.locks.request(phone(), () => asleep.promise)
  holding.catch(() => undefined)
  const tab = openTab()
  await tab.enqueue(statusRecord(1))
  await expect.poll(async () => (await navigator.locks.query()).held?.some(({ name }) => name === phone())).toBe(true)

  tab.wake()
  expect(arrived()).toEqual([])
  const start = Date.now()
  let passed = 0
  vi.spyOn(Date, 'now').mockImplementation(() => start + passed)
  await expect
    .poll(() => {
      passed += 21_000
      tab.wake()
      return slow.underWay()
    })
    .toBe(1)

  slow.answerNext()
  await expect.poll(() => tab.records.get().length).toBe(0)
  asleep.resolve()
})

test('OUTBOX sends also where the browser has no locks (plain http)', async () => {
  const slow = slowServer()
  vi.spyOn(navigator, 'locks', 'get').mockReturnValue(undefined as never)
  const tab = openTab()

  await tab.enqueue(statusRecord(1))
  await expect.poll(() => slow.underWay()).toBe(1)
  slow.answerNext()

  await expect.poll(() => tab.records.get().length).toBe(0)
})
