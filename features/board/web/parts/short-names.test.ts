import { expect, test } from 'vitest'
import { shortNames } from './short-names.ts'

const each = <T>(count: number, make: (nth: number) => T) => Array.from({ length: count }, (_, nth) => make(nth))

test('BOARD-12 a floor or building is known by its initials and numbers', () => {
  expect(shortNames(['Level 27', 'Basement 2', 'Ground', 'Level 1 East', 'Tower A', '!'])).toEqual([
    ...['27', 'B2', 'G', '1E', 'TA', '–'],
  ])
})

test('BOARD-12 no two of a board have the same heading', () => {
  const lists = [
    ['Tower Titan', 'Tower Tulip', 'Tower Thames', 'Terrace Tower', 'Tower Titan'],
    ['Building 123 East', 'Building 123 West', 'Building 1234', 'Building 1235'],
    ['Ωmega Haus', 'Ωsaka Haus', '東館', '東棟', 'مبنى', 'مدرسة'],
    each(100, (nth) => `Test Tower ${'abcdefghij'[nth % 10]}${'abcdefghij'[Math.floor(nth / 10)]}`),
    each(100, () => 'Same Name'),
    each(25, (nth) => `Building ${nth + 1}`),
  ]
  for (const names of lists) {
    const shorts = shortNames(names)
    expect(new Set(shorts).size).toBe(names.length)
    for (const short of shorts) expect([...short].length).toBeLessThanOrEqual(4)
  }
})

test('BOARD-12 who has initials of their own keeps them, and no heading is empty', () => {
  expect(shortNames(['Tower Titan', 'North Hall', 'Tower Tulip'])[1]).toBe('NH')
  expect(shortNames(['Tower Titan', 'Tower Tulip'])).toEqual(['TTI', 'TTU'])
})
