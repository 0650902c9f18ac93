import { createHmac, timingSafeEqual } from 'node:crypto'

/** Tolerance for the sender's clock, and lifetime of a request. */
const toleranceSeconds = 300

export interface SignedRequest {
  id: string | undefined
  timestamp: string | undefined
  signature: string | undefined
  body: string
}

/** https://www.standardwebhooks.com: HMAC-SHA256 over id, timestamp and body. Several signatures while keys change. */
export function isRightlySigned(secret: string, { id, timestamp, signature, body }: SignedRequest, now: Date): boolean {
  if (!id || !timestamp || !/^\d{1,12}$/.test(timestamp) || !signature) return false
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > toleranceSeconds) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
  return signature.split(' ').some((candidate) => {
    const [version, digest] = candidate.split(',')
    const given = Buffer.from(digest ?? '', 'base64')
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
}
