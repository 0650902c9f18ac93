import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
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

test('T31 a session has so many pieces of work at once; the next begins when one ends, those of others at once', async () => {
  const { begun, add } = pieces(turnsBySession({ atOnce: 2, longestLine: 10 }))

  const all = [add('one'), add('one'), add('one'), add('other')]
  expect(begun.map(({ of }) => of)).toEqual(['one', 'one', 'other'])
  begun[0]?.end()

  await expect.poll(() => begun.map(({ of }) => of)).toEqual(['one', 'one', 'other', 'one'])
  for (const { end } of begun) end()
  await Promise.all(all)
})

test('T31 work that fails ends its turn, too', async () => {
  const inTurn = turnsBySession({ atOnce: 1, longestLine: 10 })

  await expect(inTurn('one', () => Promise.reject(new Error('no')))).rejects.toThrow('no')

  expect(await inTurn('one', async () => 'next')).toBe('next')
})

test('T31 a line that is full turns away, and not the next session', async () => {
  const { begun, add } = pieces(turnsBySession({ atOnce: 1, longestLine: 1 }))
  const kept = [add('one'), add('one')]

  await expect(add('one')).rejects.toThrow(expect.objectContaining({ code: 'too_many_requests' }))
  kept.push(add('other'))

  for (const { end } of begun) end()
  await expect.poll(() => begun.length).toBe(3)
  begun[2]?.end()
  await Promise.all(kept)
})

test('T31 long work is followed by a rest: the next does not begin in the same moment', async () => {
  const { begun, add } = pieces(turnsBySession({ atOnce: 1, longestLine: 10 }))
  const first = add('one')
  const second = add('one')
  const start = performance.now()
  await expect.poll(() => performance.now() - start, { interval: 5 }).toBeGreaterThan(30)

  begun[0]?.end()
  await first
  const ended = performance.now()
  await nextTurn()
  expect(begun).toHaveLength(1)

  await expect.poll(() => begun.length, { interval: 1 }).toBe(2)
  expect(performance.now() - ended).toBeGreaterThan(25)
  begun[1]?.end()
  await second
})
