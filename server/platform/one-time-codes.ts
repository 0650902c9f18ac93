import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { hmac } from './secrets.ts'

/** RFC 6238 as every authenticator knows it: SHA-1, six digits, 30 seconds, a step either side. */
const kind = { algorithm: 'SHA1', digits: 6, period: 30 } as const
const stepsEitherSide = 1

/** 160 random bits. */
export const newSecret = (): Buffer => randomBytes(20)
const secretOf = (secret: Buffer) => new Secret({ buffer: new Uint8Array(secret).buffer as ArrayBuffer })

/** The secret in base 32, as it is typed into an authenticator. */
export const presentSecret = (secret: Buffer): string => secretOf(secret).base32

/** The address that a QR code shows: organisation and sign-in name stand in the authenticator's list. */
export const enrolmentUri = (secret: Buffer, { issuer, label }: { issuer: string; label: string }): string =>
  new TOTP({ ...kind, issuer, label, secret: secretOf(secret) }).toString()

/** The code that an authenticator shows now. */
export const currentCode = (secret: Buffer, now: Date): string =>
  TOTP.generate({ ...kind, secret: secretOf(secret), timestamp: now.getTime() })

/** The time step of a right code, or undefined. The caller takes each step once. */
export function stepOf(secret: Buffer, code: string, now: Date): number | undefined {
  // the library throws for six characters that are more than six bytes
  if (!isSixDigits(code)) return undefined
  const timestamp = now.getTime()
  const delta = TOTP.validate({
    ...kind,
    token: code,
    secret: secretOf(secret),
    timestamp,
    window: stepsEitherSide,
  })
  return delta === null ? undefined : TOTP.counter({ ...kind, timestamp }) + delta
}

/** Without letters and digits that look alike. */
const letters = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const lettersPerCode = 12

/** Twelve of thirty characters: 58 bits, which no one guesses within five tries. */
function newRecoveryCode(): string {
  const picked: string[] = []
  // bytes that would favour the first letters are passed over
  while (picked.length < lettersPerCode)
    for (const byte of randomBytes(lettersPerCode))
      if (byte < 240 && picked.length < lettersPerCode) picked.push(letters[byte % letters.length] as string)
  return (picked.join('').match(/.{4}/g) ?? []).join('-')
}

export const newRecoveryCodes = (count: number): string[] => Array.from({ length: count }, newRecoveryCode)

/** A code as it is compared: spaces, dashes and the case of letters do not count. */
export const plainCode = (code: string): string => code.replace(/[\s-]/g, '').toUpperCase()
export const isSixDigits = (code: string): boolean => /^\d{6}$/.test(code)

/** The hash of a recovery code, with a key: the codes are too short for a bare one. */
export const hashRecoveryCode = (key: Uint8Array, accountUid: string, code: string): Buffer =>
  Buffer.from(hmac(key, `${accountUid}/${plainCode(code)}`), 'base64url')
