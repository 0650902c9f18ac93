import { expect, test } from 'vitest'
import { isNamed as byFold } from '#kernel/name-fold.ts'
import { findNamesBy, isNamed } from './find-names.ts'

test('NUM-08 a search finds names as they are written, and once the page has come whole, however they are spelt', () => {
  findNamesBy()
  expect([' müll', 'muller'].map((text) => isNamed(text)('Ana Müller'))).toEqual([true, false])
  findNamesBy(byFold)
  expect([' müll', 'muller'].map((text) => isNamed(text)('Ana Müller'))).toEqual([true, true])
})
