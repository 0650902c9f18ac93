import { expect, test } from 'vitest'
import { fairTurns } from './fair-turns.ts'

/** Work that waits behind one piece until `open` is called. `order` lists it in the order it was done. */
function queue(longest = 100) {
  const gate = Promise.withResolvers<void>()
  const inTurn = fairTurns(1, longest)
  const order: string[] = []
  const first = inTurn({ lane: 'first', rank: 0 }, () => gate.promise)
  const add = (name: string, rank = 0) =>
    inTurn({ lane: name.slice(0, 1), rank }, async () => void order.push(name)).catch(({ code }) => code)
  const open = () => {
    gate.resolve()
    return first
  }
  return { add, order, open }
}

test('T30 a lane with much work does not delay other lanes', async () => {
  const { add, order, open } = queue()
  const all = [...Array.from({ length: 50 }, (_, i) => add(`a${i}`)), add('b0'), add('b1'), add('c0')]

  await open()
  await Promise.all(all)

  expect(order.slice(0, 6)).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'a2'])
  expect(order).toHaveLength(53)
})

test('T30 in a lane a first attempt runs before a second one, and equal ranks in order of arrival', async () => {
  const { add, order, open } = queue()
  const all = [add('a-second', 2), add('a-third', 3), add('a-first', 1), add('a-other-second', 2)]

  await open()
  await Promise.all(all)

  expect(order).toEqual(['a-first', 'a-second', 'a-other-second', 'a-third'])
})

test('T30 a full queue drops the last entry of the longest lane only', async () => {
  const { add, order, open } = queue(4)
  const [, , third, b0] = [add('a0'), add('a1'), add('a2'), add('b0')]
  const c0 = add('c0')
  const a3 = add('a3')
  const d0 = add('d0')
  const e0 = add('e0')

  await open()

  expect(await Promise.all([third, a3, e0])).toEqual(Array(3).fill('unavailable'))
  await Promise.all([b0, c0, d0])
  expect(order).toEqual(['a0', 'b0', 'c0', 'd0'])
})
