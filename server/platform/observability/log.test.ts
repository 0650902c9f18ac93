import { PassThrough } from 'node:stream'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createLog } from './log.ts'

function startLog(level = 'info') {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const to = new PassThrough({ encoding: 'utf8' })
  const lines = () =>
    ((to.read() as string | null) ?? '')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  return { log: createLog(level, { to }), lines, messages: () => lines().map(({ msg }) => msg) }
}

test('F29 a log line has its time as ISO 8601 and its level as a name', () => {
  const { log, lines } = startLog()

  log.warn('Redis is away')

  expect(lines()).toMatchObject([{ level: 'warn', time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) }])
})

test('F29 a repeated failure is one line, then a count at growing intervals, then one line when it ends', () => {
  const { log, messages } = startLog()

  for (let second = 0; second < 300; second++) {
    log.warn({ err: new Error(`no answer after ${second} ms`) }, 'Background work failed')
    vi.advanceTimersByTime(1_000)
  }
  expect(messages()).toEqual([
    'Background work failed',
    'Background work failed (9 more in 10 s)',
    'Background work failed (69 more in 70 s)',
  ])
  vi.advanceTimersByTime(120_000)
  expect(messages()).toEqual([expect.stringMatching(/^Background work failed \(over: 299 more in \d+ s\)$/)])
  log.warn({ err: new Error('no answer after 1 ms') }, 'Background work failed')
  expect(messages()).toEqual(['Background work failed'])
})

test('F29 all errors of a lost database are one failure; another failure is logged separately', () => {
  const { log, messages } = startLog()
  const ended = Object.assign(new pg.DatabaseError('ended', 5, 'error'), { code: '57P01', severity: 'FATAL' })

  log.warn({ err: ended }, 'Background work failed')
  log.warn({ err: new Error('Connection terminated unexpectedly') }, 'Cannot listen for wake-ups')
  // as pg-boss passes it on: a copy with the queue and the worker in the message
  log.warn({ err: { ...ended, message: 'starting up (Queue: texts, Worker: a1)' } }, 'Background work failed')
  log.warn({ err: { ...ended, message: 'starting up (Queue: mails, Worker: b2)' } }, 'Background work failed')
  log.warn({ err: new Error('the SMPP provider does not answer') }, 'Background work failed')

  expect(messages()).toEqual(['Background work failed', 'Background work failed'])
})

test('F29 a single failure gets no closing line, and lines below warning are never held back', () => {
  const { log, messages } = startLog()

  log.error({ err: new Error('a bug') }, 'Request failed')
  for (let time = 0; time < 2; time++) log.info('housekeeping')
  vi.advanceTimersByTime(200_000)

  expect(messages()).toEqual(['Request failed', 'housekeeping', 'housekeeping'])
})
