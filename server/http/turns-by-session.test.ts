import { expect, onTestFinished, test, vi } from 'vitest'
import { turnsBySession } from './turns-by-session.ts'

/** Pieces of work that run until they are told to end. */
function pieces(inTurn: ReturnType<typeof turnsBySession>) {
  const begun: { of: string; end: () => void }[] = []
  const add = (of: string) =>
    inTurn(of, () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      begun.push({ of, end: resolve })
      return promise
    })
  return { begun, add }
}

test('T31 a session has a limited number of running requests; the next one starts when one ends, and other sessions do not wait', async () => {
  const { begun, add } = pieces(turnsBySession({ atOnce: 2, longestQueue: 10, share: 0.2 }))

  const all = [add('one'), add('one'), add('one'), add('other')]
  expect(begun.map(({ of }) => of)).toEqual(['one', 'one', 'other'])
  begun[0]?.end()

  await expect.poll(() => begun.map(({ of }) => of)).toEqual(['one', 'one', 'other', 'one'])
  for (const { end } of begun) end()
  await Promise.all(all)
})

test('T31 failed work ends its turn too', async () => {
  const inTurn = turnsBySession({ atOnce: 1, longestQueue: 10, share: 0.2 })

  await expect(inTurn('one', () => Promise.reject(new Error('no')))).rejects.toThrow('no')

  expect(await inTurn('one', async () => 'next')).toBe('next')
})

test("T31 a full queue rejects its own session's next request and no other session's", async () => {
  const { begun, add } = pieces(turnsBySession({ atOnce: 1, longestQueue: 1, share: 0.2 }))
  const kept = [add('one'), add('one')]

  await expect(add('one')).rejects.toThrow(expect.objectContaining({ code: 'too_many_requests' }))
  kept.push(add('other'))

  for (const { end } of begun) end()
  await expect.poll(() => begun.length).toBe(3)
  begun[2]?.end()
  await Promise.all(kept)
})

test('T31 a session that works all the time has to pause; a short burst of work is free', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'setImmediate'] })
  onTestFinished(() => void vi.useRealTimers())
  const inTurn = turnsBySession({ atOnce: 1, longestQueue: 10, burstMs: 40, share: 0.02, longestRestMs: 300 })
  const begun: number[] = []
  const work = () =>
    inTurn('one', async () => {
      begun.push(performance.now())
      await new Promise((done) => setTimeout(done, 30))
    })

  const all = Promise.all([work(), work(), work(), work()])
  await vi.advanceTimersByTimeAsync(2_000)
  await all

  const pauses = begun.slice(1).map((at, n) => at - (begun[n] as number) - 30)
  expect(pauses.map((ms) => ms >= 300)).toEqual([false, true, true])
  expect(pauses[0]).toBeLessThan(5)
})
