import { expect, test } from 'vitest'
import { acceptText, concludedText, defaultText } from './broadcast-text.ts'

test('EVENT-35 the whole event: only the site is named', () => {
  expect(concludedText('Harbour Quarter', [])).toBe('The event at Harbour Quarter has concluded')
})
test('EVENT-36 specific buildings are named', () => {
  expect(concludedText('Harbour Quarter', ['Tower A', 'Tower B'])).toBe(
    'The event at Harbour Quarter (Tower A, Tower B) has concluded',
  )
})
test('EVENT-36 a list that is too long is cut to fit and says how many more', () => {
  const names = Array.from({ length: 12 }, (_, n) => `Building ${n + 1}`)
  const text = concludedText('Harbour Quarter', names)
  expect(text).toBe(
    'The event at Harbour Quarter (Building 1, Building 2, Building 3, Building 4, Building 5, Building 6 and 6 more) has concluded',
  )
  expect(text.length).toBeLessThanOrEqual(130)
})
test.for([1, 40, 80, 95, 110, 130, 200])(
  'AMB-091 a site name of %s characters never makes the text too long',
  (length) => {
    const site = 'S'.repeat(length)
    for (const buildings of [[], ['A'.repeat(60)], ['A'.repeat(60), 'B'.repeat(60)]])
      expect(concludedText(site, buildings).length).toBeLessThanOrEqual(130)
  },
)
test('AMB-088 the default text of a type is cut at 130', () => {
  expect(defaultText('x'.repeat(131))).toHaveLength(130)
  expect(defaultText(undefined)).toBe('')
})
test('EVENT-38 the 131st character and a paste that is too long are ignored', () => {
  const full = 'x'.repeat(130)
  expect(acceptText('old', full)).toBe(full)
  expect(acceptText('old', `${full}x`)).toBe('old')
})
