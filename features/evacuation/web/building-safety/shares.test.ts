import { expect, test } from 'vitest'
import { barText, percent } from './shares.ts'

test.for([
  [0, 0, '0%'],
  [0, 7, '0%'],
  [7, 7, '100%'],
  [1, 3, '33%'],
  [1, 1000, '<1%'],
  [999, 1000, '>99%'],
] as const)('BLDG-06 %i of %i is %s: no one is rounded away', ([part, total, text]) => {
  expect(percent(part, total)).toBe(text)
})

test('BLDG-03 the bar says its shares in words', () => {
  expect(barText({ safe: 1, unknown: 3, danger: 0, total: 4 }, String)).toBe('Safe 25%, Unknown 75%, Danger 0%')
  expect(barText({ safe: 0, unknown: 0, danger: 0, total: 0 }, String)).toBe('No one')
})
