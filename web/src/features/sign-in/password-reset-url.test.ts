import { afterEach, expect, test } from 'vitest'
import { passwordResetUrl } from './password-reset-url.ts'

const meta = document.createElement('meta')
meta.name = 'password-reset-url'
afterEach(() => meta.remove())

const given = (content: string) => {
  meta.content = content
  document.head.append(meta)
}

test('LOGIN-03 the page names the password-reset address', () => {
  given('https://accounts.harbour.test/reset')
  expect(passwordResetUrl()).toBe('https://accounts.harbour.test/reset')
})

test('LOGIN-03 without one, or with something that is no web address, the development default holds', () => {
  expect(passwordResetUrl()).toBe('https://example.invalid/password-reset')
  given('javascript:alert(1)')
  expect(passwordResetUrl()).toBe('https://example.invalid/password-reset')
})
