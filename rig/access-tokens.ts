import { createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** SECRET_KEY of every product under test. With it, a bench can seed sessions whose tokens the product accepts. */
export const secretKey = 'a secret for benches only, long enough'
const key = new Uint8Array(hkdfSync('sha256', secretKey, 'evac', 'access', 32))

/** An access token as the product makes them. The product limits requests with any other token by their address. */
export function newAccessToken(): string {
  const random = randomBytes(32).toString('base64url')
  return random + createHmac('sha256', key).update(random).digest('base64url').slice(0, 22)
}
