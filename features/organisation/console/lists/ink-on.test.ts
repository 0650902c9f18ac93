import { expect, test } from 'vitest'
import { contrast, inkOn } from './ink-on.ts'

test('PPL-41 the text on any colour reaches 4.5:1', () => {
  const shares = ['00', '33', '66', '75', '77', '99', 'cc', 'ff']
  const colours = shares.flatMap((r) => shares.flatMap((g) => shares.map((b) => `#${r}${g}${b}`)))

  expect(Math.min(...colours.map((colour) => contrast(colour, inkOn(colour))))).toBeGreaterThanOrEqual(4.5)
  expect([inkOn('#ffffff'), inkOn('#00527f')]).toEqual(['#000000', '#ffffff'])
})
