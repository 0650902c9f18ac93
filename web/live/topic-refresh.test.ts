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

/** A screen that shows one floor, or whatever its answer says. */
function watchFloor(client: QueryClient, queryKey: string[], placesOf: (data: never) => string[] | null) {
  const ask = vi.fn(async () => 'f1')
  const stop = new QueryObserver(client, { queryKey, queryFn: ask, meta: { placesOf } }).subscribe(() => undefined)
  return { ask, stop }
}

test('FEED-06 a screen of one floor is refetched for that floor alone; one of a building for every floor', async () => {
  const client = new QueryClient()
  const floor = watchFloor(client, ['evacuee', 'floor'], () => ['f1', 'tower'])
  const shown = watchFloor(client, ['floor', 'data'], (data: string | undefined) => (data ? [data, 'tower'] : null))
  const building = watchFloor(client, ['evacuee', 'building'], () => null)
  const all = watch(client, ['evacuee', 'all'])
  const screens = [floor, shown, building, all]
  await vi.advanceTimersByTimeAsync(0)
  const refresh = createTopicRefresh(client)
  /** How often each screen was asked for since. */
  const askedAfter = async (...changed: Parameters<typeof refresh.note>[0]) => {
    for (const { ask } of screens) ask.mockClear()
    refresh.note(changed)
    await vi.advanceTimersByTimeAsync(500)
    return screens.map(({ ask }) => ask.mock.calls.length)
  }
  const on = (...floors: string[]) => [
    { topic: 'evacuee' as const, ids: ['p1'], floors },
    { topic: 'floor' as const, ids: floors },
  ]

  expect(await askedAfter(...on('f2', 'f3'))).toEqual([0, 0, 1, 1])
  expect(await askedAfter(...on('f2', 'f1'))).toEqual([1, 1, 1, 1])
  expect(await askedAfter({ topic: 'floor', ids: ['tower'] })).toEqual([0, 1, 0, 0])
  // someone who may be anywhere
  expect(await askedAfter({ topic: 'evacuee', ids: ['p1'] })).toEqual([1, 0, 1, 1])
  expect(await askedAfter({ topic: 'floor', ids: [] })).toEqual([0, 1, 0, 0])
  expect(await askedAfter(...on('f2'), { topic: 'evacuee', ids: ['p2'] })).toEqual([1, 0, 1, 1])
  for (const { stop } of screens) stop()
})
