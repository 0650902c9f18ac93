import { expect, test } from 'vitest'
import type { Overload } from '../platform/errors.ts'
import { readTurns } from './read-turns.ts'

/** Reads that run until `end` is called. `run` lists those that have begun, in order. */
function line(over: Parameters<typeof readTurns>[0]) {
  const inTurn = readTurns(over)
  const run: string[] = []
  const ends: (() => void)[] = []
  const gone = new Set<string>()
  const ask = (name: string) =>
    inTurn(
      () => gone.has(name),
      () => new Promise<string>((done) => ends.push(() => done(name)) && run.push(name)),
    ).catch((why: Overload) => why)
  /** Ends one read after the other until none runs. */
  const endAll = async () => {
    const begun = () => new Promise(setImmediate)
    for (await begun(); ends.length > 0; await begun()) ends.shift()?.()
  }
  return { ask, run, gone, endAll, endOne: () => ends.shift()?.() }
}

const later = (ms: number) => new Promise((done) => setTimeout(done, ms))

test('F36 reads beyond those that may run at once wait in order of arrival', async () => {
  const { ask, run, endAll } = line({ atOnce: 2 })
  const all = ['a', 'b', 'c', 'd'].map(ask)
  expect(run).toEqual(['a', 'b'])

  await endAll()

  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd'])
  expect(run).toEqual(['a', 'b', 'c', 'd'])
})

test('F36 a read whose phone has hung up never runs, and the next one does', async () => {
  const { ask, run, gone, endAll } = line({ atOnce: 1 })
  const all = ['a', 'b', 'c', 'd'].map(ask)
  for (const name of ['b', 'c']) gone.add(name)

  await endAll()

  expect(run).toEqual(['a', 'd'])
  expect((await Promise.all(all)).at(-1)).toBe('d')
})

test('F36 while the first in line has waited for too long no one else may wait; those in line get their turn', async () => {
  const { ask, run, endAll } = line({ atOnce: 1, patienceMs: 10 })
  const inLine = ['a', 'b', 'c'].map(ask)
  await later(20)

  expect(await ask('late')).toMatchObject({ code: 'unavailable', status: 503 })
  await endAll()
  expect(await Promise.all(inLine)).toEqual(['a', 'b', 'c'])

  const next = ask('next')
  await endAll()
  expect(await next).toBe('next')
  expect(run).toEqual(['a', 'b', 'c', 'next'])
})

test('F36 once it is known how fast reads are served, no one waits who would wait for too long', async () => {
  const { ask, endAll, endOne } = line({ atOnce: 1, patienceMs: 3_000 })
  const inLine = Array.from({ length: 20 }, (_, n) => ask(`${n}`))
  for (let n = 0; n < 9; n++) {
    await later(80)
    endOne()
  }
  for (let n = 0; n < 60; n++) inLine.push(ask(`more ${n}`))

  await endAll()

  const answers = await Promise.all(inLine)
  const turnedAway = answers.filter((answer) => typeof answer !== 'string')
  expect(turnedAway.length).toBeGreaterThan(0)
  expect(answers.slice(0, 20)).toEqual(Array.from({ length: 20 }, (_, n) => `${n}`))
})

test('F36 the more are turned away, the later they are asked to come back, each at another moment', async () => {
  const { ask, endAll } = line({ atOnce: 1, patienceMs: 10 })
  const inLine = ['a', 'b'].map(ask)
  await later(20)
  const pauses = []
  for (let n = 0; n < 400; n++) pauses.push(((await ask(`${n}`)) as Overload).retryAfterSeconds)

  const mean = (some: number[]) => some.reduce((sum, one) => sum + one, 0) / some.length
  expect(mean(pauses.slice(0, 3))).toBeLessThan(mean(pauses.slice(-100)))
  expect(Math.max(...pauses)).toBeLessThanOrEqual(30)
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(2)
  expect(new Set(pauses).size).toBeGreaterThan(5)
  await endAll()
  await Promise.all(inLine)
})

test('F36 a read that fails leaves its turn to the next', async () => {
  const inTurn = readTurns({ atOnce: 1 })
  const failing = inTurn(
    () => false,
    async () => {
      throw new Error('no')
    },
  )
  const next = inTurn(
    () => false,
    async () => 'done',
  )

  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
})
