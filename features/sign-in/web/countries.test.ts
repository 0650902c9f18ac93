import { expect, test } from 'vitest'
import { type Country, countries, phoneOf, readEntry } from './countries.ts'

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

test.each([
  [' 0412 345\u00a0678\t', australia, '0412345678'],
  ['0412-345-678', australia, '0412345678'],
  ['0412\u2011345\u2013678', australia, '0412345678'],
  ['(212) 555-1234', unitedStates, '2125551234'],
  ['04l2 345 678', australia, '04l2345678'],
] as const)('AMB-029 spaces, dashes and brackets go, nothing else does: %s', (text, country, number) => {
  expect(readEntry(text, country)).toEqual({ country, number })
})

test.each<[string, Country, Country, string]>([
  ['+61412345678', australia, australia, '0412345678'],
  ['+61 412 345 678', unitedKingdom, australia, '0412345678'],
  ['+61 (0)412 345 678', newZealand, australia, '0412345678'],
  ['61412345678', newZealand, australia, '0412345678'],
  ['0061412345678', australia, australia, '0412345678'],
  ['0061412345678', unitedStates, australia, '0412345678'],
  ['+64 21 234 5678', australia, newZealand, '0212345678'],
  ['+1 (212) 555-1234', australia, unitedStates, '2125551234'],
  ['447123456789', australia, unitedKingdom, '07123456789'],
])('LOGIN-35 AMB-029 %s typed under %o chooses the country and is shown as it is dialled there', (...row) => {
  const [text, chosen, country, number] = row
  expect(readEntry(text, chosen)).toEqual({ country, number })
})

test.each([
  ['no such country code', '+49 151 23456789', '+4915123456789'],
  ['a number that is not whole yet', '+6141234567', '+6141234567'],
  ['a 1 in front of a number of the chosen country', '10412345678', '10412345678'],
])('LOGIN-11 AMB-029 %s stays as it is, and is invalid', (_, text, number) => {
  expect(readEntry(text, australia)).toEqual({ country: australia, number })
  expect(australia.mobile.test(number)).toBe(false)
})

test('LOGIN-29 what is a number of the chosen country is not read as one with a country code', () => {
  expect(readEntry('6141234567', unitedStates)).toEqual({ country: unitedStates, number: '6141234567' })
})
