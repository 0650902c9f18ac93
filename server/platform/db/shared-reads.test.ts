import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { shareReads } from './shared-reads.ts'

/** Reads that run until they are told to end. Each answers its number. */
function reads(longestRestMs?: number) {
  const begun: { end: (error?: Error) => void }[] = []
  const sharedRead = shareReads(longestRestMs)
  const ask = (key = 'one') =>
    sharedRead(key, () => {
      const { promise, resolve, reject } = Promise.withResolvers<number>()
      const nth = begun.length + 1
      begun.push({ end: (error) => (error ? reject(error) : resolve(nth)) })
      return promise
    })
  /** Ends the nth read, and waits until the next may begin. */
  const end = async (nth: number, error?: Error, waitMs = 120) => {
    begun[nth - 1]?.end(error)
    await delay(waitMs)
  }
  return { ask, end, begun: () => begun.length }
}

test('F35 a lone read begins at once; those that come meanwhile share the next one, which began after they asked', async () => {
  const { ask, end, begun } = reads()
  const first = ask()
  const later = [ask(), ask(), ask()]
  expect(begun()).toBe(1)

  await end(1)
  expect([await first, begun()]).toEqual([1, 2])
  const last = ask()
  await end(2)
  await end(3)

  expect([await Promise.all(later), await last, begun()]).toEqual([[2, 2, 2], 3, 3])
})

test('F35 a read after the last has ended begins at once, and reads with other keys do not wait', async () => {
  const { ask, end, begun } = reads()
  const [one, other] = [ask('one'), ask('other')]
  expect(begun()).toBe(2)
  await end(1)
  await end(2)
  const again = ask('one')
  await end(3)

  expect(await Promise.all([one, other, again])).toEqual([1, 2, 3])
})

test('F35 a read that fails fails only for those who share it', async () => {
  const { ask, end } = reads()
  const first = ask()
  const second = [ask(), ask()]
  const failures = Promise.allSettled([first, ...second])
  await end(1, new Error('lost'))
  const third = ask()
  await end(2, new Error('lost again'))
  await end(3)

  expect((await failures).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(await third).toBe(3)
})

test('F35 the next read begins after a rest as long as the last one took, so that more share it', async () => {
  const { ask, end, begun } = reads(1000)
  const first = ask()
  const during = ask()
  await delay(500)
  await end(1, undefined, 50)
  const atRest = ask()
  expect([await first, begun()]).toEqual([1, 1])

  await expect.poll(begun).toBe(2)
  await end(2)
  expect(await Promise.all([during, atRest])).toEqual([2, 2])
})
