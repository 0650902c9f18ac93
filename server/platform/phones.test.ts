import { expect, test } from 'vitest'
import { beginningsOf, formatPhone, partOfPhone, readPhone } from './phones.ts'

const numberIn = (text: string, country: string) => {
  const read = readPhone(text, country)
  return read && 'number' in read ? read.number : undefined
}

test.for([
  ...[
    '0491 000 001',
    '0491-000-001',
    '0491.000.001',
    '(0491) 000 001',
    '0491\u00a0000\u2011001',
    '491000001',
    '491 000 001',
  ],
  ...['+61 491 000 001', '+61 (0)491 000 001', '+610491000001', '0061 491 000 001', '0011 61 491 000 001'],
  ...['61491000001', '61 491 000 001', '011 61 491 000 001', 'tel:+61491000001', 'tel:0491-000-001', "'0491000001"],
  ...[
    '\u202a+61 491 000 001\u202c',
    '０４９１ ０００ ００１',
    '٠٤٩١٠٠٠٠٠١',
    '०४९१०००००१',
    '491000001.0',
    'M: 0491 000 001',
  ],
  ...[
    '0491 000 001 ext 12',
    '0491000001 x3',
    '0491 000 001 / 0491 000 002',
    '0491000001; 02 9000 0000',
    '0491 000 001 or home',
  ],
] as const)('NUM-01 AMB-030 in Australia "%s" is 61491000001', (text) => {
  expect(numberIn(text, 'AU')).toBe('61491000001')
})

test.for([
  ['AU', '0291000001', undefined],
  ['AU', '049100000', undefined],
  ['AU', '04910000011', undefined],
  ['AU', '+4912345', undefined],
  ['AU', '+', undefined],
  ['AU', 'none', undefined],
  ['AU', 'call 0491 000 001 at night', undefined],
  ['AU', '+49 (0)151 1234 5678', '4915112345678'],
  ['NZ', '021 000 0001', '64210000001'],
  ['NZ', '210000001', '64210000001'],
  ['NZ', '+64 (0) 21 000 0001', '64210000001'],
  ['NZ', '0310000001', undefined],
  ['US', '212 555 0123', '12125550123'],
  ['US', '(212) 555-0123', '12125550123'],
  ['US', '1-212-555-0123', '12125550123'],
  ['US', '+1 (212) 555.0123 x9', '12125550123'],
  ['US', '0125550123', undefined],
  ['US', '011 44 7700 900123', '447700900123'],
  ['UK', '07700 900123', '447700900123'],
  ['UK', '7700900123', '447700900123'],
  ['UK', '+44 (0)7700 900 123', '447700900123'],
  ['UK', '0770090012', undefined],
  ['ZZ', '0491 000 001', undefined],
  ['ZZ', '+61491000001', '61491000001'],
] as const)('NUM-01 NUM-02 AMB-030 in %s "%s" is read as %s', ([country, text, kept]) => {
  expect(numberIn(text, country)).toBe(kept)
})

test.for([
  ['AU', '02 9100 0001', '61291000001'],
  ['AU', '(03) 9100-0001', '61391000001'],
  ['AU', '391000001', '61391000001'],
  ['AU', '09 9100 0001', undefined],
  ['NZ', '03 310 0001', '6433100001'],
  ['NZ', '0310000001', undefined],
  ['UK', '020 7946 0018', '442079460018'],
  ['UK', '01204 52 0018', '441204520018'],
  ['UK', '0204 94 018', undefined],
  ['US', '012 555 0123', undefined],
  ['ZZ', '02 9100 0001', undefined],
] as const)('NUM-03 in %s "%s" is the landline %s, and no number for texts', ([country, text, landline]) => {
  expect(readPhone(text, country)).toEqual(landline && { landline, isFirstOfTwo: false })
})

test.for(['4.91E+08', '6.1491E+10', '6.1491e10'])('NUM-04 %s is what a spreadsheet has made of a number', (text) => {
  expect(readPhone(text, 'AU')).toEqual({ spoilt: text })
})

test('NUM-04 of two numbers the first is read, and it is known that there was another', () => {
  expect(readPhone('0491 000 001 / 0491 000 002', 'AU')).toEqual({ number: '61491000001', isFirstOfTwo: true })
  expect(readPhone('0491 000 001 ext 7', 'AU')).toEqual({ number: '61491000001', isFirstOfTwo: false })
})

test('NUM-01 a search takes part of a number in any spelling', () => {
  expect(['0491 570', '+61 491', '(0491) 570-006', '٠٤٩١', '0061 491', 'a1', ''].map(partOfPhone)).toEqual([
    ...['491570', '61491', '491570006', '491', '61491', null, null],
  ])
  expect([beginningsOf('0491 5', 'AU'), beginningsOf('+61 491 5', 'AU')]).toEqual([['4915', '614915'], ['614915']])
})

test('IMP-17 a mobile is written so that a spreadsheet keeps it, and reads as the same number', () => {
  for (const number of ['61491000001', '12125550123', '447700900123', '4915112345678']) {
    expect(formatPhone(number)).toMatch(/^\+[\d ]+ [\d ]+$/)
    expect(numberIn(formatPhone(number), 'AU')).toBe(number)
  }
})
