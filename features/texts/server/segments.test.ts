import fc from 'fast-check'
import { expect, test } from 'vitest'
import { segmentsOf } from '../segments.ts'

/** Texts as people write them, and as they do not: letters, signs of the extension table, accents, emoji, lone halves. */
const bits = fc.oneof(
  fc.constantFrom('a', 'Z', ' ', '€', '{', '\n', 'é', 'ß'),
  fc.constantFrom('ń', 'Ж', '🚨', '👩‍👩‍👧', 'e\u0301', '🇦🇺', '\ud83d', '\u200d'),
  fc.string({ unit: 'grapheme', maxLength: 5 }),
)
const plainBits = fc.constantFrom('a', 'Z', ' ', '€', '{', '}', '[', '~', 'é', 'Ω', '\f')
const texts = fc
  .oneof(fc.array(bits, { maxLength: 400 }), fc.array(plainBits, { maxLength: 800 }))
  .map((b) => b.join(''))

/** Octets that a text takes on the way: seven bits for each septet, or two octets for each unit. */
function octetsOf(text: string, encoding: 'gsm7' | 'ucs2'): number {
  if (encoding === 'ucs2') return text.length * 2
  return Math.ceil(([...text].reduce((sum, c) => sum + ('\f^{}\\[~]|€'.includes(c) ? 2 : 1), 0) * 7) / 8)
}

test('T18 whatever the text: joined the segments are the text, and each fits on its way', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const { encoding, segments, used, room } = segmentsOf(text)
      expect(segments.join('')).toBe(text)
      const most = segments.length === 1 ? 140 : 134
      for (const segment of segments) expect(octetsOf(segment, encoding)).toBeLessThanOrEqual(most)
      expect(used).toBeLessThanOrEqual(room)
    }),
  )
})

test('T18 whatever the text: no segment ends inside a character', () => {
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
  fc.assert(
    fc.property(texts, (text) => {
      const { segments } = segmentsOf(text)
      const starts = new Set([0, ...[...graphemes.segment(text)].map(({ index }) => index)])
      let at = 0
      for (const segment of segments) {
        expect(starts.has(at)).toBe(true)
        at += segment.length
      }
    }),
  )
})
