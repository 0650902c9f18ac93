import { generateKeyPairSync } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, SignJWT, UnsecuredJWT } from 'jose'
import { expect, test } from 'vitest'
import { ConnectionTokenExpired, signConnectionToken, verifyConnectionToken } from './token.ts'

const key = new Uint8Array(32).fill(7)
const grace = { sub: 'sign-in-1', channels: ['event:1', 'warden:sign-in-1'], sid: 'session-1' }

test('RT-11 CONST-06 a connection token is valid for one hour and signed with HS256', async () => {
  const token = await signConnectionToken(key, grace)

  const { iat = 0, exp = 0, jti } = decodeJwt(token)
  expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'HS256' })
  expect(exp - iat).toBe(3600)
  expect(jti).toMatch(/^[0-9a-f-]{36}$/)
})

test('RT-12 a connection token is for one participation and its channels', async () => {
  const claims = await verifyConnectionToken([key], await signConnectionToken(key, grace))

  expect(claims).toMatchObject(grace)
})

test('HUB-10 an expired token is distinguished from an invalid one', async () => {
  const ended = await signConnectionToken(key, grace, -1)

  await expect(verifyConnectionToken([key], ended)).rejects.toThrow(ConnectionTokenExpired)
  await expect(verifyConnectionToken([new Uint8Array(32)], ended)).rejects.not.toThrow(ConnectionTokenExpired)
})

const claims = (changes: object) => ({
  sub: 'sign-in-1',
  aud: 'evac-realtime',
  jti: 'j',
  channels: ['event:1'],
  sid: 'session-1',
  ...changes,
})
const signed = (payload: object, alg = 'HS256', secret: Parameters<SignJWT['sign']>[0] = key) =>
  new SignJWT({ ...payload }).setProtectedHeader({ alg }).setIssuedAt().setExpirationTime('1h').sign(secret)
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

test.for<[string, () => string | Promise<string>]>([
  ['alg none', () => new UnsecuredJWT(claims({})).setIssuedAt().setExpirationTime('1h').encode()],
  ['another algorithm with the same key', () => signed(claims({}), 'HS512')],
  ['an asymmetric key', () => signed(claims({}), 'RS256', rsa)],
  ['another key', () => signed(claims({}), 'HS256', new Uint8Array(32).fill(8))],
  ['another audience', () => signed(claims({ aud: 'evac-documents' }))],
  ['no audience', () => signed(claims({ aud: undefined }))],
  ['no subject', () => signed(claims({ sub: undefined }))],
  ['no jti', () => signed(claims({ jti: undefined }))],
  ['no session', () => signed(claims({ sid: undefined }))],
  ['no channels', () => signed(claims({ channels: undefined }))],
  ['channels that are no list of names', () => signed(claims({ channels: 'event:1' }))],
  ['an access token of the API', () => 'Zm9vYmFyYmF6cXV4LW9wYXF1ZS1hY2Nlc3MtdG9rZW4'],
  ['nothing', () => ''],
])('HUB-09 rejected as a connection token: %s', async ([, make]) => {
  const token = await make()

  await expect(verifyConnectionToken([key], token)).rejects.toThrow()
})

test('HUB-09 a token without an expiry is rejected', async () => {
  const endless = await new SignJWT(claims({})).setProtectedHeader({ alg: 'HS256' }).setIssuedAt().sign(key)

  await expect(verifyConnectionToken([key], endless)).rejects.toThrow(/"exp"/)
})
