import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeBoard } from '../board.fixture.ts'
import { BoardReader } from './board-reader.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0)
})
afterEach(() => vi.useRealTimers())

const picture = { ...makeBoard({ buildings: 1, floors: 1 }), heardAt: 0 }
const news = [{ topic: 'floor' as const, ids: [] }]

function start(read: () => Promise<{ picture: typeof picture }> = async () => ({ picture })) {
  const asked = vi.fn(read)
  const reader = new BoardReader({ read: asked, apart: () => 2000 })
  const hide = (isHidden: boolean) => {
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(isHidden)
    document.dispatchEvent(new Event('visibilitychange'))
  }
  return { reader, asked, hide }
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test('BOARD-20 at once, then before 15 s have passed without news: a warning is always a fault', async () => {
  const { reader, asked } = start()
  await pass(0)
  expect(asked).toHaveBeenCalledTimes(1)
  await pass(14_000)
  expect(asked).toHaveBeenCalledTimes(2)
  reader.stop()
  await pass(60_000)
  expect(asked).toHaveBeenCalledTimes(2)
})

test('BOARD-03 250 ms after a change, then at most every 2 s, one request at a time; assignments are no news', async () => {
  let answer = () => {}
  const { reader, asked } = start(
    () =>
      new Promise((done) => {
        answer = () => done({ picture })
      }),
  )
  answer()
  await pass(3000)
  reader.note(news)
  await pass(249)
  expect(asked).toHaveBeenCalledTimes(1)
  await pass(1)
  expect(asked).toHaveBeenCalledTimes(2)
  // while it is under way, and after it
  reader.note(news)
  reader.note(null)
  await pass(5000)
  expect(asked).toHaveBeenCalledTimes(2)
  answer()
  await pass(250)
  expect(asked).toHaveBeenCalledTimes(3)
  answer()
  await pass(0)
  reader.note(news)
  await pass(1500)
  expect(asked).toHaveBeenCalledTimes(3)
  await pass(500)
  expect(asked).toHaveBeenCalledTimes(4)
  answer()
  await pass(3000)
  reader.note([{ topic: 'assignment', ids: [] }])
  await pass(1000)
  expect(asked).toHaveBeenCalledTimes(4)
  reader.stop()
})

test('BOARD-22 a hidden tab reads nothing, and at once when it is shown', async () => {
  const { reader, asked, hide } = start()
  await pass(3000)
  hide(true)
  reader.note(news)
  await pass(60_000)
  expect(asked).toHaveBeenCalledTimes(1)
  hide(false)
  await pass(0)
  expect(asked).toHaveBeenCalledTimes(2)
  reader.stop()
})

test('BOARD-20 a read that fails keeps the picture and is tried again', async () => {
  let isDown = false
  const { reader, asked } = start(async () => {
    if (isDown) throw new Error('away')
    return { picture }
  })
  await pass(0)
  isDown = true
  reader.note(news)
  await pass(2000)
  expect(reader.reading.get()).toMatchObject({ picture, error: new Error('away') })
  isDown = false
  await pass(3000)
  expect(asked).toHaveBeenCalledTimes(3)
  expect(reader.reading.get().error).toBeNull()
  reader.stop()
})
