import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTopicRefresh } from './topic-refresh.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A screen that shows `key` and counts its requests. */
function watch(client: QueryClient, key: string[]) {
  const ask = vi.fn(async () => key.join())
  const stop = new QueryObserver(client, { queryKey: key, queryFn: ask }).subscribe(() => undefined)
  return { ask, stop }
}

test('RT-17 a burst of changes becomes one refetch of the screens of those topics, after 250 to 500 ms', async () => {
  const client = new QueryClient()
  const floor = watch(client, ['floor', 'a'])
  const event = watch(client, ['event'])
  await vi.advanceTimersByTimeAsync(0)
  const refresh = createTopicRefresh(client)

  refresh.note([{ topic: 'floor', ids: ['a'] }])
  refresh.note([{ topic: 'evacuee', ids: [] }])
  refresh.note([{ topic: 'floor', ids: ['b'] }])
  await vi.advanceTimersByTimeAsync(249)
  expect(floor.ask).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(251)

  expect(floor.ask).toHaveBeenCalledTimes(2)
  expect(event.ask).toHaveBeenCalledTimes(1)
  floor.stop()
  event.stop()
})

test('RT-13 after a gap every topic on screen is refetched', async () => {
  const client = new QueryClient()
  const [floor, event] = [watch(client, ['floor']), watch(client, ['event'])]
  await vi.advanceTimersByTimeAsync(0)

  createTopicRefresh(client).noteAll()
  await vi.advanceTimersByTimeAsync(500)

  expect([floor.ask.mock.calls.length, event.ask.mock.calls.length]).toEqual([2, 2])
  floor.stop()
  event.stop()
})

test('RT-13 a slow read is allowed to finish while changes keep coming, then they are read', async () => {
  const client = new QueryClient()
  let answer = () => {}
  const ask = vi.fn(() => new Promise<number>((resolve) => (answer = () => resolve(ask.mock.calls.length))))
  const stop = new QueryObserver(client, { queryKey: ['floor'], queryFn: ask }).subscribe(() => undefined)
  answer()
  await vi.advanceTimersByTimeAsync(0)
  const refresh = createTopicRefresh(client)

  for (let second = 0; second < 5; second++) {
    refresh.note([{ topic: 'floor', ids: [] }])
    await vi.advanceTimersByTimeAsync(1000)
  }
  expect(ask).toHaveBeenCalledTimes(2)
  answer()
  await vi.advanceTimersByTimeAsync(500)

  expect(ask).toHaveBeenCalledTimes(3)
  expect(client.getQueryData(['floor'])).toBe(2)
  stop()
})

test('RT-13 changes during the first read of a screen cause one more read of it, and of what that read starts', async () => {
  const client = new QueryClient()
  let answer = () => {}
  const ask = vi.fn(() => new Promise<number>((resolve) => (answer = () => resolve(ask.mock.calls.length))))
  const stop = new QueryObserver(client, { queryKey: ['floor'], queryFn: ask }).subscribe(() => undefined)
  const people = watch(client, ['evacuee'])
  createTopicRefresh(client).note([
    { topic: 'floor', ids: [] },
    { topic: 'evacuee', ids: [] },
  ])

  await vi.advanceTimersByTimeAsync(5000)
  expect(ask).toHaveBeenCalledTimes(1)
  answer()
  await vi.advanceTimersByTimeAsync(500)
  expect([ask.mock.calls.length, people.ask.mock.calls.length]).toEqual([2, 3])
  answer()
  await vi.advanceTimersByTimeAsync(5000)
  expect(ask).toHaveBeenCalledTimes(2)
  stop()
  people.stop()
})
