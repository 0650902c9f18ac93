import { timingSafeEqual } from 'node:crypto'
import { hmac } from '../../platform/secrets.ts'

const validMs = 15 * 60_000

const signatureOf = (key: Uint8Array, uid: string, expires: string) => hmac(key, `${uid}/${expires}`)

/** AMB-071: a link that opens the document for 15 minutes without a sign-in. `expires` is in seconds. */
export function documentLink(key: Uint8Array, appUrl: string, uid: string, now: Date): string {
  const expires = String(Math.floor((now.getTime() + validMs) / 1000))
  return `${appUrl}/api/documents/${uid}?${new URLSearchParams({ expires, signature: signatureOf(key, uid, expires) })}`
}

/** True for a valid link that has not expired. Compares in constant time. */
export function isGoodLink(key: Uint8Array, uid: string, { expires, signature }: Record<string, unknown>, now: Date) {
  if (typeof expires !== 'string' || typeof signature !== 'string') return false
  const given = Buffer.from(signature)
  const expected = Buffer.from(signatureOf(key, uid, expires))
  return given.length === expected.length && timingSafeEqual(given, expected) && Number(expires) * 1000 > now.getTime()
}
