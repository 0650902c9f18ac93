import { createECDH, type ECDH } from 'node:crypto'
import { importJWK, SignJWT } from 'jose'

const curve = 'prime256v1'
/** How long a push service may use a token: at most 24 h (RFC 8292). */
const tokenHours = 12
/** A token is made anew when so much of its life is left, so that none ends on its way. */
const renewMs = 3_600_000

export interface Vapid {
  /** The public key, uncompressed, base64url. */
  publicKey: string
  /** The header `authorization` for a push service, by the origin of the address. */
  authorize: (endpoint: string) => Promise<string>
}

/** Signs alerts with a P-256 key made of 32 secret bytes. `contact` is a mailto: or https address for the push services. */
export function openVapid(secret: Uint8Array, contact: string): Vapid {
  const pair = createECDH(curve)
  pair.setPrivateKey(Buffer.from(secret))
  const publicKey = pair.getPublicKey('base64url')
  const key = importJWK(jwkOf(pair), 'ES256')
  const tokens = new Map<string, { token: Promise<string>; endsAt: number }>()
  const sign = async (audience: string) =>
    new SignJWT()
      .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
      .setAudience(audience)
      .setSubject(contact)
      .setExpirationTime(`${tokenHours}h`)
      .sign(await key)
  return {
    publicKey,
    async authorize(endpoint) {
      const { origin } = new URL(endpoint)
      const known = tokens.get(origin)
      const now = Date.now()
      const current =
        known && known.endsAt - now > renewMs ? known : { token: sign(origin), endsAt: now + tokenHours * 3_600_000 }
      tokens.set(origin, current)
      return `vapid t=${await current.token}, k=${publicKey}`
    },
  }
}

function jwkOf(pair: ECDH) {
  const point = pair.getPublicKey()
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  return { kty: 'EC', crv: 'P-256', x: x as string, y: y as string, d: pair.getPrivateKey('base64url') }
}
