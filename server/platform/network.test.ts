import { expect, test } from 'vitest'
import { isOfBuilding, networkOf } from './network.ts'

test('T31 NET-01 callers of one IPv6 line share a network, lines share a home, homes a site', () => {
  const [one, same, home, site, elsewhere] = [
    ...['2001:db8:0:1::1', '2001:db8:0:1:ffff::2', '2001:db8:0:ff::1', '2001:db8:0:ff00::1', '2001:db8:1:1::1'],
  ].map((ip) => networkOf({ ip }))

  expect(one).toEqual({ line: '2001:db8:0:1::', home: '2001:db8::/56', site: '2001:db8::/48' })
  expect(same).toEqual(one)
  expect(home).toEqual({ ...one, line: '2001:db8:0:ff::' })
  expect(site).toEqual({ line: '2001:db8:0:ff00::', home: '2001:db8:0:ff00::/56', site: one?.site })
  expect(elsewhere?.site).toBe('2001:db8:1::/48')
})

test('T31 NET-01 an IPv4 address is a line and a home, its site is the /24; a caller who has gone already has none', () => {
  const address = { line: '203.0.113.7', home: '203.0.113.7', site: '203.0.113.0/24' }
  expect(networkOf({ ip: '203.0.113.7' })).toEqual(address)
  expect(networkOf({ ip: '::ffff:203.0.113.7' })).toEqual(address)
  expect(networkOf({ ip: undefined })).toEqual({ line: '', home: '', site: '' })
  expect([address, networkOf({ ip: '2001:db8::1' })].map(isOfBuilding)).toEqual([true, false])
})
