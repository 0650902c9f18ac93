import { expect, test, vi } from 'vitest'
import { setPersonStatus, toggleRefusal } from '#features/evacuation/calls/evacuation.ts'
import { unsavedStore } from '../lib/unsaved.ts'
import { cutOff } from '../testing/fake-server.ts'
import { personId, refusalRecord, statusRecord } from '../testing/outbox.ts'
import { isEmpty, outboxOnPhone, shown, signalReturns, taken } from './outbox.fixture.ts'

const { server, openTab, arrived, keys } = outboxOnPhone()

const refuse = () => {
  throw new DOMException('No room', 'QuotaExceededError')
}
const ways: [string, () => void][] = [
  ['has no room', () => vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(refuse)],
  ['blocks site data', () => vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(refuse)],
  ['cannot write', () => vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(refuse)],
]

test.for(ways)('F31 what a phone that %s cannot keep is sent at once', async ([, breakPhone]) => {
  server.answer(setPersonStatus, taken)
  breakPhone()
  const outbox = openTab()

  await outbox.enqueue(statusRecord(1))

  await expect.poll(arrived).toEqual([personId(1)])
  await isEmpty(outbox)
  expect(unsavedStore.get()).toBe(false)
})

test.for(ways)('F31 without signal the page of a phone that %s holds the records, in order', async ([, breakPhone]) => {
  server.answer(setPersonStatus, cutOff)
  breakPhone()
  const outbox = openTab()
  for (const n of [2, 1]) await outbox.enqueue(statusRecord(n))
  expect(shown(outbox)).toEqual([2, 1].map((n) => [`Person ${n}`, 'waiting']))
  expect(unsavedStore.get()).toBe(true)

  server.answer(setPersonStatus, taken)
  signalReturns()

  await isEmpty(outbox)
  expect(arrived().slice(-2)).toEqual([2, 1].map(personId))
})

test('F31 a phone whose disk never answers is waited for once, then no longer', async () => {
  server.answer(setPersonStatus, taken)
  vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => ({}) as IDBOpenDBRequest)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const outbox = openTab()
  const first = outbox.enqueue(statusRecord(1))
  await vi.advanceTimersByTimeAsync(3000)
  vi.useRealTimers()
  await first

  await outbox.enqueue(statusRecord(2))

  await isEmpty(outbox)
  expect(arrived()).toEqual([personId(1), personId(2)])
})

test('F31 what was on the disk before it failed is sent once, and before what came later', async () => {
  server.answer(setPersonStatus, cutOff)
  const outbox = openTab()
  await outbox.enqueue(statusRecord(1))
  await expect.poll(() => outbox.records.get()[0]?.seq).toBeGreaterThan(0)
  vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(refuse)
  await outbox.enqueue(statusRecord(2))

  server.answer(setPersonStatus, taken)
  signalReturns()

  await isEmpty(outbox)
  expect(arrived().slice(-2)).toEqual([1, 2].map(personId))
  expect(new Set(keys()).size).toBe(2)
})

test('F31 what the phone could not keep can be taken back before it is sent', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  server.answer(setPersonStatus, cutOff)
  vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(refuse)
  const outbox = openTab()
  const record = await outbox.enqueue(statusRecord(1))

  expect(await outbox.takeBack(record)).toBe(true)

  expect(shown(outbox)).toEqual([])
})

test('F31 a refusal that someone else had noted is set right also by a phone that cannot keep it', async () => {
  let refuses = true
  server.answer(toggleRefusal, () => {
    refuses = !refuses
    return { status: 'success', action: refuses ? 'add' : 'sub' } as const
  })
  vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(refuse)
  const outbox = openTab()

  await outbox.enqueue(refusalRecord(1, true))

  await expect.poll(() => server.received(toggleRefusal).length).toBe(2)
  await isEmpty(outbox)
  expect(refuses).toBe(true)
})

test('F31 where the locks of tabs are blocked with the site data, records are sent without', async () => {
  server.answer(setPersonStatus, taken)
  vi.spyOn(LockManager.prototype, 'request').mockRejectedValue(new DOMException('denied', 'SecurityError'))
  const outbox = openTab()

  await outbox.enqueue(statusRecord(1))

  await isEmpty(outbox)
  expect(arrived()).toEqual([personId(1)])
})
