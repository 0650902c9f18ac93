import { randomUUID } from 'node:crypto'
import { limits } from '@evac/contract/limits.ts'
import { errors, jwtVerify, SignJWT } from 'jose'

const algorithm = 'HS256'
const audience = 'evac-realtime'

/** Whose connection it is (`Warden_Sign_In_UID`), what it may subscribe to, by which session, and until when (seconds since 1970). */
export interface ConnectionClaims {
  sub: string
  channels: readonly string[]
  /** The session that asked for the token: the token is worth nothing without it. */
  sid: string
  exp: number
}

/** The token was good once: the client is told to fetch a new one, where every other fault ends the connection. */
export class ConnectionTokenExpired extends Error {
  override name = 'ConnectionTokenExpired'
}

/** RT-11, RT-12: one hour, HS256, for one sign-in and the channels the server worked out for it. */
export function signConnectionToken(
  key: Uint8Array,
  { sub, channels, sid }: Omit<ConnectionClaims, 'exp'>,
  seconds: number = limits.realtimeTokenSeconds,
): Promise<string> {
  const issuedAt = Math.floor(Date.now() / 1000)
  return new SignJWT({ channels, sid })
    .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
    .setSubject(sub)
    .setAudience(audience)
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + seconds)
    .sign(key)
}

/** The algorithm is pinned, so neither `alg: none` nor another key type gets in; the audience keeps other tokens of ours out. */
export async function verifyConnectionToken(key: Uint8Array, token: string): Promise<ConnectionClaims> {
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
