import { expect, test } from 'vitest'
import { age, shortAge } from './ages.ts'

test.each([
  [-5, '<1m', '<1 min'],
  [59, '<1m', '<1 min'],
  [60, '1m', '1 min'],
  [99 * 60 + 59, '99m', '99 min'],
  [100 * 60, '1h', '1 h'],
  [30 * 3600, '30h', '30 h'],
])('BOARD-09 %s seconds read %s in a row and %s in the list', (seconds, short, words) => {
  expect([shortAge(seconds), age(seconds)]).toEqual([short, words])
})
