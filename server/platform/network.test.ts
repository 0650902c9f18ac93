import { expect, test } from 'vitest'
import { networkOf } from './network.ts'

test('T31 callers of one IPv6 line share a network, and a caller who has gone already has none', () => {
  const [one, other] = ['2001:db8:0:1::1', '2001:db8:0:1:ffff::2'].map((ip) => networkOf({ ip }))
  expect(one).toBe(other)
  expect(networkOf({ ip: '203.0.113.7' })).toBe('203.0.113.7')
  expect(networkOf({ ip: undefined })).toBe('')
})
