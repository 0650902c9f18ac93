import { expect, test } from 'vitest'
import { readingsOf, type SenderKind } from './sender.ts'

test.each<[string, SenderKind, string[], string[]]>([
  // a trunk 0 is national, whatever the type of number says
  ['0481559999', 'international', [], []],
  ['0481559999', 'international', ['AU'], ['61481559999']],
  ['0481559999', 'international', ['AU', 'UK'], ['61481559999', '44481559999']],
  ['+0481559999', 'unknown', ['AU'], ['61481559999']],
  // nor has the United States one
  ['0481559999', 'international', ['US'], []],
  ['2125550123', 'national', ['US'], ['12125550123']],
  ['212555', 'national', ['US'], []],
  // prefixes of calls abroad
  ['0061481559999', 'international', ['NZ'], ['61481559999']],
  ['001161481559999', 'international', [], ['61481559999']],
  ['+0061481559999', 'unknown', [], ['61481559999']],
  ['0061481559999', 'national', ['AU'], ['61481559999']],
  ['61481559999', 'international', ['NZ'], ['61481559999']],
  ['6421555012', 'unknown', ['NZ'], ['6421555012', '646421555012']],
  ['tel:+61481559999', 'unknown', [], ['61481559999']],
  // no phones
  ['EVAC', 'unknown', ['AU'], []],
  ['M1800123', 'unknown', ['AU'], []],
  ['61481559999', 'name', ['AU'], []],
  ['19734', 'short', ['AU'], []],
  ['19734', 'unknown', [], []],
  ['19734', 'international', [], []],
  ['', 'unknown', ['AU'], []],
])('ANS-12 the sender %s of kind %s in %j may be %j', (from, kind, countries, readings) =>
  expect(readingsOf(from, kind, countries)).toEqual(readings),
)
