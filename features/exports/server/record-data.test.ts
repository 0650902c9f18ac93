import { expect, test } from 'vitest'
import { capResponses } from './record-data.ts'

test('RESP-11 the bundle says in the words of CAP what people were told, and nothing where everyone left', () => {
  const told = (['evacuate', 'move', 'lockdown', 'shelter', 'release'] as const).map((action) => ({
    seconds: 0,
    action,
    buildings: [],
  }))
  expect(capResponses({ actions: told })).toEqual(['Evacuate', 'Shelter', 'AllClear'])
  expect(JSON.stringify({ responseType: capResponses({}) })).toBe('{}')
})
