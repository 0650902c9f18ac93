import { expect, test } from 'vitest'
import { fill } from './fill.ts'

test('SEND-02 values enter a text in one line and without braces; the place of the link stays', () => {
  const name = 'https://evil.test/?{link}\r\nBcc: all\u2028{name}\u0000'

  expect(fill('{name} asks {name}, {n} times.\n{link}', { name, n: 2 })).toBe(
    'https://evil.test/?(link) Bcc: all (name)  asks https://evil.test/?(link) Bcc: all (name) , 2 times.\n{link}',
  )
})

test('SEND-02 a value is no template: neither a place nor a pattern of replacement in it is filled', () => {
  expect(fill('{a} {b}', { a: '{b} $& $1', b: '{a}' })).toBe('(b) $& $1 (a)')
  expect(fill('{toString}' as string, {} as never)).toBe('{toString}')
})
