import { expect, test } from 'vitest'
import { asSent, encodingOf, segmentsOf } from './segments.ts'

const count = (text: string) => segmentsOf(text).segments.length

test('T18 a text of the basic alphabet has 160 characters in one segment and 153 in each of several', () => {
  expect(segmentsOf('a'.repeat(160))).toEqual({ encoding: 'gsm7', segments: ['a'.repeat(160)], used: 160, room: 160 })
  expect(segmentsOf('a'.repeat(161))).toMatchObject({ encoding: 'gsm7', used: 8, room: 153 })
  expect([count(''), count('a'.repeat(306)), count('a'.repeat(307))]).toEqual([1, 2, 3])
})

test('T18 characters of the extension table cost two, and are never cut', () => {
  expect(count('€'.repeat(80))).toBe(1)
  expect(count('€'.repeat(81))).toBe(2)
  // 152 and half a euro sign would fill the segment: the whole sign goes to the next
  const { segments } = segmentsOf(`${'a'.repeat(152)}€${'a'.repeat(20)}`)
  expect(segments).toEqual(['a'.repeat(152), `€${'a'.repeat(20)}`])
})

test('T18 one character outside the alphabet makes the whole text UCS-2: 70, then 67', () => {
  expect(encodingOf('Évacuez, ç')).toBe('ucs2')
  expect(encodingOf('ÉÄÖÜàèì £$¥ {[€]}~^|\\')).toBe('gsm7')
  expect(count(`${'a'.repeat(69)}ń`)).toBe(1)
  expect(segmentsOf(`${'a'.repeat(70)}ń`)).toMatchObject({ encoding: 'ucs2', used: 4, room: 67 })
})

test.for([
  ['a surrogate pair', '🚨'],
  ['a letter with its accent', 'é̂'],
  ['a family', '👩‍👩‍👧'],
  ['a flag', '🇦🇺'],
] as const)('T18 %s is never cut', ([, character]) => {
  for (const before of [60, 61, 62, 63, 64, 65, 66]) {
    const { segments } = segmentsOf(`ń${'a'.repeat(before - 1)}${character}${'a'.repeat(30)}`)
    expect(segments.filter((segment) => segment.includes(character))).toHaveLength(1)
  }
})

test('T18 a pile of accents longer than a segment is cut between two of them', () => {
  const { segments } = segmentsOf(`e${'\u0301'.repeat(150)}`)
  expect(segments.map(({ length }) => length)).toEqual([67, 67, 17])
})

test.for([
  ['“Leave now” – it’s real…', '"Leave now" - it\'s real...'],
  ['10\u202f000\u00a0people\u200b\u00ad', '10 000 people'],
  ['É, ß and €', 'É, ß and €'],
] as const)('STAY-04 "%s" leaves as GSM-7: "%s"', ([text, sent]) => {
  expect(asSent(text)).toBe(sent)
  expect(encodingOf(sent)).toBe('gsm7')
})

test('STAY-04 letters never change: what cannot be GSM-7 as a whole leaves as it was written', () => {
  for (const text of ['Gdańsk – “now”', '🚨 it’s real', '👩‍👩‍👧']) expect(asSent(text)).toBe(text)
})
