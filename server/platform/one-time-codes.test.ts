import { expect, test } from 'vitest'
import {
  currentCode,
  enrolmentUri,
  hashRecoveryCode,
  newRecoveryCodes,
  newSecret,
  presentSecret,
  stepOf,
} from './one-time-codes.ts'
import { decrypt, encrypt } from './secrets.ts'

/** RFC 6238, appendix B: the last six of its eight digits. */
const rfcSecret = Buffer.from('12345678901234567890')

test.for([
  [59, '287082'],
  [1111111109, '081804'],
  [1234567890, '005924'],
  [20000000000, '353130'],
] as const)('ORG-20 the code of RFC 6238 at second %i is %s', ([second, code]) => {
  const now = new Date(second * 1000)

  expect(currentCode(rfcSecret, now)).toBe(code)
  expect(stepOf(rfcSecret, code, now)).toBe(Math.floor(second / 30))
})

test('ORG-20 a code counts a step before and after its own, and no further', () => {
  const now = new Date(1_111_111_109_000)
  const code = currentCode(rfcSecret, now)
  const later = (steps: number) => stepOf(rfcSecret, code, new Date(now.getTime() + steps * 30_000))

  expect([-2, -1, 0, 1, 2, 3].map((steps) => later(steps) !== undefined)).toEqual([
    false,
    true,
    true,
    true,
    false,
    false,
  ])
  expect(later(1)).toBe(later(0))
  for (const wrong of ['', '12345', '1234567', 'abcdef', '28708２'])
    expect(stepOf(rfcSecret, wrong, now)).toBeUndefined()
})

test('ORG-21 an authenticator reads secret, organisation and name from the address', () => {
  const uri = new URL(enrolmentUri(rfcSecret, { issuer: 'Harbour & Co', label: 'a:b@harbour.test' }))

  expect(uri.searchParams.get('secret')).toBe(presentSecret(rfcSecret))
  expect(uri.searchParams.get('issuer')).toBe('Harbour & Co')
  expect(uri.protocol).toBe('otpauth:')
})

test('ORG-20 recovery codes differ, and are hashed per account whatever their spelling', () => {
  const codes = newRecoveryCodes(200)
  const key = newSecret()
  const hash = (account: string, code: string) => hashRecoveryCode(key, account, code).toString('hex')

  expect(new Set(codes).size).toBe(200)
  for (const code of codes) expect(code).toMatch(/^[2-9A-HJKMNP-TV-Z]{4}(-[2-9A-HJKMNP-TV-Z]{4}){2}$/)
  const [code = ''] = codes
  expect(hash('a', code)).toBe(hash('a', ` ${code.toLowerCase().replaceAll('-', ' ')}`))
  expect(hash('a', code)).not.toBe(hash('b', code))
})

test('ORG-25 a sealed secret opens with its key and for its owner alone', () => {
  const [key, other] = [newSecret(), newSecret()].map(
    (half) => new Uint8Array(Buffer.concat([half, half]).subarray(0, 32)),
  ) as [Uint8Array, Uint8Array]
  const sealed = encrypt(key, rfcSecret, 'mine')

  expect(decrypt([key], sealed, 'mine')).toEqual(rfcSecret)
  expect(sealed.includes(rfcSecret)).toBe(false)
  expect([decrypt([other], sealed, 'mine'), decrypt([key], sealed, 'yours')]).toEqual([undefined, undefined])
  for (const at of [0, 13, sealed.length - 1]) {
    const spoilt = Buffer.from(sealed)
    spoilt[at] = (spoilt[at] as number) ^ 1
    expect(decrypt([key], spoilt, 'mine')).toBeUndefined()
  }
})
