import { expect, test } from 'vitest'
import { givenPasswordResetBy } from '../testing/password-reset-by.ts'
import { passwordResetBy } from './password-reset-by.ts'

test.each(['https://accounts.harbour.test/reset', 'administrator', 'mail'])(
  'LOGIN-03 AMB-028 the page names who resets passwords: %s',
  (content) => {
    givenPasswordResetBy(content)

    expect(passwordResetBy()).toBe(content)
  },
)

test('LOGIN-03 AMB-028 without a valid web address in the page, this program resets passwords', () => {
  expect(passwordResetBy()).toBe('mail')
  givenPasswordResetBy('javascript:alert(1)')
  expect(passwordResetBy()).toBe('mail')
})
