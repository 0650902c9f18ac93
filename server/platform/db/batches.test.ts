import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { createMetrics } from '../observability/metrics.ts'
import { openBatches, type RecordKind } from './batches.ts'

interface Sent {
  by: string
  about: string
}
interface Stored {
  about: string
}

/** Statements that run until they are told to end. A record about 'no one' has no row, one about 'trouble' fails. */
function statements(over: Parameters<typeof openBatches>[2] = {}) {
  const begun: { about: string[]; end: (error?: Error) => void }[] = []
  const batches = new WeakMap<RawBuilder<unknown>, readonly Sent[]>()
  const kind: RecordKind<Sent, Stored> = {
    name: 'test',
    statement: (records) => {
      const statement = sql<Stored & { n: number }>`select`
      batches.set(statement, records)
      return statement
    },
    senderOf: ({ by }) => by,
    apartBy: ({ about }) => [about],
  }
  const metrics = createMetrics()
  const { inBatch, drained } = openBatches(
    async <T>(statement: RawBuilder<T>) => {
      const about = (batches.get(statement) ?? []).map((record) => record.about)
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      begun.push({ about, end: (error) => (error ? reject(error) : resolve()) })
      await promise
      if (about.includes('trouble')) throw errorOf('23514')
      const rows = about.map((one, i) => ({ n: i + 1, about: one })).filter((row) => row.about !== 'nobody')
      return rows.reverse() as T[]
    },
    metrics,
    over,
  )
  const add = (about: string, by = about) => inBatch(kind, { by, about })
  /** Ends the statements that have begun, and those that begin after them, until nothing runs. */
  const endAll = async () => {
    const timer = setInterval(() => begun.forEach(({ end }) => void end()), 1)
    await drained()
    clearInterval(timer)
  }
  return { add, begun, endAll, drained, metrics, abouts: () => begun.map(({ about }) => about) }
}

const errorOf = (code: string) => Object.assign(new pg.DatabaseError('no', 0, 'error'), { code })

test('F35 a lone record goes at once; those that come meanwhile share the next statement, and each gets its own row', async () => {
  const { add, abouts, endAll } = statements()
  const answers = ['a', 'b', 'nobody', 'c'].map((about) => add(about))
  expect(abouts()).toEqual([['a']])

  await endAll()

  expect(abouts()).toEqual([['a'], ['b', 'nobody', 'c']])
  expect((await Promise.all(answers)).map((row) => row?.about)).toEqual(['a', 'b', undefined, 'c'])
})

test('F35 two records about one person never run at the same time, in one statement or in two', async () => {
  const { add, abouts, begun, endAll } = statements({ lanes: 2 })
  const answers = [add('a', 'one'), add('a', 'other'), add('b'), add('c'), add('a', 'third')]
  expect(abouts()).toEqual([['a'], ['b']])

  begun[1]?.end()
  await expect.poll(abouts).toEqual([['a'], ['b'], ['c']])
  await endAll()

  await Promise.all(answers)
  expect(abouts().map((batch) => batch.filter((one) => one === 'a').length)).toEqual([1, 0, 0, 1, 1])
})

test('T31 senders take turns: two hundred records of one delay the only one of another by no statement', async () => {
  const { add, abouts, endAll } = statements({ most: 4 })
  const flood = Array.from({ length: 200 }, (_, i) => add(`a${i}`, 'flood'))
  const others = [add('b'), add('c')]

  await endAll()

  await Promise.all([...flood, ...others])
  expect(abouts()[1]).toEqual(['a1', 'b', 'c', 'a2'])
})

test('F35 a bad record costs only itself: the others of its statement run again, one by one', async () => {
  const { add, abouts, endAll } = statements()
  const answers = ['a', 'b', 'trouble', 'c'].map((about) => add(about))

  await Promise.all([endAll(), expect(answers[2]).rejects.toThrow('no')])

  expect((await Promise.all([answers[1], answers[3]])).map((row) => row?.about)).toEqual(['b', 'c'])
  expect(abouts()).toEqual([['a'], ['b', 'trouble', 'c'], ['b'], ['trouble'], ['c']])
})

test.for([
  ['the connection is lost', new Error('Connection terminated unexpectedly')],
  ['the database stops', errorOf('57P01')],
] as const)('F35 when %s nothing runs again, because no one knows whether it was committed', async ([, lost]) => {
  const { add, abouts, begun } = statements()
  const answers = Promise.allSettled(['a', 'b', 'c'].map((about) => add(about)))
  begun[0]?.end()
  await expect.poll(abouts).toEqual([['a'], ['b', 'c']])

  begun[1]?.end(lost)

  expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect(abouts()).toHaveLength(2)
})

test('T31 a statement that waits for a lock leaves its lane to the others; no more than four run', async () => {
  const { add, abouts, endAll } = statements({ most: 2, patienceMs: 20 })
  const answers = Array.from({ length: 20 }, (_, i) => add(`a${i}`))

  await expect.poll(() => abouts().length).toBe(4)
  await new Promise((done) => setTimeout(done, 100))
  expect(abouts()).toEqual([['a0'], ['a1', 'a2'], ['a3', 'a4'], ['a5', 'a6']])

  await endAll()
  await Promise.all(answers)
})

test('F35 draining waits for the records that run and for those that wait', async () => {
  const { add, begun, drained } = statements()
  const order: string[] = []
  const answers = ['a', 'b', 'c'].map((about) => add(about).then(() => order.push(about)))
  const end = drained().then(() => order.push('drained'))

  begun[0]?.end()
  await expect.poll(() => begun.length).toBe(2)
  begun[1]?.end()

  await Promise.all([...answers, end])
  expect(order).toEqual(['a', 'b', 'c', 'drained'])
})

test('F35 the metrics show how many records share a statement, and how long they waited', async () => {
  const { add, endAll, metrics } = statements()
  const answers = ['a', 'b', 'c'].map((about) => add(about))
  await endAll()
  await Promise.all(answers)

  const shown = await metrics.registry.metrics()

  expect(shown).toContain('evac_batch_records_count{kind="test"} 2')
  expect(shown).toContain('evac_batch_records_sum{kind="test"} 3')
  expect(shown).toContain('evac_batch_wait_seconds_count{kind="test"} 3')
})
