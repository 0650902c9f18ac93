import { createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** The product's under load: whoever seeds its database must be able to make tokens that it knows for its own. */
export const secretKey = 'a secret for benches only, long enough'
const key = new Uint8Array(hkdfSync('sha256', secretKey, 'evac', 'access', 32))

/** An access token as the product makes them; others are counted by the address they come from, which is one here. */
export function newAccessToken(): string {
  const random = randomBytes(32).toString('base64url')
  return random + createHmac('sha256', key).update(random).digest('base64url').slice(0, 22)
}
