import { expect, test } from 'vitest'
import { otherCard, reportInCard } from '#web/testing/report-in-cards.ts'
import { sameCards } from './same-cards.ts'

const first = reportInCard('unknown')
const second = reportInCard('current', otherCard)

test('LIST-39 lists that differ in oauth_token only are the same (AMB-058)', () => {
  expect(sameCards([first, second], [{ ...first, oauth_token: 'another' }, { ...second }])).toBe(true)
})

test.each([
  ['a field', [{ ...first, Button1_Display: 'Disabled' }, second]],
  ['the order', [second, first]],
  ['a card more', [first, second, reportInCard('upcoming')]],
  ['a card less', [first]],
  ['an unknown field', [{ ...first, New_Field: 1 }, second]],
])('LIST-32 lists that differ in %s are not the same', (_, fresh) => {
  expect(sameCards([first, second], fresh)).toBe(false)
})
