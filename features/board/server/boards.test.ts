import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { ClientUid, EventUid } from '#kernel/ids.ts'
import { keepSnapshots } from './boards.ts'

const of = { clientUid: 'c' as ClientUid, eventUid: 'e' as EventUid }

/** Snapshots numbered from 1, whose horizon is ten times the number. */
function counted(makingMs = 5) {
  const begun: number[] = []
  const read = keepSnapshots(async () => {
    begun.push(performance.now())
    const n = begun.length
    await delay(makingMs)
    return { n, horizon: BigInt(n * 10) }
  })
  return { begun, read: async (since?: bigint) => (await read(of, since)).n }
}

test('BOARD-03 100 readers at once share one snapshot, and so does who comes within a second', async () => {
  const { begun, read } = counted()

  const numbers = await Promise.all(Array.from({ length: 100 }, () => read()))

  expect(new Set(numbers)).toEqual(new Set([1]))
  expect(await read(9n)).toBe(1)
  expect(begun).toHaveLength(1)
})

test('BOARD-03 who has heard a change gets a snapshot that has it, and never more than one a second is begun', async () => {
  const { begun, read } = counted()
  await read()

  const numbers = await Promise.all(Array.from({ length: 50 }, () => read(10n)))
  expect(new Set(numbers)).toEqual(new Set([2]))
  expect(await read(20n)).toBe(3)

  const pauses = begun.slice(1).map((at, n) => at - (begun[n] ?? 0))
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(999)
})

test('BOARD-03 who asks while an older snapshot is being made waits for the next if it lacks what they heard', async () => {
  const { read } = counted(50)
  const first = read()
  await delay(10)

  expect(await Promise.all([first, read(), read(10n)])).toEqual([1, 1, 2])
})

test('BOARD-03 an offset above the newest transaction counts as none', async () => {
  const { begun, read } = counted()

  expect(await read(2n ** 63n)).toBe(1)
  expect(begun).toHaveLength(1)
})

test('BOARD-03 a failed snapshot fails for those who wait for it, and is made anew for the next', async () => {
  let isBroken = true
  const read = keepSnapshots(async () => {
    if (isBroken) throw new Error('away')
    return { horizon: 1n }
  })

  const failed = await Promise.allSettled([read(of), read(of)])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isBroken = false
  expect(await read(of)).toEqual({ horizon: 1n })
})
