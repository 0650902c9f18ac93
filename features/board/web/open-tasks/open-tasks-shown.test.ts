import { expect, test } from 'vitest'
import type { Need, NeedKind } from '../../open-tasks.ts'
import { nextShown, noNeeds } from './open-tasks-shown.ts'

const need = (key: string, kind: NeedKind = 'gap', count = 1): Need => ({
  key,
  kind,
  building: 0,
  floor: 0,
  count,
  since: 0,
})
const told = ({ items, waiting }: ReturnType<typeof nextShown>) => [
  items.map(({ need: { key }, isDone }) => (isDone ? `(${key})` : key)).join(' '),
  waiting,
]

test('BOARD-14 what is done is struck among its kind, and leaves at the next reading; what is worse stays above', () => {
  const first = nextShown(noNeeds, [need('a'), need('b'), need('c')], false)
  const second = nextShown(first, [need('x', 'danger'), need('a'), need('c')], false)
  expect(told(second)).toEqual(['x (b) a c', 0])
  expect(told(nextShown(second, [need('x', 'danger'), need('a'), need('c')], false))).toEqual(['x a c', 0])
})

test('BOARD-14 while it is held nothing moves: new ones wait, counts go on, what is done stays struck in its place', () => {
  const first = nextShown(noNeeds, [need('a'), need('b')], false)
  const held = nextShown(first, [need('x', 'danger'), need('b', 'gap', 4)], true)
  expect(told(held)).toEqual(['(a) b', 1])
  expect(held.items[1]?.need.count).toBe(4)
  expect(told(nextShown(held, [need('x', 'danger'), need('b')], true))).toEqual(['(a) b', 1])
  expect(told(nextShown(held, [need('x', 'danger'), need('b')], false))).toEqual(['x b', 0])
})
