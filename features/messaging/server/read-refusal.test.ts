import { expect, test } from 'vitest'
import { readRefusal } from './read-refusal.ts'

test.each([
  ['STOP', 'stop'],
  [' stop. ', 'stop'],
  ['Stop all', 'stop'],
  ['unsubscribe', 'stop'],
  ['START', 'start'],
  ['unstop', 'start'],
  ['stop the alarm please', undefined],
  ['I cannot stop coughing', undefined],
  ['start over', undefined],
  ['yes', undefined],
] as const)('AMB-129 "%s" is for the list of refusals: %s', (text, expected) =>
  expect(readRefusal(text)).toBe(expected),
)
