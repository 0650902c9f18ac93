import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AlarmPlace } from '#features/live-updates/calls/alarms.ts'
import { ApiError } from '#kernel/client/client.ts'
import type { BuildingUid, FloorUid } from '#kernel/ids.ts'
import { AlarmWatch } from './alarm-watch.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const floor = 'f1' as FloorUid
const inDanger = (danger: number): AlarmPlace => ({
  building: { id: 'b1' as BuildingUid, name: 'Tower A' },
  floor: { id: floor, name: 'Level 5' },
  danger,
  refusals: 0,
  floor_status: null,
})
const evacueeOn = (id: string) => [
  { topic: 'evacuee' as const, ids: ['p1'] },
  { topic: 'floor' as const, ids: [id] },
]

/** A phone and its server. `tell` is what the server says from now on. */
function phone(floors: FloorUid[] | null = null) {
  let position = 7
  let told = { places: [] as AlarmPlace[], is_new: false }
  let failure: Error | undefined
  const ask = vi.fn(async (_: { since: string; raised: string } | undefined) => {
    if (failure) throw failure
    return { cursor: String(position), floors, ...told }
  })
  const [raise, show] = [vi.fn(), vi.fn()]
  const watch = new AlarmWatch({ ask, raise, show })
  return {
    ask,
    raise,
    show,
    watch,
    tell(danger: number, is_new = danger > 0) {
      position++
      told = { places: danger > 0 ? [inDanger(danger)] : [], is_new }
    },
    fail: (error?: Error) => {
      failure = error
    },
    /** Listens from here on. */
    async start() {
      await vi.advanceTimersByTimeAsync(2500)
      ask.mockClear()
      show.mockClear()
    },
  }
}

test('UX-10 a page that is opened anew asks where it begins, and raises nothing for what is there already', async () => {
  const { ask, raise, tell } = phone()
  tell(3)

  await vi.advanceTimersByTimeAsync(500)

  expect(ask.mock.calls).toEqual([[undefined]])
  expect(raise).not.toHaveBeenCalled()
})

test('UX-10 a change of one of its floors is asked about after 250 to 500 ms, any other is not', async () => {
  const { ask, raise, tell, watch, start } = phone([floor])
  await start()
  tell(1)

  watch.note(evacueeOn('f2'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(ask).not.toHaveBeenCalled()

  watch.note(evacueeOn(floor))
  await vi.advanceTimersByTimeAsync(249)
  expect(ask).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(251)
  expect(ask.mock.calls).toEqual([[{ since: '7', raised: '7' }]])
  expect(raise.mock.calls).toEqual([[[inDanger(1)]]])
})

test('UX-10 a list of changes too long to name, or a gap, may concern any floor', async () => {
  const { ask, watch, start } = phone([floor])
  await start()
  watch.note([{ topic: 'floor', ids: [] }])
  await vi.advanceTimersByTimeAsync(2500)
  watch.note(null)
  await vi.advanceTimersByTimeAsync(2500)
  expect(ask).toHaveBeenCalledTimes(2)
})

test('UX-10 without an alarm it asks every 2 s at most, after one every 10 s; several dangers are one alarm', async () => {
  const { ask, raise, tell, watch, start } = phone()
  await start()
  const burst = async (seconds: number) => {
    for (let n = 0; n < seconds * 10; n++) {
      watch.note(evacueeOn(floor))
      await vi.advanceTimersByTimeAsync(100)
    }
  }

  await burst(4)
  expect(ask.mock.calls.length).toBeOneOf([2, 3])
  tell(1)
  await burst(3)
  expect(raise).toHaveBeenCalledTimes(1)
  const asked = ask.mock.calls.length
  tell(5)
  await burst(6)
  expect(ask).toHaveBeenCalledTimes(asked)
  await burst(5)
  expect(raise.mock.calls.slice(1)).toEqual([[[inDanger(5)]]])
})

test('UX-10 what is over when it is asked raises nothing, and what is over later is shown no more', async () => {
  const { ask, raise, show, tell, watch, start } = phone()
  await start()
  watch.note(null)
  tell(0)
  await vi.advanceTimersByTimeAsync(500)
  expect([raise.mock.calls.length, show.mock.calls]).toEqual([0, [[[]]]])

  tell(2)
  watch.note(null)
  await vi.advanceTimersByTimeAsync(2500)
  expect(raise).toHaveBeenCalledOnce()
  tell(1, false)
  watch.note(null)
  await vi.advanceTimersByTimeAsync(10_500)

  expect(raise).toHaveBeenCalledOnce()
  expect(show).toHaveBeenLastCalledWith([inDanger(1)])
  expect(ask).toHaveBeenLastCalledWith({ since: '8', raised: '9' })
})

test('UX-10 what the warden has looked at, here or in another tab, is asked about no more', async () => {
  const { ask, show, tell, watch, start } = phone()
  await start()
  tell(2)
  watch.note(null)
  await vi.advanceTimersByTimeAsync(500)

  expect(watch.looked()).toBe('8')
  expect(show).toHaveBeenLastCalledWith([])
  watch.lookedAt('8')
  watch.lookedAt('3')
  watch.note(null)
  await vi.advanceTimersByTimeAsync(10_500)
  expect(ask).toHaveBeenLastCalledWith({ since: '8', raised: '8' })

  watch.lookedAt('20')
  watch.note(null)
  await vi.advanceTimersByTimeAsync(10_500)
  expect(ask).toHaveBeenLastCalledWith({ since: '20', raised: '20' })
})

test('UX-10 FEED-03 a position that names open transactions is older than the one after their end', async () => {
  const { ask, tell, watch, start } = phone()
  await start()
  tell(1, false)
  const asked = async (position: string) => {
    watch.lookedAt(position)
    watch.note(null)
    await vi.advanceTimersByTimeAsync(2500)
    return ask.mock.lastCall?.[0]?.since
  }
  expect(await asked('20:12,15')).toBe('20:12,15')
  expect(await asked('20:12,15,16')).toBe('20:12,15')
  expect(await asked('20:15')).toBe('20:15')
  expect(await asked('20')).toBe('20')
})

test('UX-10 an answer about what was looked at meanwhile is asked for again', async () => {
  const { ask, raise, tell, watch, start } = phone()
  await start()
  tell(1)
  watch.note(null)
  await vi.advanceTimersByTimeAsync(500)
  let answer = () => {}
  ask.mockImplementationOnce(
    () =>
      new Promise((resolve) => {
        answer = () => resolve({ cursor: '9', floors: null, places: [inDanger(1)], is_new: true })
      }),
  )
  watch.note(null)
  await vi.advanceTimersByTimeAsync(10_500)
  watch.looked()
  tell(0)
  answer()
  await vi.advanceTimersByTimeAsync(6000)

  expect(raise).toHaveBeenCalledOnce()
  expect(ask).toHaveBeenLastCalledWith({ since: '8', raised: '8' })
})

test('UX-10 a question that fails is asked again after 5 s, one that is refused is not; a stopped watch is silent', async () => {
  const { ask, raise, tell, fail, watch, start } = phone()
  await start()
  tell(1)
  fail(new ApiError('unreachable', ''))
  watch.note(null)
  await vi.advanceTimersByTimeAsync(500)
  fail()
  await vi.advanceTimersByTimeAsync(5000)
  expect(raise).toHaveBeenCalledOnce()

  ask.mockClear()
  fail(new ApiError('not_on_duty', '', 409))
  watch.note(null)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(ask).toHaveBeenCalledOnce()

  watch.note(null)
  watch.stop()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(ask).toHaveBeenCalledOnce()
})
