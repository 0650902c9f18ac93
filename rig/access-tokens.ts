import { createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** SECRET_KEY of every product under test. With it, a bench can seed sessions whose tokens the product accepts. */
export const secretKey = 'a secret for benches only, long enough'
const keyOf = (use: string) => new Uint8Array(hkdfSync('sha256', secretKey, 'evac', use, 32))
const keys = { access: keyOf('access'), console: keyOf('console') }

/** An access token as the product makes them. The product limits requests with any other token by their address. */
export const newAccessToken = (): string => newToken(keys.access)

/** The same for the console. */
export const newConsoleToken = (): string => newToken(keys.console)

/** An access token as the session row stores it. */
export const hashOf = (token: string) => createHash('sha256').update(token).digest()

function newToken(key: Uint8Array): string {
  const random = randomBytes(32).toString('base64url')
  return random + createHmac('sha256', key).update(random).digest('base64url').slice(0, 22)
}
