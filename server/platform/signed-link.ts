import { timingSafeEqual } from 'node:crypto'
import { hmac } from './secrets.ts'

const signatureOf = (key: Uint8Array, subject: string, expires: string) => hmac(key, `${subject}/${expires}`)

/** A link that opens for some minutes what `subject` names, without a sign-in. `expires` is in seconds. */
export function signedLink(
  { key, subject, now }: { key: Uint8Array; subject: string; now: Date },
  url: string,
  minutes: number,
): string {
  const expires = String(Math.floor(now.getTime() / 1000) + minutes * 60)
  return `${url}?${new URLSearchParams({ expires, signature: signatureOf(key, subject, expires) })}`
}

/** True for a valid link that has not expired. Compares in constant time. */
export function isGoodLink(
  { keys, subject, now }: { keys: readonly Uint8Array[]; subject: string; now: Date },
  { expires, signature }: Record<string, unknown>,
): boolean {
  if (typeof expires !== 'string' || typeof signature !== 'string') return false
  const given = Buffer.from(signature)
  const isSigned = keys.some((key) => {
    const expected = Buffer.from(signatureOf(key, subject, expires))
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
  return isSigned && Number(expires) * 1000 > now.getTime()
}
