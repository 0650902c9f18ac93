import { expect, test } from 'vitest'
import { countries, phoneOf, withoutSpaces } from './countries.ts'

const [australia, newZealand, unitedStates, unitedKingdom] = countries

test('CONST-04 CONST-05 four countries in this order, each with label, dialling value, flag and hint', () => {
  expect(countries.map(({ dialling }) => dialling)).toEqual(['61', '64', '1', '44'])
  expect(countries.map(({ label, flag }) => `${label} ${flag}`)).toEqual([
    'Australia AU',
    'New Zealand NZ',
    'United States US',
    'United Kingdom GB',
  ])
})

test.each([
  ['LOGIN-27', australia, ['0412345678'], ['041234567', '04123456789', '0512345678', '412345678']],
  ['LOGIN-28', newZealand, ['0212345678'], ['021234567', '02123456789', '0312345678', '212345678']],
  ['LOGIN-29', unitedStates, ['2125551234', '0125551234'], ['212555123', '21255512345']],
  ['LOGIN-30', unitedKingdom, ['07123456789'], ['0712345678', '071234567890', '08123456789', '7123456789']],
] as const)('%s which numbers are mobiles there', (_, { mobile }, right, wrong) => {
  const never = ['', '+61412345678', '0412-345-678', '04l2345678', '٠٤١٢٣٤٥٦٧٨', '0412345678\n']

  expect(right.filter((number) => !mobile.test(number))).toEqual([])
  expect([...wrong, ...never].filter((number) => mobile.test(number))).toEqual([])
})

test.each([
  ['LOGIN-35', australia, '0412345678', '61412345678'],
  ['LOGIN-35', newZealand, '0212345678', '64212345678'],
  ['LOGIN-35', unitedStates, '2125551234', '12125551234'],
  ['LOGIN-35', unitedKingdom, '07123456789', '447123456789'],
  ['LOGIN-36', unitedStates, '0025551234', '1025551234'],
] as const)('%s in %o %s is sent as %s', (_, country, number, phone) => {
  expect(phoneOf(country, number)).toBe(phone)
})

test('AMB-029 spaces go, nothing else does', () => {
  expect(withoutSpaces(' 0412 345\u00a0678\t')).toBe('0412345678')
  expect(withoutSpaces('0412-345-678')).toBe('0412-345-678')
})
