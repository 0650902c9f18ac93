import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Publication } from '#features/live-updates/calls/realtime.ts'
import { topics } from '#kernel/kinds.ts'
import { join } from './join.ts'
import { Pacer } from './pacer.ts'

const running: Publication = { status: 'ok', message: null, event: { status: true, ended_by: null } }
const floor = (...ids: string[]): Publication => ({ ...running, changed: [{ topic: 'floor', ids }] })
const channel = 'event:e1'
const told = (pacer: Pacer, now: number) => pacer.take(now).map(({ data, at }) => [at, data.changed?.[0]?.ids])

test('FEED-06 what waits in one channel is one publication, and each channel has its own', () => {
  const pacer = new Pacer(() => false)
  pacer.add(7, { channel, data: floor('a') })
  pacer.add(8, { channel: 'event:e2', data: floor('x') })
  pacer.add(9, { channel, data: floor('b', 'a') })

  expect(pacer.take(0)).toMatchObject([
    { channel, since: 7, at: 9, data: floor('a', 'b') },
    { channel: 'event:e2', since: 8, at: 8 },
  ])
  expect([pacer.take(0), pacer.oldest(), pacer.dueIn(0)]).toEqual([[], undefined, Number.POSITIVE_INFINITY])
})

test('FEED-06 a crowded channel gets four a second, the first after a pause at once; another one does not wait', () => {
  const pacer = new Pacer((name) => name === channel)
  const times: number[] = []
  for (let now = 0; now < 2000; now += 30) {
    pacer.add(now, { channel, data: floor(`f${now}`) })
    pacer.add(now, { channel: 'event:small', data: floor('x') })
    const due = pacer.take(now)
    expect(due.some((one) => one.channel === 'event:small')).toBe(true)
    if (due.some((one) => one.channel === channel)) times.push(now)
  }

  expect(times).toEqual([0, 270, 540, 810, 1080, 1350, 1620, 1890])
  expect(pacer.oldest()).toBe(1920)
  expect(pacer.dueIn(2000)).toBe(140)
})

test('FEED-06 what is urgent never waits, and takes along what does', () => {
  const pacer = new Pacer(() => true)
  pacer.add(1, { channel, data: floor('a') })
  expect(told(pacer, 0)).toEqual([[1, ['a']]])
  pacer.add(2, { channel, data: floor('b') })
  expect(told(pacer, 10)).toEqual([])

  pacer.add(3, { channel, data: floor('c'), isUrgent: true })

  expect(told(pacer, 20)).toEqual([[3, ['b', 'c']]])
})

test('FEED-06 CMD-22 two instructions are two publications, one after the other', () => {
  const pacer = new Pacer(() => true)
  const instruction = (id: string) =>
    ({ ...floor(id), instruction: { id, kind: 'stay', floors: 'all' } }) as Publication
  for (const [nth, id] of ['a', 'b', 'c'].entries()) pacer.add(nth, { channel, data: instruction(id), isUrgent: true })

  const ids = [pacer.take(0), pacer.take(0), pacer.take(0), pacer.take(0)]
    .flat()
    .map(({ data }) => data.instruction?.id)

  expect(ids).toEqual(['a', 'b', 'c'])
})

test('RT-22 FEED-06 joined with others an end stays an end, and a removal a removal', () => {
  const ended: Publication = { ...running, event: { status: false, ended_by: 'chief' } }
  const removed: Publication = { ...running, status: 'removed', message: 'Out.' }

  for (const both of [join(ended, floor('a')), join(floor('a'), ended)]) expect(both.event).toEqual(ended.event)
  for (const both of [join(removed, floor('a')), join(floor('a'), removed)])
    expect(both).toMatchObject({ status: 'removed', message: 'Out.' })
})

const changes = fc.record({
  topic: fc.constantFrom(...topics),
  ids: fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 }),
  floors: fc.option(fc.array(fc.constantFrom('f1', 'f2', 'f3'), { maxLength: 3 }), { nil: undefined }),
})
const publications = fc.record({
  warden_unread_msg: fc.option(fc.boolean(), { nil: undefined }),
  changed: fc.uniqueArray(changes, { selector: ({ topic }) => topic, minLength: 1 }),
})

test('FEED-06 HUB-31 a joined publication means each that went into it, and its newest state', () => {
  /** True if `whole` makes a phone read what `part` makes it read. */
  const covers = (whole: Publication, part: Publication) =>
    part.changed?.every(({ topic, ids, floors }) => {
      const found = whole.changed?.find((one) => one.topic === topic)
      const isCovered = (all: readonly string[] | undefined, some: readonly string[] | undefined) =>
        !all || (some?.every((one) => all.includes(one)) ?? false)
      return (
        found &&
        (found.ids.length === 0 || (ids.length > 0 && isCovered(found.ids, ids))) &&
        isCovered(found.floors, floors)
      )
    })
  fc.assert(
    fc.property(fc.array(publications, { minLength: 1, maxLength: 6 }), (drawn) => {
      const parts = drawn.map((part) => JSON.parse(JSON.stringify({ ...running, ...part })) as Publication)
      const whole = parts.reduce((before, next) => join(before, next))

      expect(parts.filter((part) => !covers(whole, part))).toEqual([])
      const state = parts.findLast(({ warden_unread_msg }) => warden_unread_msg !== undefined)?.warden_unread_msg
      expect(whole.warden_unread_msg).toBe(state)
    }),
  )
})

test('HUB-31 joined to more than 50 ids they become any', () => {
  const many = (from: number) => floor(...Array.from({ length: 30 }, (_, at) => `f${from + at}`))

  expect(join(many(0), many(20)).changed).toMatchObject([{ ids: { length: 50 } }])
  expect(join(many(0), many(30)).changed).toEqual([{ topic: 'floor', ids: [] }])
})
