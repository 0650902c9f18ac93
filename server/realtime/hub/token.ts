import { randomUUID } from 'node:crypto'
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import * as limits from '#kernel/limits.ts'

const algorithm = 'HS256'
export const audience = 'evac-realtime'

/** The participation (`Warden_Sign_In_UID`), the allowed channels, the session, and the expiry (seconds since 1970). */
export interface ConnectionClaims {
  sub: string
  channels: readonly string[]
  /** The session that requested the token. The token is only valid with it. */
  sid: string
  exp: number
}

/** An expired token: the client is told to fetch a new one. Any other fault ends the connection. */
export class ConnectionTokenExpired extends Error {
  override name = 'ConnectionTokenExpired'
}

/** One hour, HS256, for one participation and the channels that the server has determined for it. */
export function signConnectionToken(
  key: Uint8Array,
  { sub, channels, sid }: Omit<ConnectionClaims, 'exp'>,
  seconds: number = limits.realtimeTokenSeconds,
): Promise<string> {
  return sign(key, { channels, sid }, sub, seconds)
}

function sign(key: Uint8Array, claims: JWTPayload, sub: string, seconds: number): Promise<string> {
  const issuedAt = Math.floor(Date.now() / 1000)
  return new SignJWT(claims)
    .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
    .setSubject(sub)
    .setAudience(audience)
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + seconds)
    .sign(key)
}

/** The key as Centrifugo takes it: text, whose bytes are the key of the signature. */
export const centrifugoKey = (key: Uint8Array) => Buffer.from(key).toString('base64url')

/**
 * The same for Centrifugo: it would subscribe by itself to the claim `channels`, so that stands in `meta`, and each channel has a
 * token of its own. A subscription lasts as long as its connection, whose token is renewed within the hour.
 */
export async function signCentrifugoTokens(
  key: Uint8Array,
  { sub, channels, sid }: Omit<ConnectionClaims, 'exp'>,
  seconds: number = limits.realtimeTokenSeconds,
): Promise<{ token: string; channelTokens: Record<string, string> }> {
  const bytes = Buffer.from(centrifugoKey(key))
  const ofChannels = channels.map(
    async (channel) => [channel, await sign(bytes, { channel, expire_at: 0 }, sub, seconds)] as const,
  )
  return {
    token: await sign(bytes, { meta: { sid, channels } }, sub, seconds),
    channelTokens: Object.fromEntries(await Promise.all(ofChannels)),
  }
}

/** A token that one of the keys has signed. */
export async function verifyConnectionToken(
  [key, ...further]: readonly Uint8Array[],
  token: string,
): Promise<ConnectionClaims> {
  try {
    return await verifyWith(key ?? new Uint8Array(), token)
  } catch (error) {
    if (further.length === 0 || !(error instanceof errors.JWSSignatureVerificationFailed)) throw error
    return verifyConnectionToken(further, token)
  }
}

/** Pins the algorithm, which excludes `alg: none` and other key types. The audience excludes our other tokens. */
async function verifyWith(key: Uint8Array, token: string): Promise<ConnectionClaims> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [algorithm],
      audience,
      requiredClaims: ['sub', 'exp', 'iat', 'jti', 'channels', 'sid'],
    })
    const { sub, exp, channels, sid } = payload
    if (typeof sub !== 'string' || typeof exp !== 'number' || typeof sid !== 'string' || !isStrings(channels))
      throw new TypeError('Malformed claims')
    return { sub, exp, channels, sid }
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw new ConnectionTokenExpired('The connection token has expired')
    throw error
  }
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
